//! The grammar of the command line.

use super::arguments;
use crate::Level;
use crate::revision::Identity;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, Command};

/// The whole command line of a server. `program` is the name that the person typed.
pub(super) fn command(program: &str, server: &Identity) -> Command {
    Command::new("server")
        .bin_name(program)
        .about(
            server
                .description()
                .map_or_else(|| format!("{}, a server of the Model Context Protocol", server.name()), str::to_owned),
        )
        .after_help("Without a command it serves standard input and output, unless the input is a terminal.")
        .disable_version_flag(true)
        .arg(Arg::new("version").short('V').long("version").action(ArgAction::SetTrue).help("Print name and version"))
        .subcommands([serve(), list(), call(), read(), get()])
}

fn serve() -> Command {
    let command = Command::new("serve").about("Serve clients over standard input and output, or over HTTP");
    #[cfg(feature = "http")]
    let command = command.arg(
        Arg::new("http")
            .long("http")
            .value_name("ADDR")
            .value_parser(super::serving::address)
            .help("Serve Streamable HTTP at HOST:PORT, or at a PORT of this machine alone"),
    );
    command
}

fn list() -> Command {
    Command::new("list")
        .about("Show the tools, resources and prompts")
        .arg(
            Arg::new("kind")
                .value_name("KIND")
                .value_parser(PossibleValuesParser::new(["tools", "resources", "prompts"]))
                .help("Show one kind only"),
        )
        .arg(flag("json", "Show everything that clients see, as JSON"))
}

fn call() -> Command {
    Command::new("call")
        .about("Call a tool")
        .arg(Arg::new("name").value_name("NAME").required(true).help("The tool's name"))
        .arg(words().help("Arguments, read as the schema has them; `a.b=value` is a member of an object"))
        .arg(
            Arg::new("json")
                .long("json")
                .value_name("JSON")
                .conflicts_with("arguments")
                .allow_hyphen_values(true)
                .help("All arguments as a JSON object; `-` reads it from the input"),
        )
        .args(of_requests())
}

fn read() -> Command {
    Command::new("read")
        .about("Read a resource")
        .arg(Arg::new("uri").value_name("URI").required(true).help("The resource's URI"))
        .args(of_requests())
}

fn get() -> Command {
    Command::new("get")
        .about("Get the messages of a prompt")
        .arg(Arg::new("name").value_name("NAME").required(true).help("The prompt's name"))
        .arg(words().help("Arguments"))
        .args(of_requests())
}

fn words() -> Arg {
    Arg::new("arguments").value_name("NAME=VALUE").num_args(1..).value_parser(arguments::word)
}

/// Options of everything that runs a function.
fn of_requests() -> [Arg; 2] {
    let levels = PossibleValuesParser::new(Level::ALL.map(Level::as_str));
    [
        flag("raw", "Show the whole result as JSON"),
        Arg::new("log-level")
            .long("log-level")
            .value_name("LEVEL")
            .value_parser(levels)
            .default_value(Level::Info.as_str())
            .hide_possible_values(true)
            .help("Show log messages from this level on, `debug` to `emergency`"),
    ]
}

fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).action(ArgAction::SetTrue).help(help)
}
