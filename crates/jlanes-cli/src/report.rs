//! What the user gets to see: results, messages, and how far the work has come.

mod console;
pub(crate) mod json;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod quote;
mod verdicts;

pub(crate) use self::{
    console::{AtLine, Console, Notice, reason},
    json::Details,
    output::{Destination, Output},
    verdicts::{Ended, Remark, Shown, Verdict, Verdicts, details, spelled},
};
