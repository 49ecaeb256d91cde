//! Random changes to lists: removed, doubled, swapped, cut, joined and inserted lines.

use proptest::prelude::*;

use super::{MD5, samples};

/// A change to a list's lines.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Remove(usize),
    Double(usize),
    Swap(usize, usize),
    Cut(usize, usize),
    Join(usize),
    Insert(usize, String),
}

pub(super) fn changed(sample: &str, changes: &[Change]) -> String {
    let mut lines: Vec<String> = sample.lines().map(str::to_owned).collect();
    for change in changes {
        let len = lines.len();
        if len == 0 {
            break;
        }
        match change {
            Change::Remove(at) => drop(lines.remove(at % len)),
            Change::Double(at) => lines.insert(at % len, lines[at % len].clone()),
            Change::Swap(a, b) => lines.swap(a % len, b % len),
            Change::Cut(at, len_of_line) => {
                let line = &mut lines[at % len];
                let end = (0..=*len_of_line % (line.len() + 1)).rev();
                let end = end.into_iter().find(|end| line.is_char_boundary(*end));
                line.truncate(end.unwrap_or(0));
            }
            Change::Join(at) if len > 1 => {
                let at = at % (len - 1);
                let next = lines.remove(at + 1);
                lines[at].push_str(&next);
            }
            Change::Join(_) => {}
            Change::Insert(at, line) => lines.insert(at % (len + 1), line.clone()),
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Lines of all dialects, GNU's under their own names, prose, and noise.
pub(super) fn any_line() -> impl Strategy<Value = String> {
    let known: Vec<_> =
        samples().iter().flat_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    prop_oneof![
        prop::sample::select(known),
        (0..100_u8).prop_map(|n| format!("{MD5}  gnu{n}")),
        (0..100_u8).prop_map(|n| format!("  {MD5}  gnu{n}")),
        prop::sample::select(vec![
            "The md5 checksums are:",
            "/set type=dir",
            "d type=dir",
            "Version: 1.2",
            "\\",
            "",
            "  ",
            "x\\",
        ])
        .prop_map(str::to_owned),
        "[ -~]{0,40}",
        "\\PC{0,20}",
    ]
}

pub(super) fn any_change() -> impl Strategy<Value = Change> {
    let at = 0..64_usize;
    prop_oneof![
        at.clone().prop_map(Change::Remove),
        at.clone().prop_map(Change::Double),
        (at.clone(), at.clone()).prop_map(|(a, b)| Change::Swap(a, b)),
        (at.clone(), 0..200_usize).prop_map(|(at, len)| Change::Cut(at, len)),
        at.clone().prop_map(Change::Join),
        (at, any_line()).prop_map(|(at, line)| Change::Insert(at, line)),
    ]
}
