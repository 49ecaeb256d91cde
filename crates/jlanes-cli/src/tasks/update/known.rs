//! What a list says before it is brought up to date.

use std::{
    fs::File,
    io,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use jlanes::Algorithm;

use super::{
    stamp,
    text::{Notes, Text},
};
use crate::{
    hash::{Scheme, directory},
    lists::{Accepted, Encoding, Layout, Style, Which},
    report::Console,
    system::{self, FileKind, Stat, Time},
    tasks::{Place, audit::Record},
};

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
    /// Comments of the user's, before all lines and behind them.
    pub(super) head: Vec<u8>,
    pub(super) tail: Vec<u8>,
    /// The comments before the lines about a file, by its row.
    notes: Vec<Notes>,
    /// What the list was like when it was read.
    stat: Option<Stat>,
}

impl Known {
    /// Reads `list`, which may be missing. It gets digests by `schemes`, or keeps its own if that is
    /// empty. Reports an error, and returns `None`.
    pub(crate) fn read(
        list: &Place,
        accepted: Accepted,
        (mut schemes, mut style): (Vec<Scheme>, Style),
        console: &Console,
    ) -> Option<Self> {
        let name = system::bytes(&list.name);
        let say =
            |why: &str| console.say(&[&*console.quote(&name), b": ", why.as_bytes()].concat());
        let stat = system::stat(&name).ok();
        if stat.is_some_and(|stat| stat.kind != FileKind::File) {
            say("not a regular file: not brought up to date");
            return None;
        }
        let (mut record, mut text) = (Record::default(), Text::default());
        let untagged = match &accepted.which {
            Which::Tagged { untagged, .. } => untagged.clone(),
            Which::Only(_) | Which::Columns(_) | Which::Family(_) => None,
        };
        match File::open(&list.name) {
            Ok(file) => match Record::read(vec![list.name.clone()], accepted.clone(), console) {
                Ok((known, true)) => {
                    let base = Path::new(&list.name).file_name().unwrap_or(&list.name);
                    let accepted = Accepted { list: system::bytes(base).into(), ..accepted };
                    match Text::read(file, accepted, &known) {
                        Ok(Text { fault: Some(why), .. }) if !list.force => {
                            say(&format!("{why}: not brought up to date without --force"));
                            return None;
                        }
                        // its digests are taken, and its form is not
                        Ok(Text { fault: Some(_), .. }) => record = known,
                        Ok(read) => (record, text) = (known, read),
                        Err(error) => {
                            console.complain(&name, &error);
                            return None;
                        }
                    }
                }
                _ if list.force => {}
                _ => {
                    say("not brought up to date");
                    return None;
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                console.complain(&name, &error);
                return None;
            }
        }
        if let Some(own) = text.style {
            style = merge(own, style);
        }
        // lines without a tag mean again what they meant
        let is_again = schemes.is_empty() && text.style.is_some();
        if schemes.is_empty() {
            schemes = record.schemes().to_vec();
        }
        if schemes.is_empty() {
            schemes.push(Accepted::told(&name, 0).unwrap_or_else(|| Algorithm::SHA256.into()));
        }
        // lines without a tag and a key are of the algorithm that the list's name tells
        let told = Accepted::told(&name, schemes[0].bits());
        let is_clear = match told.filter(|_| schemes[0].secret().is_none()) {
            Some(told) => schemes[0].plain() == told,
            None => is_again || schemes.first() == untagged.as_ref(),
        };
        if schemes.len() > 1 || !is_clear {
            style = style.tagged();
        }
        if let Some(scheme) = schemes.iter().find(|scheme| directory::is_for_directories(scheme)) {
            console.say(format!("--update: {scheme} is of many files").as_bytes());
            return None;
        }
        let Text { begun, head, tail, notes, .. } = text;
        Some(Self { record, schemes: schemes.into(), style, begun, head, tail, notes, stat })
    }

    /// Forgets when the list was brought up to date, if that is later than `now`.
    pub(crate) fn settle(&mut self, now: SystemTime) {
        let now = now.duration_since(UNIX_EPOCH).ok();
        self.begun = self.begun.filter(|begun| now.is_some_and(|now| *begun <= now));
    }

    /// Whether the list at `place` is still the one that was read.
    pub(crate) fn is_still(&self, place: &Place) -> bool {
        let key = |stat: &Stat| (stat.identity, stat.size, stat.modified, stat.changed);
        let now = system::stat(&system::bytes(&place.name)).ok();
        now.as_ref().map(key) == self.stat.as_ref().map(key)
    }

    /// The comments before the lines of the file in `row`.
    pub(super) fn notes(&self, row: usize) -> Option<&Notes> {
        self.notes.get(row)
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

    /// Whether the file in `row`, which is like `file` now, certainly has the digests that the list
    /// has: it is the one that they are of, and had not changed for a while when it was read. What
    /// changes twice within one tick of the clock does not show the second time.
    pub(super) fn is_unchanged(&self, row: usize, file: &Stat) -> bool {
        let Some(begun) = self.begun else { return false };
        let Some(stamp) = self.notes(row).and_then(|notes| notes.stamp.as_ref()) else {
            return false;
        };
        let Some(digests) = self.digests(row) else { return false };
        file.kind == FileKind::File
            && [file.modified, file.changed].into_iter().all(|time| is_before(time, begun))
            && stamp::comment(
                file,
                &self.record.files()[row].name,
                self.schemes.iter().zip(digests),
            ) == stamp[..]
    }
}

/// A list's own style, but for what is asked for.
fn merge(own: Style, asked: Style) -> Style {
    let layout = match (own.layout, asked.layout) {
        (_, Layout::Tagged) => Layout::Tagged,
        (Layout::Untagged { .. }, binary @ Layout::Untagged { binary: true }) => binary,
        (own, _) => own,
    };
    let encoding = match asked.encoding {
        Encoding::Base64 => Encoding::Base64,
        Encoding::Hex => own.encoding,
    };
    Style { layout, encoding, ..asked }
}

/// Whether a file with this time certainly is from before `begun`.
fn is_before(Time { seconds, nanoseconds }: Time, begun: Duration) -> bool {
    // nothing is as old as 1970
    let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u64::try_from(nanoseconds))
    else {
        return false;
    };
    let slack = if nanoseconds == 0 { COARSE } else { Duration::ZERO };
    Duration::new(seconds, 0)
        .checked_add(Duration::from_nanos(nanoseconds) + slack)
        .is_some_and(|time| time < begun)
}

#[cfg(test)]
mod tests {
    use super::*;

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
