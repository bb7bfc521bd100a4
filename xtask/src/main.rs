//! Repository tasks: `cargo xtask <task>`.

fn main() {}
