//! `diff`: the differences between two manifests.

use std::collections::{HashMap, HashSet};

use super::{End, Short, short, warn_of_gaps};
use crate::{
    Trouble,
    manifest::{Manifest, Row},
    name::Names,
    progress::result,
};

/// The result of comparing an object in two manifests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Equal,
    Differs,
    /// One of them has an error instead of a digest.
    Unknown,
}

impl Verdict {
    fn of(a: Option<&Vec<u8>>, b: Option<&Vec<u8>>) -> Self {
        match (a, b) {
            (Some(a), Some(b)) if a == b => Self::Equal,
            (Some(_), Some(_)) => Self::Differs,
            (None, _) | (_, None) => Self::Unknown,
        }
    }
}

/// Prints objects that only one manifest has, objects with different digests, and objects without a
/// digest in one of the manifests. Algorithms that one manifest lacks are not compared.
pub(crate) fn diff(a: &Manifest, b: &Manifest, relative: bool) -> Result<End, Trouble> {
    let both: HashSet<&String> =
        a.about().algorithms.iter().filter(|name| b.about().algorithms.contains(name)).collect();
    if both.is_empty() {
        return Err("the manifests have no algorithm in common".into());
    }
    let names = |manifest: &Manifest| match relative {
        true => Names::below(&manifest.about().locations),
        false => Ok(Names::whole()),
    };
    let (in_a, in_b) = (names(a)?, names(b)?);
    // URLs of keys and of paths escape different characters
    let key = |names: &Names, row: &Row| {
        short([row.algorithm.as_bytes(), b" ", &names.bytes(&row.url)].concat())
    };
    // for each row in `a`, its digest, and whether `b` has the row
    let mut rows: HashMap<Short, (Option<Vec<u8>>, bool)> = HashMap::new();
    let mut shared = None;
    a.rows(|row| {
        if both.contains(&row.algorithm)
            && rows.insert(key(&in_a, &row), (row.digest.ok(), false)).is_some()
        {
            shared = Some(Names::shared(&row.url));
        }
    })?;
    let mut end = warn_of_gaps(a).max(warn_of_gaps(b));
    let mut lines = Vec::new();
    let line = |sign, names: &Names, row: &Row| {
        format!("{sign} {} {}", row.algorithm, names.url(&row.url))
    };
    b.rows(|row| {
        if !both.contains(&row.algorithm) {
            return;
        }
        let (sign, found) = match rows.get_mut(&key(&in_b, &row)) {
            None => ('+', End::Differs),
            Some((_, true)) => return shared = Some(Names::shared(&row.url)),
            Some((digest, found)) => {
                *found = true;
                match Verdict::of(digest.as_ref(), row.digest.as_ref().ok()) {
                    Verdict::Equal => return,
                    Verdict::Differs => ('~', End::Differs),
                    Verdict::Unknown => ('?', End::Unread),
                }
            }
        };
        end = end.max(found);
        lines.push(line(sign, &in_b, &row));
    })?;
    shared.map_or(Ok(()), Err)?;
    a.rows(|row| {
        if rows.get(&key(&in_a, &row)).is_some_and(|(_, found)| !found) {
            end = End::Differs;
            lines.push(line('-', &in_a, &row));
        }
    })?;
    lines.sort_unstable_by(|x, y| x[2..].cmp(&y[2..]).then(x.cmp(y)));
    lines.iter().try_for_each(result)?;
    Ok(end)
}
