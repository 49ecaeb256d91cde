//! The options that choose algorithms, `--algorithm` and `--length`, and their result, [`WantedAlgorithms`].
//!
//! A program with the name of a GNU tool accepts only that tool's names, in [`CKSUM_NAMES`], and has its messages. So names
//! are read by methods of [`ProgramName`], which knows the name of the program.

use std::ffi::{OsStr, OsString};

use jlanes::AlgorithmError;
use jlanes_files::Computation;

use super::{
    catalogue,
    tool::{ProgramName, Tool},
    usage::EarlyExit,
};
use crate::{
    hash::{
        ComputationName, Family,
        family::{FAMILIES, MAX_BITS, is_available},
    },
    report::quote,
};

/// The names that GNU's cksum accepts, with their descriptions in its help. SHA-2 by length has none:
/// only those who know these names need them.
pub(super) const CKSUM_NAMES: [(&str, Option<&str>); 14] = [
    ("bsd", Some("BSD's checksum, as with sum -r")),
    ("sysv", Some("System V's checksum, as with sum -s")),
    ("crc", Some("POSIX's checksum, the default")),
    ("crc32b", Some("Ethernet's checksum")),
    ("md5", Some("as with md5sum")),
    ("sha1", Some("as with sha1sum")),
    ("sha224", None),
    ("sha256", None),
    ("sha384", None),
    ("sha512", None),
    ("sha2", Some("SHA-2; --length says which")),
    ("sha3", Some("SHA-3; --length says which")),
    ("blake2b", Some("as with b2sum")),
    ("sm3", Some("SM3")),
];

/// The maximum length of a digest in bytes, so that it fits in memory.
const MAX_OUTPUT_BYTES: usize = 1 << 30;

#[derive(Debug, Default, clap::Args)]
pub(super) struct AlgorithmOptions {
    /// Digest to compute [default: sha256]. Takes a list with commas, and may be repeated
    #[arg(short, long = "algorithm", value_name = "SPEC", value_delimiter = ',')]
    pub(super) algorithm: Vec<OsString>,

    #[command(flatten)]
    pub(super) length: LengthOptions,
}

#[derive(Debug, Default, clap::Args)]
pub(super) struct LengthOptions {
    /// Digest length in bits, with --algorithm blake2b, sha2, or sha3
    #[arg(short, long, value_name = "BITS")]
    length: Option<OsString>,
}

/// The algorithms that the user asks for.
#[derive(Debug)]
pub(super) enum WantedAlgorithms {
    /// Named algorithms, in this order.
    Named(Vec<ComputationName>),
    /// A family, of which each line of a list has a member.
    Family(&'static Family),
    /// The algorithms that a list names.
    Listed,
}

impl WantedAlgorithms {
    /// The named algorithms; none if a list decides.
    pub(super) fn named(&self) -> &[ComputationName] {
        if let WantedAlgorithms::Named(named) = self { named } else { &[] }
    }
}

impl AlgorithmOptions {
    /// The algorithms that a program `called` so is asked for, to check `lists` or to print digests.
    pub(super) fn wanted(
        &self,
        called: &ProgramName,
        lists: bool,
    ) -> Result<WantedAlgorithms, EarlyExit> {
        if called.tool == Tool::Cksum {
            self.algorithm.iter().try_for_each(|spec| called.check(spec))?;
        }
        let given = match (called.tool, self.algorithm.split_last()) {
            (Tool::Cksum, Some((last, _))) => std::slice::from_ref(last),
            _ => &self.algorithm[..],
        };
        let default = OsString::from(&called.spec);
        let specs = if given.is_empty() { std::slice::from_ref(&default) } else { given };
        let families =
            specs.iter().map(|spec| called.family(spec)).collect::<Result<Vec<_>, _>>()?;
        let length = self.length.bits()?;
        if length.as_ref().is_some_and(|length| length.bits > 0)
            && families.iter().all(Option::is_none)
        {
            let message = "--length is only supported with --algorithm blake2b, sha2, or sha3";
            return Err(EarlyExit::value(message));
        }
        if let ([Some(family)], true) = (&families[..], lists) {
            length.as_ref().map_or(Ok(()), |length| length.check(family))?;
            // GNU's tools accept any length in a list
            if called.is_gnu_tool() || length.is_none() {
                return Ok(WantedAlgorithms::Family(family));
            }
        }
        if given.is_empty() && lists && matches!(called.tool, Tool::Jlanes | Tool::Cksum) {
            return Ok(WantedAlgorithms::Listed);
        }
        let one = |(spec, family): (&OsString, Option<&'static Family>)| match family {
            None => called.named(spec),
            Some(family) => member(family, length.as_ref()),
        };
        Ok(WantedAlgorithms::Named(specs.iter().zip(families).map(one).collect::<Result<_, _>>()?))
    }
}

impl ProgramName {
    /// The family with the name `spec`, if there is one.
    fn family(&self, spec: &OsStr) -> Result<Option<&'static Family>, EarlyExit> {
        let is_meant = |family: &&Family| match self.is_gnu_tool() {
            true => spec == family.name,
            false => spec.eq_ignore_ascii_case(family.name),
        };
        match FAMILIES.iter().find(is_meant) {
            Some(family) if !family.is_available() => Err(self.unknown(spec, None)),
            family => Ok(family),
        }
    }

    /// Refuses a name that GNU's cksum does not have, or that this build lacks.
    fn check(&self, spec: &OsStr) -> Result<(), EarlyExit> {
        match self.names().any(|name| spec == name) {
            true => Ok(()),
            false => Err(self.unknown(spec, None)),
        }
    }

    /// The algorithm with the name `spec`.
    pub(super) fn named(&self, spec: &OsStr) -> Result<ComputationName, EarlyExit> {
        let text = spec.to_str().ok_or_else(|| self.unknown(spec, None))?;
        let named = ComputationName::parse(text).map_err(|error| match error {
            AlgorithmError::Unknown => self.unknown(spec, None),
            error => self.unknown(spec, Some(&error.to_string())),
        })?;
        let plain = named.plain();
        if let Computation::Directory(_) = plain {
            return Err(self.unknown(spec, Some("it is of directories, and for --dirhash")));
        }
        debug_assert!(plain.algorithm().is_none_or(catalogue::has), "{plain} has no line of help");
        if plain.output_size() > MAX_OUTPUT_BYTES {
            return Err(self.unknown(spec, Some("the output is longer than a gibibyte")));
        }
        Ok(named)
    }

    /// The error for an unknown `spec`, with the closest correct name.
    fn unknown(&self, spec: &OsStr, why: Option<&str>) -> EarlyExit {
        let message = format!("invalid argument {} for '--algorithm'", quote::value(spec));
        if self.is_gnu_tool() {
            return EarlyExit::one_of(message, self.names());
        }
        match spec.to_str().and_then(catalogue::hint).or(why) {
            Some(why) => EarlyExit::usage(format!("{message}: {why}")),
            None => EarlyExit::usage(match spec.to_str().and_then(catalogue::nearest) {
                Some(name) => format!("{message}: unknown algorithm; did you mean '{name}'?"),
                None => format!("{message}: unknown algorithm; --help=all lists them"),
            }),
        }
    }

    /// The names of cksum that this build has.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        CKSUM_NAMES.iter().map(|(name, _)| *name).filter(|name| is_available(name))
    }
}

/// The member of `family` with this length.
fn member(
    family: &'static Family,
    length: Option<&DigestLength>,
) -> Result<ComputationName, EarlyExit> {
    let bits = match (length, family.lengths) {
        (None, Some(_)) => {
            return Err(EarlyExit::value(format!(
                "--algorithm={} requires specifying --length 224, 256, 384, or 512",
                family.name
            )));
        }
        (Some(length), _) => {
            length.check(family)?;
            if length.bits == 0 { MAX_BITS } else { length.bits }
        }
        (None, None) => MAX_BITS,
    };
    family
        .member(bits)
        .ok_or_else(|| EarlyExit::value(format!("there is no {} of {bits} bits here", family.tag)))
}

/// A length in bits, and its text on the command line.
struct DigestLength {
    bits: u64,
    text: String,
}

impl LengthOptions {
    /// The requested length of the digest, if any.
    fn bits(&self) -> Result<Option<DigestLength>, EarlyExit> {
        let Some(given) = &self.length else { return Ok(None) };
        let text = quote::value(given);
        let digits = given.to_str().map(|text| text.trim_ascii_start());
        let digits = digits.map(|text| text.strip_prefix('+').unwrap_or(text));
        match digits {
            Some(digits) if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) => {
                // a number too large for the type is too long for a digest, too
                let bits = digits.parse().unwrap_or(u64::MAX);
                Ok(Some(DigestLength { bits, text }))
            }
            _ => Err(EarlyExit::value(format!("invalid length: {text}"))),
        }
    }
}

impl DigestLength {
    /// Refuses a length that no member of `family` has. 0 means the usual length, if there is one.
    fn check(&self, family: &Family) -> Result<(), EarlyExit> {
        let why = match family.lengths {
            Some(lengths) if lengths.contains(&self.bits) => return Ok(()),
            Some(_) => {
                format!("digest length for '{}' must be 224, 256, 384, or 512", family.tag)
            }
            None if self.bits > MAX_BITS => {
                format!("maximum digest length for '{}' is {MAX_BITS} bits", family.tag)
            }
            None if !self.bits.is_multiple_of(8) => "length is not a multiple of 8".to_owned(),
            None => return Ok(()),
        };
        Err(EarlyExit::value(format!("invalid length: {}\n{why}", self.text)))
    }
}

/// Refuses checksums of which no lists are read.
pub(super) fn refuse_checksums(named: &[ComputationName]) -> Result<(), EarlyExit> {
    match named.iter().all(|named| named.plain().is_listed()) {
        true => Ok(()),
        false => {
            Err(EarlyExit::value("--check is not supported with --algorithm={bsd,sysv,crc,crc32b}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::{refused, refused_as};

    #[test]
    fn a_length_needs_an_algorithm_that_has_several() {
        let needed = "--algorithm=sha2 requires specifying --length 224, 256, 384, or 512";
        let unfit = "digest length for 'SHA2' must be 224, 256, 384, or 512";
        for (args, message) in [
            (&["-l", "x", "f"][..], "invalid length: 'x'".to_owned()),
            (&["-l", "-8", "f"], "invalid length: '-8'".to_owned()),
            (
                &["-l", "256", "f"],
                "--length is only supported with --algorithm blake2b, sha2, or sha3".to_owned(),
            ),
            (&["-a", "sha2", "f"], needed.to_owned()),
            (&["-a", "sha2", "-l", "0", "f"], format!("invalid length: '0'\n{unfit}")),
            (&["-a", "sha2", "-l", "1", "f"], format!("invalid length: '1'\n{unfit}")),
            (
                &["-a", "sha2", "-l", "99999999999999999999", "-c"],
                format!("invalid length: '99999999999999999999'\n{unfit}"),
            ),
        ] {
            assert_eq!(refused(args), message, "{args:?}");
        }
    }

    #[test]
    fn unknown_algorithms_are_refused_with_a_list_of_the_known() {
        let message = refused_as("cksum", &["-a", "nosuch", "f"]);
        let start = "invalid argument 'nosuch' for '--algorithm'\nValid arguments are:\n  - 'bsd'";
        assert!(message.starts_with(start), "{message}");
        assert!(message.contains("\n  - 'sha2'"), "{message}");
        // cksum has GNU's names only
        for name in ["SHA256", "skein512", "sha512-256", "", "sha25"] {
            assert!(refused_as("cksum", &["-a", name]).starts_with("invalid argument"), "{name}");
        }
    }

    #[test]
    fn incomplete_names_are_refused_with_the_missing_part() {
        assert_eq!(
            refused(&["-a", "s3-sha256:", "f"]),
            "invalid argument 's3-sha256:' for '--algorithm': the size of a part is missing, as in \
             s3-sha256:8388608"
        );
        assert_eq!(
            refused(&["-a", "s3-crc64nvme:8M", "f"]),
            "invalid argument 's3-crc64nvme:8M' for '--algorithm': S3 has crc64nvme of whole objects, \
             without a size of parts"
        );
        let message = refused(&["-a", "s3-sha256:x", "f"]);
        assert_eq!(message, "invalid argument 's3-sha256:x' for '--algorithm': not a number");
        for (spec, hint) in [
            ("sha257", "did you mean 'sha256'?"),
            ("shaa3-256", "did you mean 'sha3-256'?"),
            ("whirlpool", "--help=all lists them"),
        ] {
            let expected =
                format!("invalid argument '{spec}' for '--algorithm': unknown algorithm; {hint}");
            assert_eq!(refused(&["-a", spec, "f"]), expected);
        }
        // no control character reaches the terminal
        let message = refused(&["-a", "\u{1b}[31m", "f"]);
        assert!(message.starts_with("invalid argument '\\033[31m' for"), "{message}");
    }

    #[test]
    fn checksums_are_not_checked() {
        let message = "--check is not supported with --algorithm={bsd,sysv,crc,crc32b}";
        for name in ["crc", "crc32b", "bsd", "sysv"] {
            assert_eq!(refused(&["-c", "-a", name]), message);
            assert_eq!(refused_as("cksum", &["-c", "-a", name]), message);
            assert_eq!(refused(&["--audit=L", "-a", name]), message);
        }
    }
}
