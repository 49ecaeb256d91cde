//! [`AcceptedDigests`], the digests that are accepted in lists, by the options and by the name the program was called by.
//!
//! The parsers of `jlanes_files` ask it through [`TagRules`] about every tag and every digest without one, so they know
//! no options.

use std::sync::Arc;

use jlanes::{Algorithm, algorithm::Strength};
use jlanes_files::{
    Computation, DirHash,
    lists::{
        Entry, Fault, Guess, MAX_LINE_BYTES, TagRules, algorithm_in_list_name, candidates, digest,
        from_base64,
        spelling::{bits_of, is_hex},
        untrusted_refusal,
    },
};

use super::{NameRules, assumed_algorithms::AssumedAlgorithms, printed_list::is_of_s3};
use crate::hash::{ComputationName, Family, GivenParameters, family::SHA2};

/// The digests that a list may have.
#[derive(Clone, Debug)]
pub(crate) struct AcceptedDigests {
    pub(crate) algorithms: AcceptedAlgorithms,
    pub(crate) tools: ListTools,
    /// The key and other parameters that tags do not contain.
    pub(crate) given: Arc<GivenParameters>,
    /// The minimum number of bits of a digest.
    pub(crate) least_bits: u64,
    /// Whether checksums are accepted, although they have fewer bits.
    pub(crate) checksums: bool,
    /// The rules for names: how they become paths, and which are refused.
    pub(crate) names: NameRules,
    /// The name of the current list, without directories.
    pub(crate) list: Vec<u8>,
    /// The algorithms assumed for digests without a tag, if mismatches mention them.
    pub(crate) assumed: Option<AssumedAlgorithms>,
}

/// The algorithms that are accepted, and the choice for a digest without a tag.
#[derive(Clone, Debug)]
pub(crate) enum AcceptedAlgorithms {
    /// Any, by its tag. For a line without a tag, the list's name decides, or else it is `default`;
    /// with `guess`, the length of the digest may select another.
    Tagged { default: Option<Computation>, guess: bool },
    /// One, with or without its tag.
    Only(Computation),
    /// Several, by tags, or in this order in columns without tags.
    Columns(Vec<Computation>),
    /// A family. For a digest without a tag, the length selects the member.
    Family(&'static Family),
}

/// The tags of GNU's cksum, without lengths.
const CKSUM_TAGS: [&str; 10] =
    ["MD5", "SHA1", "SHA224", "SHA256", "SHA384", "SHA512", "SHA2", "SHA3", "BLAKE2b", "SM3"];

/// The tools that may have written a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ListTools {
    /// `sha256sum` and similar tools.
    Sum,
    /// Also cksum, with digests in base64.
    Cksum,
    /// All tools: also OpenSSL, fsverity, hashdeep, mtree and so on, with algorithms that GNU's tools lack.
    All,
}

impl AcceptedDigests {
    /// The tag in the message about a malformed line: the one for lines without a tag, if known, else
    /// `tagged`, the last one in the list, else cksum's default.
    pub(crate) fn tag(&self, tagged: Option<&[u8]>) -> String {
        match &self.algorithms {
            AcceptedAlgorithms::Tagged { default: Some(computation), .. }
            | AcceptedAlgorithms::Only(computation) => computation.tag(),
            AcceptedAlgorithms::Tagged { default: None, .. } => match tagged {
                // without the length, as in GNU's cksum
                Some(tag) => gnu_tag(tag).map_or(tag.escape_ascii().to_string(), str::to_owned),
                None => "CRC".to_owned(),
            },
            AcceptedAlgorithms::Columns(computations) => computations[0].tag(),
            AcceptedAlgorithms::Family(family) => family.tag.to_owned(),
        }
    }

    /// The computation of a name, if it is accepted.
    fn admit(&self, named: &ComputationName) -> Option<Computation> {
        let computation = named.computation(&self.given).ok()?;
        let wanted = match &self.algorithms {
            AcceptedAlgorithms::Tagged { .. } => true,
            AcceptedAlgorithms::Only(only) => *only == computation,
            AcceptedAlgorithms::Columns(computations) => computations.contains(&computation),
            AcceptedAlgorithms::Family(family) => family.has(&computation),
        };
        (wanted && self.has_enough(&computation)).then_some(computation)
    }

    /// Whether digests of `computation` have enough bits.
    fn has_enough(&self, computation: &Computation) -> bool {
        computation.bits() >= self.least_bits
            || (self.checksums && computation.strength() == Strength::Checksum)
    }

    /// The name that a tag means.
    fn named(&self, tag: &[u8]) -> Option<ComputationName> {
        if self.tools != ListTools::All && gnu_tag(tag).is_none() {
            return None;
        }
        let tag = str::from_utf8(tag).ok()?;
        let hash = tag.strip_prefix("HMAC-").unwrap_or(tag);
        let is_taken = match (hash.strip_prefix("SHA2-"), self.tools) {
            (None, _) | (_, ListTools::All) => true,
            (_, ListTools::Sum) => false,
            (_, ListTools::Cksum) if matches!(self.algorithms, AcceptedAlgorithms::Only(_)) => {
                false
            }
            (Some(bits), ListTools::Cksum) => {
                bits.parse().is_ok_and(|bits| SHA2.member(bits).is_some())
            }
        };
        ComputationName::parse(tag).ok().filter(|named| is_taken && named.plain().is_listed())
    }

    /// The algorithm of a digest without a tag.
    fn guess(&self, digest: &[u8]) -> Guess<ComputationName> {
        Guess::new(bits_of(digest), &self.list, listed)
    }

    /// The algorithm in the name of the list at `path`, for digests of `bits` bits.
    pub(crate) fn by_list_name(path: &[u8], bits: u64) -> Option<Computation> {
        named_by_list(base_name(path), bits).map(|(_, named)| named.plain().clone())
    }

    /// The entry in `line` of the list at `path`, a digest without a file name. The list's name without
    /// its extension is the file's: `f.iso` for `f.iso.sha256`.
    ///
    /// # Errors
    /// If the digest is refused or malformed.
    pub(crate) fn nameless_entry(&self, line: &[u8], path: &[u8]) -> Result<Entry, Fault> {
        let entry = self.only_digest(line, path).ok_or(Fault::Malformed)?;
        self.entry_refusal(&entry).map_or(Ok(entry), |why| Err(Fault::Refused(why)))
    }

    fn only_digest(&self, line: &[u8], path: &[u8]) -> Option<Entry> {
        let text = line.trim_ascii();
        if self.tools != ListTools::All || text.iter().any(u8::is_ascii_whitespace) {
            return None;
        }
        let (name, _) =
            named_by_list(&self.list, bits_of(text)).filter(|(file, _)| !file.is_empty())?;
        let computation = self.untagged(text)?;
        let digest = self.digest(&computation, text)?;
        let dir = match &self.names.base {
            None => path.strip_suffix(&self.list[..])?,
            Some(_) => &[],
        };
        let (name, digests) = ([dir, name].concat(), vec![(computation, digest)]);
        Some(Entry { name, literal: None, digests, any_suffices: false, size: None })
    }

    /// A hint for lines like `line`: a digest without a tag that may be of several algorithms, or a document of S3.
    pub(crate) fn line_hint(&self, line: &[u8]) -> Option<String> {
        if self.tools == ListTools::All && is_of_s3(line) {
            let what = "it is no list, but JSON about an object of S3";
            return Some(format!("{what}; --expect-json compares a file with it"));
        }
        let AcceptedAlgorithms::Tagged { guess: true, .. } = self.algorithms else { return None };
        let digest = line.trim_ascii_start().split(|byte| byte.is_ascii_whitespace()).next()?;
        let parts = str::from_utf8(digest).ok().and_then(|text| text.rsplit_once('-'));
        // a tag may end with a number, too
        let is_digest = |text: &str| {
            let is_long = |bytes: Vec<u8>| bytes.len() >= 16;
            hex::decode(text).ok().or_else(|| from_base64(text.as_bytes())).is_some_and(is_long)
        };
        if parts.is_some_and(|(digest, parts)| is_digest(digest) && parts.parse::<u64>().is_ok()) {
            let what = "digests with a number of parts do not say how long parts are";
            return Some(format!("{what}; -a does, as in s3-sha256:8M or etag:8M"));
        }
        let bits = bits_of(digest);
        match self.guess(digest) {
            Guess::Several(names) => {
                Some(format!("digests of {bits} bits may be {}; -a says which", names.join(", ")))
            }
            Guess::One(named)
                if named.plain().bits() != bits && candidates(bits).next().is_some() =>
            {
                let what = named.plain();
                let says = format!("the list's name says {what}, which has {} bits", what.bits());
                Some(format!("{says}, and digests have {bits}; -a says which they are"))
            }
            Guess::One(_) | Guess::Nothing => None,
        }
    }

    /// Hints for files in the list at `path` that do not match by the algorithms `failed`: how these
    /// were chosen, if not by a tag.
    pub(crate) fn mismatch_hints(&self, path: &[u8], failed: &[Computation]) -> Vec<String> {
        let name = base_name(path);
        let chosen = self.assumed.as_ref().map_or_else(Vec::new, |all| all.take(name));
        let say = |computation: &Computation| {
            let by_name = Self::by_list_name(name, computation.bits());
            let why = match (
                &self.algorithms,
                by_name.as_ref().filter(|by_name| **by_name != computation.plain()),
            ) {
                (AcceptedAlgorithms::Only(_), Some(by_name)) => {
                    format!("as -a says; the list's name says {}", by_name.tag())
                }
                // the user has chosen it
                (AcceptedAlgorithms::Only(_), None) => return None,
                (_, None) if by_name.is_some() => "as the list's name says".to_owned(),
                _ => "as their length suggests".to_owned(),
            };
            Some(format!("digests without a tag were compared with {}, {why}", computation.tag()))
        };
        chosen.iter().filter(|it| failed.contains(it)).filter_map(say).collect()
    }

    /// Whether a list may have chosen a weak algorithm without the user's knowledge. GNU's tools do not
    /// report that.
    pub(crate) fn may_be_weak(&self) -> bool {
        self.tools == ListTools::All && !matches!(self.algorithms, AcceptedAlgorithms::Only(_))
    }

    /// The maximum length of a line.
    pub(super) fn max_line_bytes(&self) -> usize {
        match self.names.beneath {
            Some(_) => MAX_LINE_BYTES / 16,
            None => MAX_LINE_BYTES,
        }
    }

    /// Whether there is a key.
    fn is_keyed(&self) -> bool {
        self.given.key.is_some()
    }

    /// The algorithm of a digest without a tag.
    fn chosen(&self, digest: &[u8]) -> Option<Computation> {
        if self.tools == ListTools::All && is_h1(digest) {
            return self.admit(&ComputationName::from(Computation::Directory(DirHash::H1)));
        }
        match &self.algorithms {
            AcceptedAlgorithms::Tagged { default, guess: true } => match self.guess(digest) {
                Guess::One(named) => self.admit(&named),
                Guess::Several(_) => None,
                Guess::Nothing => default.clone(),
            },
            AcceptedAlgorithms::Tagged { default, guess: false } => {
                let list =
                    Some(&self.list).filter(|_| self.tools == ListTools::All && !self.is_keyed());
                match list.and_then(|list| named_by_list(list, bits_of(digest))) {
                    Some((_, named)) => self.admit(&named),
                    None => default.clone(),
                }
            }
            AcceptedAlgorithms::Only(computation) => Some(computation.clone()),
            AcceptedAlgorithms::Columns(_) => None,
            AcceptedAlgorithms::Family(family) => {
                let bits = bits_of(digest);
                // a tag such as SHA1 may also be base64
                let is_told = bits >= 128 || gnu_tag(digest).is_none();
                let is_digest = is_hex(digest) || (self.tools != ListTools::Sum && is_told);
                self.admit(&family.member(bits).filter(|_| is_digest)?)
            }
        }
    }
}

impl TagRules for AcceptedDigests {
    fn tagged(&self, tag: &[u8]) -> Option<Computation> {
        let named = self.named(tag)?;
        if !named.fits_key(self.given.key.as_ref()) {
            return None;
        }
        self.admit(&named)
    }

    fn untagged(&self, digest: &[u8]) -> Option<Computation> {
        let computation = self.chosen(digest)?;
        if let (Some(all), false) = (&self.assumed, is_h1(digest)) {
            all.record(&self.list, &computation);
        }
        Some(computation)
    }

    fn list(&self) -> &[u8] {
        &self.list
    }

    fn columns(&self) -> Vec<String> {
        match &self.algorithms {
            AcceptedAlgorithms::Columns(computations) => {
                computations.iter().map(Computation::tag).collect()
            }
            _ => Vec::new(),
        }
    }

    fn prefixed(&self, hash: &[u8]) -> Vec<Computation> {
        // only for lists without a key
        if self.tools != ListTools::All || self.given.key.is_some() {
            return Vec::new();
        }
        // only fs-verity has these parameters
        let is_fsverity = "fsverity-sha256".parse().is_ok_and(|it| self.given.has_value_of(it));
        let names: &[&str] = match hash {
            b"sha1" => &["sha1"],
            b"sha256" if is_fsverity => &["fsverity-sha256"],
            b"sha512" if is_fsverity => &["fsverity-sha512"],
            b"sha256" => &["sha256", "fsverity-sha256"],
            b"sha384" => &["sha384"],
            b"sha512" => &["sha512", "fsverity-sha512"],
            _ => &[],
        };
        names.iter().filter_map(|name| self.admit(&ComputationName::parse(name).ok()?)).collect()
    }

    /// The answer depends on the name in the tag: the writer of a list must not choose whether a key is
    /// used, nor choose digests that can be guessed.
    fn tag_refusal(&self, tag: &[u8]) -> Option<String> {
        if self.tools != ListTools::All {
            return None;
        }
        let named = self.named(tag)?;
        let tag = tag.escape_ascii();
        match (named.fits_key(None), &self.given.key) {
            (false, None) => return Some(format!("{tag} needs a key")),
            (true, Some(_)) => return Some(format!("{tag} has no key, and one was given")),
            (false, key) if !named.fits_key(key.as_ref()) => {
                return Some(format!("{tag} needs another key than was given"));
            }
            _ => {}
        }
        let (bits, least) = (named.plain().bits(), self.least_bits);
        (!self.has_enough(named.plain()))
            .then(|| format!("{tag} has {bits} bits, and {least} are the least"))
    }

    fn computation_refusal(&self, computation: &Computation) -> Option<String> {
        self.tag_refusal(computation.tag().as_bytes())
    }

    fn entry_refusal(&self, entry: &Entry) -> Option<String> {
        if entry.digests.is_empty() && self.is_keyed() {
            return Some("a size has no key, and one was given".to_owned());
        }
        self.names.beneath.as_ref()?;
        // the digest of a directory makes the checker read files that the list does not name
        if entry.digests.iter().any(|(it, _)| matches!(it, Computation::Directory(_))) {
            return Some("a digest of a directory".to_owned());
        }
        untrusted_refusal(entry)
    }

    fn lenient(&self) -> Option<Self> {
        if self.tools != ListTools::All || (self.least_bits == 0 && !self.is_keyed()) {
            return None;
        }
        let mut given = (*self.given).clone();
        given.key = None;
        let algorithms =
            AcceptedAlgorithms::Tagged { default: Some(Algorithm::SHA256.into()), guess: true };
        Some(Self { algorithms, given: Arc::new(given), least_bits: 0, ..self.clone() })
    }

    fn digest(&self, computation: &Computation, text: &[u8]) -> Option<Vec<u8>> {
        let fits = self.tools != ListTools::Sum || is_hex(text);
        fits.then(|| digest::parse(computation, text))?
    }
}

/// The algorithm `name`, if lists may have it without a key.
fn listed(name: &str) -> Option<ComputationName> {
    ComputationName::parse(name)
        .ok()
        .filter(|named| named.plain().is_listed() && named.fits_key(None))
}

/// Whether `digest` has the prefix of Go's digests.
fn is_h1(digest: &[u8]) -> bool {
    digest.starts_with(digest::H1.as_bytes())
}

/// The last part of a path.
fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

/// [`algorithm_in_list_name`] for names of this crate.
fn named_by_list(list: &[u8], bits: u64) -> Option<(&[u8], ComputationName)> {
    algorithm_in_list_name(list, bits, listed)
}

/// The tag of GNU's cksum for `tag`, without the length.
fn gnu_tag(tag: &[u8]) -> Option<&'static str> {
    let base = tag.split(|byte| *byte == b'-').next()?;
    CKSUM_TAGS.into_iter().find(|known| known.as_bytes() == base)
}
