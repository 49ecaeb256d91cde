//! Output of the program: results, messages, and progress.

mod console;
pub(crate) mod json;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod quote;
mod verdicts;

pub(crate) use self::{
    console::{Console, LineError, Notice, reason},
    json::Details,
    output::{Destination, Output},
    verdicts::{ExitState, Remark, Verdict, VerdictOptions, Verdicts, details, digest_text},
};
