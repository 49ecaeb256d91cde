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

use std::{env, ffi::OsString, io, process::ExitCode};

use crate::{
    args::{Invocation, is_gnu_program},
    report::{Console, ExitState, reason},
};

fn main() -> ExitCode {
    let argv: Vec<_> = env::args_os().collect();
    // a guess from the text, for command lines that do not parse
    let mut has_detailed_exit = argv.iter().any(|arg| {
        let graded = [&b"--au"[..], b"--up", b"--det"];
        graded.iter().any(|option| arg.as_encoded_bytes().starts_with(option))
    });
    match run(argv, &mut has_detailed_exit) {
        ExitState::Good => ExitCode::SUCCESS,
        ExitState::Failed if has_detailed_exit => ExitCode::from(2),
        ExitState::Differs | ExitState::Failed => ExitCode::FAILURE,
    }
}

/// Runs the program. Sets `has_detailed_exit` if the exit status separates mismatches from failures.
fn run(argv: Vec<OsString>, has_detailed_exit: &mut bool) -> ExitState {
    let mut console = Console::new(argv.first());
    if is_gnu_program(console.program()) {
        console = console.like_gnu();
    }
    let done = match Invocation::new(argv, console.program()) {
        Ok(invocation) => {
            *has_detailed_exit = invocation.has_detailed_exit;
            invocation.warnings.iter().for_each(|warning| console.say(warning));
            invocation.task.run(invocation.options, &console)
        }
        Err(early_exit) => {
            *has_detailed_exit &= !is_gnu_program(console.program());
            early_exit.report(&console)
        }
    };
    let done = done.and_then(|ended| system::close_stdout().map(|()| ended));
    let ended = done.unwrap_or_else(|error| {
        // the reader has closed the pipe and needs no message
        if error.kind() != io::ErrorKind::BrokenPipe {
            console.say(format!("write error: {}", reason(&error)));
        }
        ExitState::Failed
    });
    ended.max(ExitState::from(system::close_stderr().is_ok()))
}
