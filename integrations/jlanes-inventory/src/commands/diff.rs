//! `diff`: the differences between two manifests.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use super::{Short, Trouble, short};
use crate::{
    manifest::{Manifest, Row},
    name::Names,
};

/// Prints objects that are in one manifest only, and objects with other digests. Algorithms that
/// one of the manifests lacks are no difference.
pub(crate) fn diff(a: &Path, b: &Path, relative: bool) -> Result<bool, Trouble> {
    let (a, b) = (Manifest::existing(a)?, Manifest::existing(b)?);
    let both: HashSet<&String> =
        a.about.algorithms.iter().filter(|name| b.about.algorithms.contains(name)).collect();
    if both.is_empty() {
        return Err("the manifests have no algorithm in common".into());
    }
    let names = |manifest: &Manifest| match relative {
        true => Names::below(&manifest.about.locations),
        false => Ok(Names::whole()),
    };
    let (in_a, in_b) = (names(&a)?, names(&b)?);
    let key =
        |names: &Names, row: &Row| short(&format!("{} {}", row.algorithm, names.url(&row.url)));
    // of rows in `a`, their digests, and whether `b` has them
    let mut rows: HashMap<Short, (Option<Vec<u8>>, bool)> = HashMap::new();
    a.rows(|row| {
        if both.contains(&row.algorithm) {
            rows.insert(key(&in_a, &row), (row.digest.ok(), false));
        }
    })?;
    let mut lines = Vec::new();
    let line = |sign, names: &Names, row: &Row| {
        format!("{sign} {} {}", row.algorithm, names.url(&row.url))
    };
    b.rows(|row| {
        if !both.contains(&row.algorithm) {
            return;
        }
        match rows.get_mut(&key(&in_b, &row)) {
            None => lines.push(line('+', &in_b, &row)),
            Some((digest, found)) => {
                *found = true;
                if digest.as_ref() != row.digest.as_ref().ok() {
                    lines.push(line('~', &in_b, &row));
                }
            }
        }
    })?;
    a.rows(|row| {
        if rows.get(&key(&in_a, &row)).is_some_and(|(_, found)| !found) {
            lines.push(line('-', &in_a, &row));
        }
    })?;
    lines.sort_unstable_by(|x, y| x[2..].cmp(&y[2..]).then(x.cmp(y)));
    lines.iter().for_each(|line| println!("{line}"));
    Ok(lines.is_empty())
}
