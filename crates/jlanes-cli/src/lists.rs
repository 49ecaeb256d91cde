//! Lists of digests: their grammar, and reading them.

mod accepted;
mod dialect;
pub(crate) mod line;
pub(crate) mod reader;

pub(crate) use self::{
    accepted::{Accepted, Which},
    reader::Listed,
};
