//! The old list of an update: its digests, and whether its files have changed since.

use std::{
    borrow::Cow,
    io,
    path::Path,
    sync::Arc,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use jlanes::Algorithm;
use jlanes_files::{
    Computation, Target,
    lists::{Encoding, LineLayout, Style},
};

use super::{stamp::Sealer, text::ListText};
use crate::{
    hash::directory,
    lists::{AcceptedAlgorithms, AcceptedDigests},
    report::Console,
    system::{self, FileKind, Stat, Time},
    tasks::{ListOutput, audit::Listing},
};

/// The coarsest resolution of file systems without fractions of seconds, which round times down.
const COARSE_TIME: Duration = Duration::from_secs(2);

/// The name of a file, and its digests.
type NamedDigests<'t> = (Cow<'t, [u8]>, Vec<Vec<u8>>);

/// The old list, as the new one needs it.
pub(crate) struct OldList {
    pub(crate) list: ListOutput,
    pub(super) text: ListText,
    /// The digests of the new list.
    pub(super) computations: Arc<[Computation]>,
    /// The numbers of these computations in the old list.
    numbers: Vec<Option<usize>>,
    pub(super) style: Style,
    /// Whether lines about unchanged files can stay as they are.
    pub(super) can_stay: bool,
    pub(super) sealer: Sealer,
    /// The state of the list's file when it was read.
    stat: Option<Stat>,
}

impl OldList {
    /// Reads `list`, which may be missing. The new list has digests by `computations`, or the old
    /// list's if that is empty. After an error, which it reports, it returns `None`.
    pub(crate) fn read(
        list: ListOutput,
        accepted: AcceptedDigests,
        (mut computations, mut style): (Vec<Computation>, Style),
        console: &Console,
    ) -> Option<Self> {
        let name = system::bytes(&list.name);
        let stat = system::stat(&name).ok();
        if stat.is_some_and(|stat| stat.kind != FileKind::File) {
            console.say_about(&name, "not a regular file: not brought up to date");
            return None;
        }
        let untagged = match &accepted.algorithms {
            AcceptedAlgorithms::Tagged { default, .. } => default.clone(),
            AcceptedAlgorithms::Only(_)
            | AcceptedAlgorithms::Columns(_)
            | AcceptedAlgorithms::Family(_) => None,
        };
        let text = old_text(&list, accepted, console)?;
        let old_style = text.style;
        if let Some(old) = old_style {
            style = merge(old, style);
        }
        let is_as_before = computations.is_empty() && old_style.is_some();
        if computations.is_empty() {
            computations = text.computations().cloned().collect();
        }
        if computations.is_empty() {
            computations.push(
                AcceptedDigests::by_list_name(&name, 0).unwrap_or_else(|| Algorithm::SHA256.into()),
            );
        }
        // lines without a tag keep their meaning; in a list without keys, its name gives them their algorithm
        let by_name = AcceptedDigests::by_list_name(&name, computations[0].bits());
        let is_clear = match by_name.filter(|_| computations[0].key().is_none()) {
            Some(by_name) => computations[0].plain() == by_name,
            None => is_as_before || computations.first() == untagged.as_ref(),
        };
        if computations.len() > 1 || !is_clear {
            style = style.tagged();
        }
        if let Some(computation) = computations.iter().find(|it| directory::is_for_directories(it))
        {
            console.say(format!("--update: {computation} is of many files"));
            return None;
        }
        let can_stay = text.has_one_digest_each
            && text.begun.is_some()
            && old_style == Some(style)
            && computations.len() == text.computations().len();
        let number = |computation| text.computations().position(|known| known == computation);
        Some(Self {
            list,
            numbers: computations.iter().map(number).collect(),
            sealer: Sealer::new(&computations),
            computations: computations.into(),
            text,
            style,
            can_stay,
            stat,
        })
    }

    /// Discards the time of the last update, if it is later than `now`.
    pub(crate) fn discard_future_time(&mut self, now: SystemTime) {
        let now = now.duration_since(UNIX_EPOCH).ok();
        self.text.begun = self.text.begun.filter(|begun| now.is_some_and(|now| *begun <= now));
    }

    /// Whether the list's file is still the one that was read.
    pub(crate) fn is_unchanged(&self) -> bool {
        let key = |stat: &Stat| (stat.identity, stat.size, stat.modified, stat.changed);
        let now = system::stat(&system::bytes(&self.list.name)).ok();
        now.as_ref().map(key) == self.stat.as_ref().map(key)
    }

    /// The name and the digests of the file in `row`, if the list has exactly the digests that the new one needs.
    pub(super) fn digests(&self, row: usize) -> Option<NamedDigests<'_>> {
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

    /// Whether the list has digests of the file in `row` that the new one does not need.
    pub(super) fn has_other_digests(&self, row: usize) -> bool {
        !self.text.lines(row).all(|line| self.numbers.contains(&Some(line.number)))
    }

    /// Examines files, each with its row in the list.
    pub(super) fn examine(&self, files: &[(Option<usize>, &Target)]) -> Vec<Examined> {
        let (mut stamps, mut texts, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let examine = |(at, (row, target)): (usize, &(Option<usize>, &Target))| {
            let found = target.stat();
            if let (Some(row), Ok(Some(stat))) = (*row, &found)
                && self.is_old(stat)
                && let Some(stamp) = self.text.stamp(row).filter(|stamp| stamp.is_of(stat))
                && let Some((name, digests)) = self.digests(row)
            {
                stamps.push(stamp);
                texts.push(self.sealer.sealed_text(stamp.state, &name, &digests));
                places.push((at, row));
            }
            Examined::Other(found.map(drop))
        };
        let mut examined: Vec<_> = files.iter().enumerate().map(examine).collect();
        for ((at, row), is_right) in places.into_iter().zip(self.sealer.check(&stamps, &texts)) {
            if is_right {
                examined[at] = Examined::Unchanged(row);
            }
        }
        examined
    }

    /// Whether a file had not changed for a while when the list was updated. If a file changes twice
    /// within one tick of the clock, its time does not show the second change.
    fn is_old(&self, file: &Stat) -> bool {
        let Some(begun) = self.text.begun else { return false };
        file.kind == FileKind::File
            && [file.modified, file.changed].into_iter().all(|time| is_before(time, begun))
    }
}

/// The result of examining a file.
pub(super) enum Examined {
    /// It is the file of the digests in this row, unchanged.
    Unchanged(usize),
    /// It is another one, or has changed, or cannot be examined.
    Other(io::Result<()>),
}

/// The text of the old list; an empty one if it is missing. With `--force`, one of another tool is read for its
/// digests, or discarded. After an error, which it reports, it returns `None`.
fn old_text(list: &ListOutput, accepted: AcceptedDigests, console: &Console) -> Option<ListText> {
    let name = system::bytes(&list.name);
    let base = Path::new(&list.name).file_name().unwrap_or(&list.name);
    let by_base = AcceptedDigests { list: system::bytes(base).into(), ..accepted.clone() };
    let why = match ListText::read(&list.name, by_base) {
        Ok(ListText { fault: Some(why), .. }) => why,
        Ok(text) => return Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Some(ListText::default()),
        Err(error) => {
            console.report_error(&name, &error);
            return None;
        }
    };
    let names = accepted.names.clone();
    // an audit's reader knows more formats and has the messages
    let listing = Listing::read(vec![list.name.clone()], accepted, console);
    match listing {
        Ok((listing, true)) if list.force => Some(ListText::of(&listing, &names)),
        _ if list.force => Some(ListText::default()),
        Ok((_, true)) => {
            console.say_about(&name, format!("{why}: not brought up to date without --force"));
            None
        }
        _ => {
            console.say_about(&name, "not brought up to date");
            None
        }
    }
}

/// The list's own style, changed as the user asks.
fn merge(old: Style, asked: Style) -> Style {
    let layout = match (old.layout, asked.layout) {
        (_, LineLayout::Tagged) => LineLayout::Tagged,
        (LineLayout::Untagged { .. }, binary @ LineLayout::Untagged { binary: true }) => binary,
        (old, _) => old,
    };
    let encoding = match asked.encoding {
        Encoding::Base64 => Encoding::Base64,
        Encoding::Hex => old.encoding,
    };
    Style { layout, encoding, ..asked }
}

/// Whether a file with this time is certainly older than `begun`.
fn is_before(Time { seconds, nanoseconds }: Time, begun: Duration) -> bool {
    // no file is as old as 1970
    let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u64::try_from(nanoseconds))
    else {
        return false;
    };
    let slack = if nanoseconds == 0 { COARSE_TIME } else { Duration::ZERO };
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
            // whole seconds may be rounded down
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
