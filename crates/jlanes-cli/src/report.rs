//! What the user gets to see: results, messages, and how far the work has come.

pub(crate) mod json;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod quote;
mod voice;

pub(crate) use self::{
    output::{Destination, Output},
    voice::{AtLine, Notice, Voice, reason},
};
