//! What a list says before it is brought up to date.

use std::{
    borrow::Cow,
    io,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use jlanes::Algorithm;

use super::{stamp::Sealer, text::Text};
use crate::{
    files::Target,
    hash::{Computation, directory},
    lists::{Accepted, Encoding, Layout, Style, Which},
    report::Console,
    system::{self, FileKind, Stat, Time},
    tasks::{Place, audit::Record},
};

/// File systems that do not keep parts of seconds round times down, to two seconds at most.
const COARSE: Duration = Duration::from_secs(2);

/// The name of a file, and its digests.
type Told<'t> = (Cow<'t, [u8]>, Vec<Vec<u8>>);

/// What the list says so far.
pub(crate) struct Known {
    pub(crate) list: Place,
    pub(super) text: Text,
    /// The digests that it is to have.
    pub(super) computations: Arc<[Computation]>,
    /// The numbers that these have in the list so far.
    numbers: Vec<Option<usize>>,
    pub(super) style: Style,
    /// Whether its lines can stay as they are where no file has changed.
    pub(super) can_stay: bool,
    pub(super) sealer: Sealer,
    /// What the list was like when it was read.
    stat: Option<Stat>,
}

impl Known {
    /// Reads `list`, which may be missing. It gets digests by `computations`, or keeps its own if that is
    /// empty. Reports an error, and returns `None`.
    pub(crate) fn read(
        list: Place,
        accepted: Accepted,
        (mut computations, mut style): (Vec<Computation>, Style),
        console: &Console,
    ) -> Option<Self> {
        let name = system::bytes(&list.name);
        let say = |why: &str| console.say_of(&name, why);
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
        let text = match Text::read(&list.name, own) {
            Ok(Text { fault: Some(why), .. }) => {
                let names = accepted.names.clone();
                // in the words of an audit, which knows more forms
                match Record::read(vec![list.name.clone()], accepted, console) {
                    // its digests are taken, and its form is not
                    Ok((record, true)) if list.force => Text::of(&record, &names),
                    _ if list.force => Text::default(),
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
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Text::default(),
            Err(error) => {
                console.complain(&name, &error);
                return None;
            }
        };
        let form = text.style;
        if let Some(form) = form {
            style = merge(form, style);
        }
        // lines without a tag mean again what they meant
        let is_again = computations.is_empty() && form.is_some();
        if computations.is_empty() {
            computations = text.computations().cloned().collect();
        }
        if computations.is_empty() {
            computations.push(Accepted::told(&name, 0).unwrap_or_else(|| Algorithm::SHA256.into()));
        }
        // lines without a tag and a key are of the algorithm that the list's name tells
        let told = Accepted::told(&name, computations[0].bits());
        let is_clear = match told.filter(|_| computations[0].key().is_none()) {
            Some(told) => computations[0].plain() == told,
            None => is_again || computations.first() == untagged.as_ref(),
        };
        if computations.len() > 1 || !is_clear {
            style = style.tagged();
        }
        if let Some(computation) = computations.iter().find(|it| directory::is_for_directories(it))
        {
            console.say(format!("--update: {computation} is of many files"));
            return None;
        }
        let can_stay = text.is_one_each
            && text.begun.is_some()
            && form == Some(style)
            && computations.len() == text.computations().len();
        let number = |computation| text.computations().position(|known| known == computation);
        let numbers = computations.iter().map(number).collect();
        let sealer = Sealer::new(&computations);
        Some(Self {
            list,
            text,
            computations: computations.into(),
            numbers,
            style,
            can_stay,
            sealer,
            stat,
        })
    }

    /// Forgets when the list was brought up to date, if that is later than `now`.
    pub(crate) fn settle(&mut self, now: SystemTime) {
        let now = now.duration_since(UNIX_EPOCH).ok();
        self.text.begun = self.text.begun.filter(|begun| now.is_some_and(|now| *begun <= now));
    }

    /// Whether the list is still the one that was read.
    pub(crate) fn is_still(&self) -> bool {
        let key = |stat: &Stat| (stat.identity, stat.size, stat.modified, stat.changed);
        let now = system::stat(&system::bytes(&self.list.name)).ok();
        now.as_ref().map(key) == self.stat.as_ref().map(key)
    }

    /// The name of the file in `row` and its digests, if the list has all that it is to have, and nothing
    /// else of them.
    pub(super) fn digests(&self, row: usize) -> Option<Told<'_>> {
        let mut lines: Vec<_> = self.text.lines(row).collect();
        let one = |number: &Option<usize>| {
            let mut fitting = lines.iter().filter(|line| Some(line.number) == *number);
            let digest = fitting.next()?.digest();
            fitting.all(|line| line.digest() == digest).then_some(digest)
        };
        let digests = self.numbers.iter().map(one).collect::<Option<_>>()?;
        Some((lines.swap_remove(0).name, digests))
    }

    /// The digests of the file in `row` by the computation `at`, each once.
    pub(super) fn digests_by(&self, at: usize, row: usize) -> Vec<Vec<u8>> {
        let lines = self.text.lines(row).filter(|line| Some(line.number) == self.numbers[at]);
        let mut digests: Vec<_> = lines.map(|line| line.digest()).collect();
        digests.dedup();
        digests
    }

    /// Whether the list has other digests of the file in `row` than it is to have.
    pub(super) fn has_others(&self, row: usize) -> bool {
        !self.text.lines(row).all(|line| self.numbers.contains(&Some(line.number)))
    }

    /// Looks at files, each with its row in the list.
    pub(super) fn look(&self, files: &[(Option<usize>, &Target)]) -> Vec<Look> {
        let (mut stamps, mut texts, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let look = |(at, (row, target)): (usize, &(Option<usize>, &Target))| {
            let looked = target.look();
            if let (Some(row), Ok(Some(stat))) = (*row, &looked)
                && self.is_old(stat)
                && let Some(stamp) = self.text.stamp(row).filter(|stamp| stamp.is_of(stat))
                && let Some((name, digests)) = self.digests(row)
            {
                stamps.push(stamp);
                texts.push(self.sealer.bound(stamp.state, &name, &digests));
                places.push((at, row));
            }
            Look::Other(looked)
        };
        let mut looks: Vec<_> = files.iter().enumerate().map(look).collect();
        for ((at, row), is_right) in places.into_iter().zip(self.sealer.check(&stamps, &texts)) {
            if is_right {
                looks[at] = Look::Unchanged(row);
            }
        }
        looks
    }

    /// Whether a file had not changed for a while when the list was brought up to date. What changes
    /// twice within one tick of the clock does not show the second time.
    fn is_old(&self, file: &Stat) -> bool {
        let Some(begun) = self.text.begun else { return false };
        file.kind == FileKind::File
            && [file.modified, file.changed].into_iter().all(|time| is_before(time, begun))
    }
}

/// The state of a file.
pub(super) enum Look {
    /// It is the one that the digests in this row are of, and is as it was.
    Unchanged(usize),
    /// Its status; `None` for standard input.
    Other(io::Result<Option<Stat>>),
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
