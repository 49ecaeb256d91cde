//! Lists of digests, as the program uses them: which lines are accepted, and which files they mean.
//! [`jlanes_files::lists`] has the formats.

mod accepted;
pub(crate) mod checksum;
mod names;
pub(crate) mod reader;
mod recognized;
mod untagged;

pub(crate) use self::{
    accepted::{Accepted, Forms, Which},
    names::Names,
    reader::{Directories, Listed},
    recognized::is_list,
    untagged::Untagged,
};
