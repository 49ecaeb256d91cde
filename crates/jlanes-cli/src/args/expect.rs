//! `--expect`: the digest that files must have.
//!
//! Any spelling of it is read, as pasted from a page or a list. If neither it nor `-a` names an algorithm, its
//! length does: the usual one of that length is a guess, so a mismatch gets a hint with the others. Without a
//! usual one, the user has to name it.

use std::{ffi::OsString, io, slice, sync::Arc};

use jlanes_files::{
    Computation,
    lists::{Entry, Fault, GnuParser, Guess, List, candidates, digest, spelling},
};

use super::{
    Args,
    algorithm::{WantedAlgorithms, refuse_checksums},
    digests, list_tasks,
    tool::ProgramName,
    usage::{EarlyExit, usage},
};
use crate::{
    hash::{ComputationName, GivenParameters},
    lists::AcceptedAlgorithms,
    report::quote,
    tasks::{Task, expect::Expect},
};

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Checking")]
pub(super) struct ExpectOptions {
    /// Compare each FILE with this digest, in any spelling: HEX, ALG:HEX, ALG-BASE64, or the line of a
    /// list. Without ALG and -a its length selects the algorithm
    #[arg(long, value_name = "DIGEST")]
    #[arg(conflicts_with_all = ["check", "audit", "update", "dedupe", "dirhash", "output", "format"])]
    #[arg(conflicts_with_all = ["recursive", "raw", "zero", "tag", "base64", "no_names"])]
    #[arg(conflicts_with_all = ["fsverity_format"])]
    pub(super) expect: Option<OsString>,
}

/// A digest and its algorithm.
type ExpectedDigest = (Computation, Vec<u8>);

/// An entry without a name. Any of its digests is accepted.
fn any_of(digests: Vec<ExpectedDigest>) -> Entry {
    let any_suffices = digests.len() > 1;
    Entry { name: Vec::new(), literal: None, digests, any_suffices, size: None }
}

/// Parser of the value of `--expect`.
pub(super) struct DigestReader<'a> {
    pub(super) args: &'a Args,
    pub(super) called: &'a ProgramName,
    pub(super) wanted: &'a WantedAlgorithms,
    pub(super) given: &'a Arc<GivenParameters>,
}

impl DigestReader<'_> {
    /// The digests in `text`. If the algorithm is a guess, a hint for files that do not match.
    pub(super) fn read(&self, text: &str) -> Result<(Entry, Option<String>), EarlyExit> {
        let text = &self.joined(text);
        let words: Vec<_> = text.split_ascii_whitespace().map(spelling::split).collect();
        // lines of one word have no names of files
        let are_digests = words.iter().all(|(name, _)| name.is_some())
            && text.lines().all(|line| line.split_ascii_whitespace().count() < 2);
        let is_list = text.starts_with('{')
            || text.contains(") =")
            || text.contains(")=")
            || (text.contains('\n') && !are_digests);
        match words.first() {
            _ if is_list => Ok((self.list(text)?, None)),
            // the name of a file may follow
            Some((Some(_), _)) => {
                let named = words.iter().map_while(|(name, digest)| Some(((*name)?, *digest)));
                let named: Vec<_> = named.collect();
                // in the lines of gpg and apt-get, the name of the file has the colon
                let is_digest = |(name, digest): &(&str, &str)| {
                    !digest.is_empty() && self.called.named(name.as_ref()).is_ok()
                };
                if !named.iter().any(is_digest)
                    && let Ok(entry) = self.list(text)
                {
                    return Ok((entry, None));
                }
                Self::refuse_more(text, named.len())?;
                Ok((any_of(self.named(named)?), None))
            }
            Some((None, digest)) => {
                let digest = spelling::normalized(digest);
                let bits = spelling::bits_of(digest.as_bytes());
                let is_line = words.len() > 1 && candidates(bits).next().is_none();
                match (is_line, self.wanted) {
                    (true, WantedAlgorithms::Listed) => Ok((self.list(text)?, None)),
                    _ => {
                        Self::refuse_more(text, 1).and_then(|()| self.digest_without_name(&digest))
                    }
                }
            }
            None => self.digest_without_name(""),
        }
    }

    /// Refuses digests behind the first `read` words, as they would not be compared. A file's name may follow, which
    /// may be the digest that was read, and have others as parts of a path.
    fn refuse_more(text: &str, read: usize) -> Result<(), EarlyExit> {
        let digests = |word: &str| -> Vec<_> {
            let places = spelling::digest_words(word.as_bytes());
            let places = places.filter(|at| !word[..at.start].ends_with('/'));
            places.map(|at| word[at].to_ascii_lowercase()).collect()
        };
        let mut words = text.split_ascii_whitespace();
        let known: Vec<_> = words.by_ref().take(read).flat_map(digests).collect();
        match words.find(|word| digests(word).iter().any(|digest| !known.contains(digest))) {
            Some(word) => {
                let what = "is no name of a file, and would not be compared";
                usage(format!("--expect: {} {what}", quote::value(word)))
            }
            None => Ok(()),
        }
    }

    /// `text` without the blank in lines like `SHA256: HEX`, which pages print.
    fn joined(&self, text: &str) -> String {
        let line = |line: &str| {
            let (name, rest) = line.split_once(':')?;
            let rest = rest.trim_ascii_start();
            let is_digest = spelling::digest_words(rest.as_bytes()).any(|at| at.start == 0);
            let is_named = is_digest && self.called.named(name.trim_ascii_start().as_ref()).is_ok();
            is_named.then(|| format!("{name}:{rest}"))
        };
        let lines = text.lines().map(|it| line(it).unwrap_or_else(|| it.to_owned()));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The lines of a list about one file, as one entry with the longest of their digests.
    fn list(&self, text: &str) -> Result<Entry, EarlyExit> {
        self.refuse_algorithm()?;
        let (wanted, given) = (WantedAlgorithms::Listed, Arc::clone(self.given));
        let accepted = list_tasks::accepted(self.args, self.called, wanted, given)?;
        let wrong = |what: &str| usage(format!("--expect: {} {what}", quote::value(text)));
        let none = || wrong("is neither a digest nor a line of a list");
        let (mut parser, mut all) = (GnuParser::new(accepted), None::<Entry>);
        let mut list = List::new(io::Cursor::new(text.to_owned())).expect("memory can be read");
        while let Ok(Some(line)) = list.next(&mut parser) {
            let entry = match line.entry {
                Ok(entry) => entry,
                Err(Fault::Refused(why)) => return usage(format!("--expect: {why}")),
                Err(Fault::Malformed) => return none(),
            };
            let Some(all) = &mut all else {
                all = Some(entry);
                continue;
            };
            let sizes = (all.size, entry.size);
            if entry.name != all.name {
                return wrong("is about several files");
            }
            if all.any_suffices
                || entry.any_suffices
                || matches!(sizes, (Some(a), Some(b)) if a != b)
            {
                return wrong("has lines that cannot be compared as one");
            }
            all.digests.extend(entry.digests);
            all.size = all.size.or(entry.size);
        }
        let Some(mut all) = all else { return none() };
        all.digests = spelling::longest_digests(all.digests);
        if all.digests.is_empty() { none() } else { Ok(all) }
    }

    /// The longest of several digests with names of algorithms. Unknown algorithms are skipped; if all
    /// are unknown, the first is the error.
    fn named(&self, words: Vec<(&str, &str)>) -> Result<Vec<ExpectedDigest>, EarlyExit> {
        self.refuse_algorithm()?;
        let known = |(name, _): &&(&str, &str)| self.called.named(name.as_ref()).is_ok();
        let mut known: Vec<_> = words.iter().filter(known).collect();
        if known.is_empty() {
            known.extend(words.first());
        }
        let digests = known.into_iter().map(|(name, digest)| {
            let named = self.called.named(name.as_ref())?;
            self.digest(&named, &spelling::normalized(digest))
        });
        Ok(spelling::longest_digests(digests.collect::<Result<_, _>>()?))
    }

    /// The digest in a text without the name of an algorithm.
    fn digest_without_name(&self, digest: &str) -> Result<(Entry, Option<String>), EarlyExit> {
        let named = self.algorithm(digest)?;
        let what = named.plain();
        let others = candidates(spelling::bits_of(digest.as_bytes()));
        let others: Vec<_> = others.filter(|name| *name != what.to_string()).collect();
        let is_guessed = matches!(self.wanted, WantedAlgorithms::Listed) && !others.is_empty();
        let hint = is_guessed.then(|| {
            let what = format!("the length says {what}, but it may also be");
            format!("{what} {}: ALG:HEX says which", others.join(", "))
        });
        Ok((any_of(vec![self.digest(&named, digest)?]), hint))
    }

    /// The algorithm of `digest`: by `-a`, or by its length.
    fn algorithm(&self, digest: &str) -> Result<ComputationName, EarlyExit> {
        let bits = spelling::bits_of(digest.as_bytes());
        match self.wanted {
            WantedAlgorithms::Named(named) => match &named[..] {
                [named] => Ok(named.clone()),
                _ => usage("--expect compares by one algorithm"),
            },
            WantedAlgorithms::Family(family) => family.member(bits).ok_or_else(|| {
                EarlyExit::value(format!("--expect: {} has no digests of {bits} bits", family.tag))
            }),
            WantedAlgorithms::Listed => {
                match Guess::new(bits, &[], |it| self.called.named(it.as_ref()).ok()) {
                    Guess::One(named) => Ok(named),
                    Guess::Several(names) => usage(format!(
                        "--expect: a digest of {bits} bits may be {}; say which, as in {}:{}...",
                        names.join(", "),
                        names[0],
                        digest.get(..8).unwrap_or_default(),
                    )),
                    Guess::Nothing => usage(format!(
                        "--expect: {} has no usual length; name its algorithm, as in sha256:HEX",
                        quote::value(digest)
                    )),
                }
            }
        }
    }

    fn digest(&self, named: &ComputationName, digest: &str) -> Result<ExpectedDigest, EarlyExit> {
        refuse_checksums(slice::from_ref(named))?;
        let computation = digests::computations(self.given, slice::from_ref(named))?.remove(0);
        match digest::parse(&computation, digest.as_bytes()) {
            Some(digest) => Ok((computation, digest)),
            None => usage(format!(
                "--expect: {} is no digest of {computation}, which has {} bits",
                quote::value(digest),
                computation.bits()
            )),
        }
    }

    /// Refuses `-a` for a digest with the name of its algorithm.
    fn refuse_algorithm(&self) -> Result<(), EarlyExit> {
        match self.wanted {
            WantedAlgorithms::Listed => Ok(()),
            _ => usage("--expect and --algorithm both name an algorithm"),
        }
    }
}

pub(super) fn expect_task(
    mut args: Args,
    called: &ProgramName,
    wanted: WantedAlgorithms,
    given: Arc<GivenParameters>,
) -> Result<Task, EarlyExit> {
    let text = args.expecting.expect.take().unwrap_or_default();
    let reader = DigestReader { args: &args, called, wanted: &wanted, given: &given };
    let (expected, hint) = reader.read(text.to_str().unwrap_or_default().trim_ascii())?;
    let shown = args.checking.verdict_options(called, &args.output);
    let mut accepted = list_tasks::accepted(&args, called, WantedAlgorithms::Listed, given)?;
    let computation = expected.digests[0].0.clone();
    // a guessed algorithm is one that the user has not asked for
    accepted.algorithms = match hint {
        Some(_) => AcceptedAlgorithms::Tagged { default: Some(computation), guess: false },
        None => AcceptedAlgorithms::Only(computation),
    };
    Ok(Task::Expect(Expect {
        rules: args.walking.rules(false, false)?,
        operands: args.walking.operands(args.files)?,
        expected,
        hint,
        ignore_missing: args.checking.ignores_missing(),
        accepted,
        shown,
    }))
}

#[cfg(test)]
mod tests {
    use crate::args::invocation::testing::{planned_as, refused};

    #[test]
    fn the_length_of_a_digest_names_the_algorithm_or_the_candidates() {
        let digest = |digits: usize| "0a".repeat(digits / 2);
        for digits in [32, 40, 56, 64, 96] {
            planned_as("jlanes-sum", &["--expect", &digest(digits), "f"]);
        }
        let message = refused(&["--expect", &digest(128), "f"]);
        assert!(
            message.starts_with("--expect: a digest of 512 bits may be blake2b, sha512"),
            "{message}"
        );
        let message = refused(&["--expect", "abcd", "f"]);
        assert!(message.contains("'abcd' has no usual length"), "{message}");
        for spec in ["sha512:", "SHA-512:", "b2sum:"] {
            let value = format!("{spec}{}", digest(128));
            if spec.starts_with('b') {
                assert!(refused(&["--expect", &value, "f"]).contains("'b2sum' for '--algorithm'"));
            } else {
                planned_as("jlanes-sum", &["--expect", &value, "f"]);
            }
        }
        planned_as("jlanes-sum", &["-a", "sha512", "--expect", &digest(128), "f"]);
        planned_as("jlanes-sum", &["-a", "sha3", "--expect", &digest(96), "f"]);
    }

    #[test]
    fn digests_that_cannot_be_compared_are_refused() {
        for (args, expected) in [
            (&["--expect", "sha256:00", "f"][..], "--expect: '00' is no digest of sha256"),
            (&["--expect", "sha256:0g", "f"], "--expect: '0g' is no digest of sha256"),
            (&["--expect", "sha1:00", "-a", "sha1", "f"], "--expect and --algorithm both name"),
            (&["--expect", "00", "-a", "sha1,md5", "f"], "--expect compares by one algorithm"),
            (&["--expect", "00", "-c", "f"], "--expect and --check are mutually exclusive"),
            (&["--expect", "00", "--expect", "01", "f"], "--expect may be given once"),
            (&["--expect", "00", "-r", "f"], "--expect and --recursive are mutually exclusive"),
            (&["--expect", "md5:", "f"], "--expect: '' is no digest of md5"),
            (&["--expect", "", "f"], "--expect: '' has no usual length"),
            (&["--expect", "SHA256 (f) = 00", "f"], "--expect: 'SHA256 (f) = 00' is neither a"),
            (&["--expect", "SHA256 (f) = 00", "-a", "md5", "f"], "--expect and --algorithm both"),
            (&["--expect", "sha999:00 tiger:00", "f"], "invalid argument 'sha999' for"),
        ] {
            let message = refused(args);
            assert!(message.starts_with(expected), "{args:?}: {message}");
        }
    }
}
