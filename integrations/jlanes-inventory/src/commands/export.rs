//! `export`: lists for other programs.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, Write},
    path::Path,
};

use jlanes_files::lists::{Encoding, ForeignFormat, LineLayout, Style};

use super::{End, computations, warn_of_gaps};
use crate::{
    Trouble, computation::Computation, manifest::Manifest, name::Names, options::Format,
    progress::message,
};

/// An object of the list.
struct Entry {
    size: Option<u64>,
    /// The digests, in the order of the exported algorithms.
    digests: Vec<Option<Result<Vec<u8>, String>>>,
}

/// Prints a list sorted by name. Objects without digests, and objects with names that the format cannot
/// hold, are reported, and the command fails.
pub(crate) fn export(
    directory: &Path,
    format: Format,
    algorithm: Option<String>,
    absolute: bool,
) -> Result<End, Trouble> {
    let manifest = Manifest::existing(directory, None)?;
    let about = manifest.about();
    let is_whole = absolute || about.locations.len() != 1;
    let names = if is_whole { Names::whole() } else { Names::below(&about.locations)? };
    let has = |name: &str| about.algorithms.iter().any(|other| other == name);
    if let Some(name) = algorithm.as_ref().filter(|name| !has(name)) {
        return Err(format!("the manifest has no {name}"));
    }
    let mut chosen = algorithm.map_or_else(|| about.algorithms.clone(), |name| vec![name]);
    if format == Format::Hashdeep {
        chosen = in_hashdeep(chosen)?;
    } else if chosen.len() > 1 {
        return Err("the manifest has several algorithms: choose one by --algorithm".into());
    }

    let mut entries: BTreeMap<Vec<u8>, Entry> = BTreeMap::new();
    let mut shared = None;
    manifest.rows(|row| {
        let Some(at) = chosen.iter().position(|name| *name == row.algorithm) else { return };
        let entry = entries
            .entry(names.bytes(&row.url))
            .or_insert_with(|| Entry { size: row.meta.size, digests: vec![None; chosen.len()] });
        if entry.digests[at].replace(row.digest).is_some() {
            shared = Some(Names::shared(&row.url));
        }
    })?;
    shared.map_or(Ok(()), Err)?;
    let computations = computations(&chosen)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let written = write(&mut out, format, is_whole, &computations, entries);
    let gap = warn_of_gaps(&manifest);
    match written {
        Ok(0) => Ok(gap),
        Ok(missing) => {
            message(format_args!(
                "objects without digests, or with a line feed in the name of a \
                 hashdeep list, which are not in the list: {missing}"
            ));
            Ok(gap.max(End::Unread))
        }
        Err(error) => Err(error.to_string()),
    }
}

/// The algorithms among `names` that hashdeep has, in its order.
fn in_hashdeep(names: Vec<String>) -> Result<Vec<String>, Trouble> {
    let order = ["md5", "sha1", "sha256"];
    let mut names: Vec<_> = names.into_iter().filter(|name| order.contains(&&**name)).collect();
    names.sort_by_key(|name| order.iter().position(|known| known == name));
    if names.is_empty() { Err("hashdeep has none of the algorithms".into()) } else { Ok(names) }
}

/// Writes the list. Returns the number of objects that are not in it.
fn write(
    out: &mut impl Write,
    format: Format,
    is_whole: bool,
    computations: &[Computation],
    entries: BTreeMap<Vec<u8>, Entry>,
) -> io::Result<usize> {
    let tags: Vec<_> = computations.iter().map(|computation| computation.tag()).collect();
    let layout = match format {
        Format::Bagit => LineLayout::Bag,
        Format::Sha256sum | Format::Hashdeep => LineLayout::Untagged { binary: false },
    };
    let style = Style { layout, encoding: Encoding::Hex, zero: false };
    let hashdeep = (format == Format::Hashdeep).then_some(ForeignFormat::Hashdeep);
    let mut lines = Vec::new();
    if let Some(list) = hashdeep {
        list.begin(tags.iter().map(|tag| &**tag), &mut lines);
    }
    let mut missing = 0;
    for (name, Entry { size, digests }) in entries {
        let digests: Option<Vec<_>> = digests.into_iter().map(|digest| digest?.ok()).collect();
        match (hashdeep, digests) {
            (Some(list), Some(digests)) if list.supports_name(&name) => {
                let digests = tags.iter().zip(&digests).map(|(tag, digest)| (&**tag, &**digest));
                list.write(&name, size.unwrap_or_default(), digests, &mut Vec::new(), &mut lines);
            }
            (None, Some(digests)) => {
                // `sha256sum -c` would read its input, or a file that is not below the location
                let is_other = !is_whole && (name == b"-" || name.starts_with(b"/"));
                let here: &[u8] = if is_other && layout != LineLayout::Bag { b"./" } else { b"" };
                let name = [here, &name].concat();
                style.write(&computations[0], &tags[0], &name, &digests[0], &mut lines);
            }
            _ => missing += 1,
        }
        out.write_all(&lines)?;
        lines.clear();
    }
    out.write_all(&lines)?;
    out.flush()?;
    Ok(missing)
}
