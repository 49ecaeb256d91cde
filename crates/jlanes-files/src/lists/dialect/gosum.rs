//! `go.sum`, the checksums of Go's modules.
//!
//! ```text
//! entry = module " " version " h1:" base64      ; all files of a module
//!       / module " " version "/go.mod h1:" base64 ; its go.mod alone
//! ```

use super::{KnownDialect, SpelledFile, file_per_line, words};
use crate::lists::meaning::WithoutDigest;

/// A tag of its own: these digests are of file names that begin with the module, unlike other H1
/// digests.
const TAG: &[u8] = b"GO-MODULE";
const WHY: &str = "a digest of a module of Go, which `go mod verify` compares";

pub(super) const DIALECT: KnownDialect = KnownDialect {
    opens: |line, _| file_per_line(line, parse_entry),
    #[cfg(test)]
    sample: "f v1 h1:ISWOrikTyfChX85Ve0ZzRGkO25F3bzfk0x1uo6x4jqw=\n\
             g v1/go.mod h1:Bpbho4dAbYcYZkjya+kV3Rb0CjudrzSI/YBt9Inzkxk=\n",
};

fn parse_entry(line: &[u8]) -> Option<SpelledFile<'_>> {
    let words: Vec<_> = words(line).collect();
    let [module, version, digest] = words[..] else { return None };
    let name = [module, b"@", version].concat();
    let without_digest = WithoutDigest::Refused(WHY.to_owned());
    digest
        .starts_with(b"h1:")
        .then(|| SpelledFile { without_digest, ..SpelledFile::new(name, TAG, digest) })
}
