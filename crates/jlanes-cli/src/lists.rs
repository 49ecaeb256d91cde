//! Lists of digests, as the program uses them: which lines are accepted, and which files they mean.
//! [`jlanes_files::lists`] has the formats.

mod accepted;
pub(crate) mod checksum;
mod names;
pub(crate) mod reader;
mod printed_list;
mod assumed_algorithms;

pub(crate) use self::{
    accepted::{AcceptedDigests, ListTools, AcceptedAlgorithms},
    names::NameRules,
    reader::{Directories, ListItem},
    printed_list::is_list,
    assumed_algorithms::AssumedAlgorithms,
};
