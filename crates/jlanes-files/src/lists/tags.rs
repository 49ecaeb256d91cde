//! Entries of lists, and the digests that are accepted in them.

/// The digests that a list may have.
pub trait Tags {
    /// An algorithm with its parameters.
    type Scheme: Clone;

    /// The scheme of a tagged line; `None` if it is unknown or refused.
    fn tagged(&self, tag: &[u8]) -> Option<Self::Scheme>;

    /// The scheme of a digest without a tag; `None` if it is unknown or refused.
    fn untagged(&self, digest: &[u8]) -> Option<Self::Scheme>;

    /// The schemes that a line of the form `HASH:DIGEST NAME` may mean, the likeliest first. Container
    /// registries write the file's digest in this form, and fsverity its own.
    fn prefixed(&self, hash: &[u8]) -> Vec<Self::Scheme>;

    /// The name of the file with the list, which tells some formats.
    fn list(&self) -> &[u8] {
        b""
    }

    /// The tags of digests that stand in columns without a title, if there are several.
    fn columns(&self) -> Vec<String> {
        Vec::new()
    }

    /// Decodes a digest.
    fn digest(&self, scheme: &Self::Scheme, text: &[u8]) -> Option<Vec<u8>>;

    /// Why digests with this tag are refused, if the tag is known.
    fn refusal(&self, _: &[u8]) -> Option<String> {
        None
    }

    /// Why digests of this scheme are refused.
    fn refusal_of(&self, _: &Self::Scheme) -> Option<String> {
        None
    }

    /// Why an entry of accepted digests is refused.
    fn refusal_of_entry(&self, _: &Entry<Self::Scheme>) -> Option<String> {
        None
    }

    /// Tags that refuse nothing, if these do: they tell refused lines from malformed ones.
    fn lenient(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// Why a line has no entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It has no known form.
    Malformed,
    /// It is understood, and refused for this reason.
    Refused(String),
}

/// The digests of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<S> {
    /// The file's name. It has no NUL.
    pub name: Vec<u8>,
    /// Another name that the file may have, if there is none of this name: writers of BagIt differ.
    pub literal: Option<Vec<u8>>,
    /// Digests of different schemes; none if the list has only the size.
    pub digests: Vec<(S, Vec<u8>)>,
    /// Whether the line does not tell which digest it means, so that one match is enough.
    pub either: bool,
    /// The size of the file in bytes, if the list has it.
    pub size: Option<u64>,
}
