//! On what it was measured, in general terms.

use std::fs;
use std::process::Command;

/// The output of a command, or nothing.
pub(crate) fn said(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).output();
    output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default()
}

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Date, processor, kernel, compiler and load, a line each.
pub(crate) fn describe() -> String {
    let processors = read("/proc/cpuinfo");
    let mut models = processors.lines().filter_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let model = models.next().unwrap_or("unknown processor");
    let cores = std::thread::available_parallelism().map_or(0, |cores| cores.get());
    let kernel = read("/proc/sys/kernel/osrelease");
    // Numbers alone: what follows can be the name of somebody's build.
    let kernel = kernel.trim().split('-').next().unwrap_or_default();
    let load = read("/proc/loadavg");
    let load = load.split_whitespace().next().unwrap_or("?");
    format!(
        "- {}\n- {model}, {cores} cores, Linux {kernel}\n- {}\n- load when the run began: {load}\n",
        said("date", &["-u", "+%Y-%m-%d"]),
        said("rustc", &["--version"]),
    )
}
