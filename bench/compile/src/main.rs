//! Measures how long servers of many tools take to compile: clean, and after the body of one tool was edited. The same
//! servers written with `rmcp` are measured in turn with them, so that a busy machine is busy for both.
//!
//! `README.md` beside this package says how to run it and how to read what it prints.

mod measure;
mod options;
mod report;
mod source;
mod subject;

use options::Options;
use report::Samples;
use std::process::ExitCode;
use subject::Subject;

/// A value, or the message that the user reads.
type Result<T = ()> = std::result::Result<T, String>;

fn main() -> ExitCode {
    match Options::of_process().and_then(|options| run(&options)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result {
    let mut pairs = Vec::new();
    for style in options.styles() {
        pairs.push([source::Framework::Ours, source::Framework::Rmcp].map(|framework| Subject { framework, style }));
    }
    let mut subjects: Vec<(Subject, Samples)> = Vec::new();
    for subject in pairs.into_iter().flatten() {
        subject.create(options.tools)?;
        let samples = Samples { crates: subject.crates()?, ..Samples::default() };
        subjects.push((subject, samples));
    }
    let mut edits = 0..;
    for round in 1..=options.rounds {
        if options.clean {
            each(&mut subjects, &format!("round {round}: clean build"), |subject, samples| {
                samples.clean.push(subject.clean_build()?);
                Ok(())
            })?;
        }
        // What is measured next is the work that an edit causes, so everything else must have been done.
        each(&mut subjects, &format!("round {round}: warm up"), |subject, _| subject.warm_up())?;
        for (edit, turn) in edits.by_ref().zip(1..=options.edits) {
            each(&mut subjects, &format!("round {round}: edit {turn}"), |subject, samples| {
                subject.edit(options.tools, edit)?;
                samples.check.push(subject.check()?);
                samples.build.push(subject.build()?);
                Ok(())
            })?;
        }
    }
    print!("{}", report::report(options, &subjects));
    Ok(())
}

/// One measurement of every subject, in turn.
fn each(subjects: &mut [(Subject, Samples)], what: &str, measure: impl Fn(&Subject, &mut Samples) -> Result) -> Result {
    for (subject, samples) in subjects {
        eprintln!("{what}: {}", subject.name());
        measure(subject, samples)?;
    }
    Ok(())
}
