//! [`Meaning`], the meaning of a record, first with a [`SpelledFile`] as a dialect reads it, then with an [`Entry`]
//! that has the accepted digests.
//!
//! A dialect only splits text. Which tags are known, which digests are well-formed, and why others are refused is
//! decided here, once for all dialects.

use std::borrow::Cow;

use super::{Entry, Fault, GnuParser, TagRules};
use crate::Computation;

/// The meaning of a record: of one line, or of several that form an entry. A dialect returns [`SpelledFile`]s,
/// which become [`Entry`]s.
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning<F> {
    /// The digests of a file.
    File(F),
    /// The digests of several files, some of which may be unreadable.
    Files(Vec<Result<F, Fault>>),
    Structure,
    Comment,
    Malformed,
    Refused(String),
}

/// The most digests of an entry: one read of its file computes all, and some need megabytes.
const MAX_ENTRY_DIGESTS: usize = 16;

/// Bytes of a list, borrowed from it or decoded.
type Text<'l> = Cow<'l, [u8]>;

/// A file in a list, with digests as the list spells them.
#[derive(Clone, Debug, Default)]
pub(super) struct SpelledFile<'l> {
    pub(super) name: Vec<u8>,
    /// Digests, each with its tag if it has one.
    pub(super) digests: Vec<(Option<Text<'l>>, Text<'l>)>,
    pub(super) size: Option<u64>,
    /// A second name, exactly as the list spells it, for files that are called so.
    pub(super) literal: Option<Vec<u8>>,
    /// Whether a missing file is no failure.
    pub(super) is_optional: bool,
    /// The meaning of the line if no digest is accepted.
    pub(super) without_digest: WithoutDigest,
}

/// The meaning of a line without an accepted digest.
#[derive(Clone, Debug, Default)]
pub(super) enum WithoutDigest {
    #[default]
    Malformed,
    /// Structure: the user asked for other digests, and other lines may have them.
    Structure,
    /// An entry with a size, which can be compared.
    Entry,
    Refused(String),
}

impl<'l> Meaning<SpelledFile<'l>> {
    /// The meaning of a record with these files; structure if it has no file.
    pub(super) fn of(mut files: Vec<Result<SpelledFile<'l>, Fault>>) -> Self {
        match (files.pop(), files.is_empty()) {
            (None, _) => Self::Structure,
            (Some(Ok(file)), true) => Self::File(file),
            (Some(last), _) => {
                files.push(last);
                Self::Files(files)
            }
        }
    }

    /// Replaces files by entries with the digests that `parser` accepts.
    pub(super) fn accept_digests<T: TagRules>(self, parser: &mut GnuParser<T>) -> Meaning<Entry> {
        let one = |file: Result<SpelledFile<'_>, Fault>| match file?.accept_digests(parser) {
            Meaning::File(entry) => Ok(entry),
            Meaning::Refused(why) => Err(Fault::Refused(why)),
            _ => Err(Fault::Malformed),
        };
        match self {
            Self::File(file) => file.accept_digests(parser),
            Self::Files(files) => Meaning::Files(files.into_iter().map(one).collect()),
            Self::Structure => Meaning::Structure,
            Self::Comment => Meaning::Comment,
            Self::Malformed => Meaning::Malformed,
            Self::Refused(why) => Meaning::Refused(why),
        }
    }
}

impl<F> Meaning<F> {
    /// The files of the record.
    pub(super) fn files(&self) -> impl Iterator<Item = &F> {
        let (one, all) = match self {
            Self::File(file) => (Some(file), &[][..]),
            Self::Files(all) => (None, &all[..]),
            _ => (None, &[][..]),
        };
        one.into_iter().chain(all.iter().flatten())
    }
}

impl Meaning<Entry> {
    /// Whether the record is refused (`Some(true)`) or malformed (`Some(false)`); `None` if it is
    /// neither.
    pub(super) fn is_refused(&self) -> Option<bool> {
        match self {
            Self::Malformed => Some(false),
            Self::Refused(_) => Some(true),
            Self::Files(all) if all.iter().all(Result::is_err) => {
                all.first().map(|first| matches!(first, Err(Fault::Refused(_))))
            }
            Self::File(_) | Self::Files(_) | Self::Structure | Self::Comment => None,
        }
    }

    /// Whether an entry of this record has a digest of `other`.
    pub(super) fn has(&self, other: &Entry) -> bool {
        let is_other = |digest: &[u8]| other.digests.iter().any(|(_, other)| *other == digest);
        self.files().any(|entry| entry.digests.iter().any(|(_, digest)| is_other(digest)))
    }

    /// The meaning of a line with `entry`, which `tags` may refuse.
    pub(super) fn entry<T: TagRules>(entry: Entry, tags: &T) -> Self {
        tags.entry_refusal(&entry).map_or(Self::File(entry), Self::Refused)
    }
}

impl<'l> SpelledFile<'l> {
    /// A file with one digest.
    pub(super) fn new(
        name: Vec<u8>,
        tag: impl Into<Text<'l>>,
        digest: impl Into<Text<'l>>,
    ) -> Self {
        Self { name, digests: vec![(Some(tag.into()), digest.into())], ..Self::default() }
    }

    /// The entry with the digests that `parser` accepts.
    fn accept_digests<T: TagRules>(self, parser: &mut GnuParser<T>) -> Meaning<Entry> {
        if self.name.is_empty() || self.name.contains(&0) {
            return Meaning::Malformed;
        }
        let digests = match self.digests(parser) {
            Some(digests) if digests.len() > MAX_ENTRY_DIGESTS => {
                return Meaning::Refused(format!(
                    "more than {MAX_ENTRY_DIGESTS} digests of one file"
                ));
            }
            Some(digests) if !digests.is_empty() => digests,
            none => match self.without(none.is_some(), parser) {
                Some(meaning) => return meaning,
                None => Vec::new(),
            },
        };
        let Self { name, literal, size, .. } = self;
        let entry = Entry { name, literal, digests, any_suffices: false, size };
        Meaning::entry(entry, parser.tags())
    }

    /// The digests with known tags; `None` if one of them is malformed.
    fn digests<T: TagRules>(
        &self,
        parser: &mut GnuParser<T>,
    ) -> Option<Vec<(Computation, Vec<u8>)>> {
        let digest = |(tag, text): &(Option<Text<'_>>, Text<'_>)| {
            let computation = match tag {
                Some(tag) => parser.computation(tag),
                None => parser.untagged(text),
            }?;
            Some(parser.tags().digest(&computation, text).map(|digest| (computation, digest)))
        };
        self.digests.iter().filter_map(digest).collect()
    }

    /// The meaning of a file without an accepted digest; `None` if its size makes it an entry. If it
    /// `is_readable`, all digests with known tags are well-formed.
    fn without<T: TagRules>(
        &self,
        is_readable: bool,
        parser: &GnuParser<T>,
    ) -> Option<Meaning<Entry>> {
        let refusal = || {
            let mut tagged = self.digests.iter().filter_map(|(tag, _)| tag.as_ref());
            tagged.find_map(|tag| parser.tags().tag_refusal(&parser.canonical_tag(tag)))
        };
        // a parser that refuses nothing separates refused digests from malformed ones
        let lenient = || {
            let digests = self.digests(&mut parser.lenient()?)?;
            parser.tags().computation_refusal(&digests.first()?.0)
        };
        Some(match (&self.without_digest, is_readable) {
            (WithoutDigest::Refused(_), false) => {
                Meaning::Refused("a digest that cannot be read".to_owned())
            }
            (_, false) => lenient().map_or(Meaning::Malformed, Meaning::Refused),
            (without_digest, true) => match (refusal(), without_digest) {
                (Some(why), _) => Meaning::Refused(why),
                (None, WithoutDigest::Malformed) => {
                    lenient().map_or(Meaning::Malformed, Meaning::Refused)
                }
                (None, WithoutDigest::Structure) => Meaning::Structure,
                (None, WithoutDigest::Refused(why)) => Meaning::Refused(why.clone()),
                (None, WithoutDigest::Entry) => return None,
            },
        })
    }
}
