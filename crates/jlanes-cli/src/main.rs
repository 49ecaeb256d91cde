//! `jlanes-sum`: prints and checks digests as GNU's `sha256sum` does, many files at once on SIMD
//! lanes.

#![deny(unsafe_code)] // but in `guard`

mod args;
mod files;
mod guard;
mod hash;
mod lists;
mod report;
mod system;
mod tasks;

use std::{env, io, process::ExitCode};

use crate::{
    args::{Plan, is_gnus},
    report::{Console, reason},
};

fn main() -> ExitCode {
    if run() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the program, and returns whether all went well.
fn run() -> bool {
    let argv: Vec<_> = env::args_os().collect();
    let mut console = Console::new(argv.first());
    if is_gnus(console.program()) {
        console = console.gnus();
    }
    let done = match Plan::new(argv, console.program()) {
        Ok(plan) => {
            plan.warnings.iter().for_each(|warning| console.say(warning.as_bytes()));
            plan.task.run(plan.manner, &console)
        }
        Err(misuse) => misuse.report(&console),
    };
    let done = done.and_then(|well| system::close_stdout().map(|()| well));
    let well = done.unwrap_or_else(|error| {
        // the reader closed the pipe and needs no message
        if error.kind() != io::ErrorKind::BrokenPipe {
            console.say(format!("write error: {}", reason(&error)).as_bytes());
        }
        false
    });
    let told = system::close_stderr().is_ok();
    well && told
}
