//! What a list says before it is brought up to date.

use std::{
    fs::File,
    io::{self, BufReader},
    path::Path,
    slice,
    sync::{Arc, OnceLock},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use jlanes::Algorithm;

use super::{
    rows::{Outline, Rows},
    stamp::{Seal, Sealer},
    text::{COMMENT, Text},
};
use crate::{
    hash::{Scheme, directory},
    lists::{Accepted, Encoding, LONGEST_LINE, Layout, Style, Which, read_line},
    report::Console,
    system::{self, FileKind, Stat, Time},
    tasks::{Place, audit::Record},
};

/// File systems that do not keep parts of seconds round times down, to two seconds at most.
const COARSE: Duration = Duration::from_secs(2);

/// What the list says so far.
pub(crate) struct Known {
    pub(crate) list: Place,
    accepted: Accepted,
    /// Read when it is needed: where no file has changed, its rows are compared one after another.
    text: OnceLock<Text>,
    outline: Option<Outline>,
    /// When it was brought up to date.
    begun: Option<Duration>,
    /// The digests that it is to have.
    pub(super) schemes: Arc<[Scheme]>,
    pub(super) style: Style,
    /// Whether its lines can stay as they are where no file has changed.
    pub(super) can_stay: bool,
    /// What the list was like when it was read.
    stat: Option<Stat>,
}

impl Known {
    /// Reads `list`, which may be missing. It gets digests by `schemes`, or keeps its own if that is
    /// empty. Reports an error, and returns `None`.
    pub(crate) fn read(
        list: Place,
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
        let untagged = match &accepted.which {
            Which::Tagged { untagged, .. } => untagged.clone(),
            Which::Only(_) | Which::Columns(_) | Which::Family(_) => None,
        };
        let base = Path::new(&list.name).file_name().unwrap_or(&list.name);
        let own = Accepted { list: system::bytes(base).into(), ..accepted.clone() };
        let outline = File::open(&list.name).and_then(|file| Outline::read(file, own.clone()));
        let outline = outline.unwrap_or_default();
        let text = match outline.is_none().then(|| Text::read(&list.name, own.clone())) {
            None => None,
            Some(Ok(Text { fault: Some(why), .. })) => {
                // in the words of an audit, which knows more forms
                match Record::read(vec![list.name.clone()], accepted, console) {
                    // its digests are taken, and its form is not
                    Ok((record, true)) if list.force => Some(Text { record, ..Text::default() }),
                    _ if list.force => Some(Text::default()),
                    Ok((_, true)) => {
                        say(&format!("{why}: not brought up to date without --force"));
                        return None;
                    }
                    _ => {
                        say("not brought up to date");
                        return None;
                    }
                }
            }
            Some(Ok(text)) => Some(text),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Some(Text::default()),
            Some(Err(error)) => {
                console.complain(&name, &error);
                return None;
            }
        };
        let (form, begun, tagged, is_one_each) = match (&outline, &text) {
            (Some(Outline { like, begun, .. }), _) => {
                (Some(like.style), *begun, slice::from_ref(&like.scheme), true)
            }
            (None, Some(text)) => {
                let is_one_each = text.lines == Some(text.record.before(usize::MAX));
                (text.style, text.begun, text.record.schemes(), is_one_each)
            }
            (None, None) => (None, None, &[][..], false),
        };
        if let Some(form) = form {
            style = merge(form, style);
        }
        // lines without a tag mean again what they meant
        let is_again = schemes.is_empty() && form.is_some();
        if schemes.is_empty() {
            schemes = tagged.to_vec();
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
        let can_stay =
            is_one_each && begun.is_some() && form == Some(style) && schemes.len() == tagged.len();
        let text = text.map_or_else(OnceLock::new, OnceLock::from);
        let (accepted, schemes) = (own, schemes.into());
        Some(Self { list, accepted, text, outline, begun, schemes, style, can_stay, stat })
    }

    /// Forgets when the list was brought up to date, if that is later than `now`.
    pub(crate) fn settle(&mut self, now: SystemTime) {
        let now = now.duration_since(UNIX_EPOCH).ok();
        self.begun = self.begun.filter(|begun| now.is_some_and(|now| *begun <= now));
    }

    /// All that the list says, in memory.
    pub(super) fn text(&self) -> &Text {
        self.text.get_or_init(|| {
            let read = Text::read(&self.list.name, self.accepted.clone());
            read.unwrap_or_else(|error| Text { fault: Some(error.to_string()), ..Text::default() })
        })
    }

    /// Whether it could not be read when it was needed.
    pub(super) fn is_lost(&self) -> bool {
        self.text.get().is_some_and(|text| text.fault.is_some())
    }

    /// The rows of the list, if they can be compared one after another and its lines can stay.
    pub(super) fn rows(&self) -> Option<Rows> {
        let outline = self.outline.as_ref().filter(|_| self.can_stay && self.begun.is_some())?;
        let like = Some(&outline.like).filter(|like| *self.schemes == [like.scheme.clone()])?;
        Rows::new(File::open(&self.list.name).ok()?, like.clone()).ok()
    }

    /// How many files it has.
    pub(super) fn files(&self) -> usize {
        let known = self.outline.as_ref().map(|outline| outline.files);
        known.unwrap_or_else(|| self.text().record.files().len())
    }

    /// Whether the list is still the one that was read.
    pub(crate) fn is_still(&self) -> bool {
        let key = |stat: &Stat| (stat.identity, stat.size, stat.modified, stat.changed);
        let now = system::stat(&system::bytes(&self.list.name)).ok();
        now.as_ref().map(key) == self.stat.as_ref().map(key)
    }

    /// Copies the lines of the files before `row`, comments too.
    ///
    /// # Errors
    /// Those of the system, and of `copy`.
    pub(super) fn copy(
        &self,
        row: usize,
        mut copy: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut rest = self.text().record.before(row);
        let mut reader = BufReader::with_capacity(32 << 10, File::open(&self.list.name)?);
        let mut line = Vec::new();
        while rest > 0 && read_line(&mut reader, b'\n', LONGEST_LINE, &mut line)?.is_some() {
            rest -= usize::from(!line.is_empty() && !line.starts_with(b"#"));
            if !line.starts_with(COMMENT.as_bytes()) {
                line.push(b'\n');
                copy(&line)?;
            }
        }
        Ok(())
    }

    /// The digests that the list has of the file in `row`, if it has all that it is to have, and
    /// nothing else of them.
    pub(super) fn digests(&self, row: usize) -> Option<Vec<&[u8]>> {
        let claims = self.text().record.claims(row);
        let one = |scheme: &Scheme| {
            let mut fitting =
                claims.iter().filter(|it| self.text().record.scheme(it.scheme) == scheme);
            let claim = fitting.next()?;
            fitting.next().is_none().then_some(&claim.digest[..])
        };
        self.schemes.iter().map(one).collect()
    }

    /// The device that the file in `row` was on.
    pub(super) fn device(&self, row: usize) -> Option<u64> {
        let devices = &self.text().devices;
        Some(devices[devices.partition_point(|(first, _)| *first <= row).checked_sub(1)?].1)
    }

    /// Whether the file in `row`, which is like `file` now, certainly has the digests that the list
    /// has.
    pub(super) fn is_unchanged(&self, row: usize, file: &Stat, sealer: &Sealer) -> bool {
        let Some(Some(seal)) = self.text().seals.get(row) else { return false };
        let Some(digests) = self.digests(row) else { return false };
        self.is_sealed(file, &self.text().record.files()[row].name, &digests, *seal, sealer)
    }

    /// Whether a file, which is like `file` now, certainly has `digests`: it is the one that they are
    /// of, and had not changed for a while when it was read. What changes twice within one tick of the
    /// clock does not show the second time.
    pub(super) fn is_sealed(
        &self,
        file: &Stat,
        name: &[u8],
        digests: &[&[u8]],
        seal: Seal,
        sealer: &Sealer,
    ) -> bool {
        let Some(begun) = self.begun else { return false };
        file.kind == FileKind::File
            && [file.modified, file.changed].into_iter().all(|time| is_before(time, begun))
            && sealer.seal(file, name, digests) == Some(seal)
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
