//! Lists of digests, as the program uses them: which lines are accepted, and which files they mean.
//! [`jlanes_files::lists`] has the formats.

mod accepted;
mod assumed_algorithms;
pub(crate) mod checksum;
mod names;
mod printed_list;
pub(crate) mod reader;

pub(crate) use self::{
    accepted::{AcceptedAlgorithms, AcceptedDigests, ListTools},
    assumed_algorithms::AssumedAlgorithms,
    names::NameRules,
    printed_list::is_list,
    reader::{Directories, ListItem},
};
