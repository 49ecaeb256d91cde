//! What a list says before it is brought up to date.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, BufRead, BufReader},
    sync::Arc,
    time::Duration,
};

use crate::{
    hash::{Scheme, What, directory},
    lists::{
        Accepted,
        line::{self, Style, Tags},
    },
    report::Voice,
    system::{self, Stat, Time},
    tasks::audit::Record,
};

/// What stands before the time in a list.
pub(super) const COMMENT: &str = "# jlanes-sum --update, files as of ";

/// File systems that do not keep parts of seconds round times down, to two seconds at most.
const COARSE: Duration = Duration::from_secs(2);

/// What the list says so far.
pub(crate) struct Known {
    pub(super) record: Record,
    /// The digests that it is to have.
    pub(super) schemes: Arc<[Scheme]>,
    pub(super) style: Style,
    /// When it was last brought up to date, since 1970.
    begun: Option<Duration>,
}

impl Known {
    /// Reads `list`, which need not be there. It is to have digests by `schemes`, or by those that it
    /// has. Where that cannot be done it is told, and there is nothing.
    pub(crate) fn read(
        list: &OsStr,
        accepted: Accepted,
        (mut schemes, mut style): (Vec<Scheme>, Style),
        voice: &Voice,
    ) -> Option<Self> {
        let (mut record, mut begun) = (Record::default(), None);
        match Start::read(list, &accepted) {
            Ok(start) => {
                let read = Record::read(vec![list.to_owned()], accepted, voice);
                let Ok((read, true)) = read else {
                    let what = b": not brought up to date";
                    voice.say(&[&*voice.quote(&system::bytes(list)), what].concat());
                    return None;
                };
                record = read;
                begun = start.begun;
                if start.tagged {
                    style = style.tagged();
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                voice.complain(&system::bytes(list), &error);
                return None;
            }
        }
        if schemes.is_empty() {
            schemes = record.schemes().to_vec();
        }
        if schemes.is_empty() {
            schemes.push(Scheme::plain(What::SHA256));
        }
        if schemes.len() > 1 {
            style = style.tagged();
        }
        if let Some(scheme) = schemes.iter().find(|scheme| directory::is_for_directories(scheme)) {
            voice.say(format!("--update: {scheme} is of many files").as_bytes());
            return None;
        }
        Some(Self { record, schemes: schemes.into(), style, begun })
    }

    /// The digests that the list has of the file in `row`, if it has all that it is to have, and
    /// nothing else of them.
    pub(super) fn digests(&self, row: usize) -> Option<Vec<&[u8]>> {
        let claims = self.record.claims(row);
        let one = |scheme: &Scheme| {
            let mut fitting = claims.iter().filter(|it| self.record.scheme(it.scheme) == scheme);
            let claim = fitting.next()?;
            fitting.next().is_none().then_some(&claim.digest[..])
        };
        self.schemes.iter().map(one).collect()
    }

    /// Whether nothing was done to a file since the list was brought up to date.
    pub(super) fn is_older(&self, file: &Stat) -> bool {
        let Some(begun) = self.begun else { return false };
        [file.modified, file.changed].into_iter().all(|time| is_before(time, begun))
    }
}

/// Whether a file with this time certainly is from before `begun`.
fn is_before(Time { seconds, nanoseconds }: Time, begun: Duration) -> bool {
    // nothing is as old as 1970 by itself
    let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u64::try_from(nanoseconds))
    else {
        return false;
    };
    let slack = if nanoseconds == 0 { COARSE } else { Duration::ZERO };
    Duration::new(seconds, 0)
        .checked_add(Duration::from_nanos(nanoseconds) + slack)
        .is_some_and(|time| time < begun)
}

/// How a list begins.
struct Start {
    begun: Option<Duration>,
    /// Whether its first line has a tag.
    tagged: bool,
}

impl Start {
    fn read(list: &OsStr, accepted: &Accepted) -> io::Result<Self> {
        let mut start = Self { begun: None, tagged: false };
        let mut reader = BufReader::new(File::open(list)?);
        let mut text = Vec::new();
        let longest = line::LONGEST_LINE as u64;
        while io::Read::take(&mut reader, longest).read_until(b'\n', &mut text)? > 0 {
            let line = text.trim_ascii_end();
            let comment = line.strip_prefix(COMMENT.as_bytes());
            start.begun = start.begun.or_else(|| moment(str::from_utf8(comment?).ok()?));
            if !line.is_empty() && !line.starts_with(b"#") {
                start.tagged = line::tag(line).is_some_and(|tag| accepted.tagged(tag).is_some());
                break;
            }
            text.clear();
        }
        Ok(start)
    }
}

/// The time that `text` says, which has nine digits behind the point.
fn moment(text: &str) -> Option<Duration> {
    let (seconds, nanoseconds) = text.split_once('.')?;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let fits = is_number(seconds) && is_number(nanoseconds) && nanoseconds.len() == 9;
    fits.then(|| Some(Duration::new(seconds.parse().ok()?, nanoseconds.parse().ok()?)))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_they_are_written() {
        assert_eq!(moment("12.000000345"), Some(Duration::new(12, 345)));
        for text in ["", "12", "12.5", "+1.000000000", "1.+00000000", "-1.000000000", "x.000000000"]
        {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn only_what_is_certainly_older_is() {
        let begun = Duration::new(100, 500);
        for (seconds, nanoseconds, expected) in [
            (100, 499, true),
            (100, 500, false),
            (100, 501, false),
            (99, 1, true),
            // times without parts of seconds may be those of later ones
            (99, 0, false),
            (98, 0, true),
            (-1, 0, false),
            (i64::MAX, 0, false),
        ] {
            let time = Time { seconds, nanoseconds };
            assert_eq!(is_before(time, begun), expected, "{time:?}");
        }
    }
}
