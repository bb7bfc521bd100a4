//! The command lines of the programs.

use std::env;
use std::io;
use std::path::PathBuf;

/// The values of options that take a number each, in the order of their names and defaults.
///
/// # Errors
/// There is another option, or no number behind one; the text says which.
pub fn options<const N: usize>(known: [(&str, u64); N]) -> Result<[u64; N], String> {
    let mut values = known.map(|(_, default)| default);
    let mut arguments = env::args().skip(1);
    while let Some(name) = arguments.next() {
        let at = known.iter().position(|(known, _)| *known == name);
        let at = at.ok_or_else(|| format!("there is no option {name}"))?;
        let value = arguments.next().and_then(|value| value.parse().ok());
        values[at] = value.ok_or_else(|| format!("{name} needs a number"))?;
    }
    Ok(values)
}

/// The program of the server, which was built beside this one.
///
/// # Errors
/// Nobody knows where this one is.
pub fn server() -> io::Result<PathBuf> {
    Ok(env::current_exe()?.with_file_name(format!("endurance-server{}", env::consts::EXE_SUFFIX)))
}
