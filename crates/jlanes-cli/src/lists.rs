//! Lists of digests: their grammar, and reading them.

mod accepted;
mod armour;
pub(crate) mod checksum;
mod decode;
mod dialect;
mod guess;
pub(crate) mod line;
mod names;
mod open;
pub(crate) mod reader;
mod recognized;
pub(crate) mod text;
pub(crate) mod torrent;

pub(crate) use self::{
    accepted::{Accepted, Forms, Which},
    guess::{Guess, others},
    names::Names,
    reader::Listed,
    recognized::is_list,
};
