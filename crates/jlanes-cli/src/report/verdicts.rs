//! Verdicts on files, and how many there were of each kind.

use std::io;

use super::{Output, Voice, json};
use crate::hash::Scheme;

/// What became of a file that a list names, or that none names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Ok,
    Failed,
    Unreadable,
    Changed,
    Moved,
    New,
    Missing,
}

/// The words for them, and what tells them from others on a terminal.
const WORDS: [(Verdict, &str, Colour); 7] = [
    (Verdict::Ok, "OK", Colour::None),
    (Verdict::Failed, "FAILED", Colour::Red),
    (Verdict::Unreadable, "FAILED open or read", Colour::Red),
    (Verdict::Changed, "CHANGED", Colour::Red),
    (Verdict::Moved, "MOVED", Colour::Yellow),
    (Verdict::New, "NEW", Colour::Yellow),
    (Verdict::Missing, "MISSING", Colour::Red),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    None,
    Red,
    Yellow,
}

impl Colour {
    /// What terminals understand.
    fn begin(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Red => "\x1b[1;31m",
            Self::Yellow => "\x1b[33m",
        }
    }
}

impl Verdict {
    fn word(self) -> &'static str {
        WORDS[self as usize].1
    }
}

/// How verdicts are shown.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Shown {
    /// Not where all is well.
    pub(crate) quiet: bool,
    /// Not at all.
    pub(crate) status: bool,
    pub(crate) json: bool,
    pub(crate) colour: bool,
    /// How many there were of each kind, at the end.
    pub(crate) summary: bool,
}

/// What else is known of a file; only JSON tells it.
#[derive(Default)]
pub(crate) struct Details<'d> {
    pub(crate) algorithm: Option<String>,
    /// Digests as text.
    pub(crate) expected: Option<String>,
    pub(crate) found: Option<String>,
    pub(crate) error: Option<&'d io::Error>,
    /// Whether the algorithm is broken.
    pub(crate) broken: bool,
}

/// What a verdict says besides its word, in text too.
#[derive(Clone, Copy)]
pub(crate) enum Remark<'r> {
    None,
    /// The former name of the file.
    From(&'r [u8]),
    /// The algorithm, where a list leaves it open.
    By(&'r Scheme),
}

/// Verdicts on their way to standard output.
pub(crate) struct Verdicts<'v> {
    voice: &'v Voice,
    shown: Shown,
    output: Output,
    /// Verdicts of each kind.
    counts: [u64; WORDS.len()],
    /// Lines of lists that were malformed.
    malformed: u64,
    /// Files that match by hashes alone that are broken.
    doubtful: u64,
}

impl<'v> Verdicts<'v> {
    pub(crate) fn new(voice: &'v Voice, shown: Shown) -> Self {
        let output = Output::default();
        Self { voice, shown, output, counts: [0; WORDS.len()], malformed: 0, doubtful: 0 }
    }

    /// Tells of the file `name`, in JSON with `details`.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn tell<'d>(
        &mut self,
        verdict: Verdict,
        name: &[u8],
        details: impl FnOnce() -> Details<'d>,
    ) -> io::Result<()> {
        self.remark(verdict, name, Remark::None, details)
    }

    /// The same with a remark.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn remark<'d>(
        &mut self,
        verdict: Verdict,
        name: &[u8],
        remark: Remark<'_>,
        details: impl FnOnce() -> Details<'d>,
    ) -> io::Result<()> {
        self.counts[verdict as usize] += 1;
        let Shown { quiet, status, json, colour, .. } = self.shown;
        if status || (quiet && verdict == Verdict::Ok) {
            return Ok(());
        }
        if json {
            let details = details();
            let from = if let Remark::From(name) = remark { Some(name) } else { None };
            return self
                .output
                .line(|out| json::verdict(name, verdict.word(), from, &details, out));
        }
        let name = self.voice.quote(name);
        let remark = match remark {
            Remark::None => Vec::new(),
            Remark::From(name) => [b" from ", &*self.voice.quote(name)].concat(),
            Remark::By(scheme) => format!(" ({scheme})").into_bytes(),
        };
        let paint = WORDS[verdict as usize].2;
        let is_painted = colour && paint != Colour::None;
        let (begin, end) = if is_painted { (paint.begin(), "\x1b[0m") } else { ("", "") };
        self.output.line(|out| {
            let word = [begin, verdict.word(), end].map(str::as_bytes);
            for part in [&*name, b": "].into_iter().chain(word) {
                out.extend_from_slice(part);
            }
            out.extend_from_slice(&remark);
            out.push(b'\n');
        })
    }

    /// Counts a file that matches by hashes alone that are broken.
    pub(crate) fn doubtful(&mut self) {
        self.doubtful += 1;
    }

    /// Counts a malformed line.
    pub(crate) fn malformed(&mut self, lines: u64) {
        self.malformed += lines;
    }

    /// Says something on standard error, behind the verdicts so far.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn say(&mut self, message: &[u8]) -> io::Result<()> {
        self.output.flush()?;
        self.voice.say(message);
        Ok(())
    }

    /// Says what is wrong with a file, behind the verdicts so far.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn complain(&mut self, name: &[u8], error: &io::Error) -> io::Result<()> {
        self.output.flush()?;
        self.voice.complain(name, error);
        Ok(())
    }

    /// Says of a file that it changed, if it did.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn notice(&mut self, name: &[u8], changed: bool) -> io::Result<()> {
        self.output.notice(self.voice, name, changed)
    }

    /// Shows what there is.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    /// Shows everything, with how many verdicts there were of `kinds`, if that is wanted.
    ///
    /// # Errors
    /// Those of output.
    pub(crate) fn finish(&mut self, kinds: &[Verdict]) -> io::Result<()> {
        if self.shown.summary {
            let count = |kind: &Verdict| (kind.word(), self.counts[*kind as usize]);
            let mut counts: Vec<_> = kinds.iter().map(count).collect();
            counts.push(("improperly formatted", self.malformed));
            let (json, output) = (self.shown.json, &mut self.output);
            output.line(
                |out| if json { json::summary(&counts, out) } else { summary(&counts, out) },
            )?;
        }
        self.output.flush()?;
        if self.doubtful > 0 && !self.shown.status {
            let files = if self.doubtful == 1 { "file was" } else { "files were" };
            self.voice.say(
                format!(
                    "WARNING: {} {files} verified by MD5 or SHA-1 alone, which are broken",
                    self.doubtful
                )
                .as_bytes(),
            );
        }
        Ok(())
    }
}

/// Appends `summary: 3 OK, 1 FAILED` and so on.
fn summary(counts: &[(&str, u64)], out: &mut Vec<u8>) {
    let counts: Vec<_> = counts.iter().map(|(word, count)| format!("{count} {word}")).collect();
    out.extend(format!("summary: {}\n", counts.join(", ")).bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_where_their_verdicts_point() {
        for (at, (verdict, ..)) in WORDS.into_iter().enumerate() {
            assert_eq!(verdict as usize, at);
        }
    }
}
