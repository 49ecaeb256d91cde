//! What the user gets to see: results, messages, and how far the work has come.

pub(crate) mod json;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod quote;
mod verdicts;
mod voice;

pub(crate) use self::{
    json::Details,
    output::{Destination, Output},
    verdicts::{Remark, Shown, Verdict, Verdicts},
    voice::{AtLine, Notice, Voice, reason},
};
