//! `export`: lists for other programs.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter, Write},
    path::Path,
};

use clap::ValueEnum;

use super::Trouble;
use crate::{manifest::Manifest, name::Names};

/// The tool that reads the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The format of `sha256sum -c` and similar tools
    Sha256sum,
    /// The payload manifest of a bag (RFC 8493), for manifest-ALGORITHM.txt
    Bagit,
    /// The format of `hashdeep -a -k`
    Hashdeep,
}

/// The algorithms of hashdeep, in its order.
const HASHDEEP: [&str; 3] = ["md5", "sha1", "sha256"];

/// An object of the list.
struct Entry {
    size: Option<u64>,
    /// In the order of the algorithms that are exported.
    digests: Vec<Option<Vec<u8>>>,
}

/// Prints a list sorted by name. Objects without digests are reported, and the command fails.
pub(crate) fn export(
    directory: &Path,
    format: Format,
    algorithm: Option<String>,
    absolute: bool,
) -> Result<bool, Trouble> {
    let manifest = Manifest::existing(directory)?;
    let about = &manifest.about;
    let names = if absolute || about.locations.len() != 1 {
        Names::whole()
    } else {
        Names::below(&about.locations)?
    };
    let has = |name: &str| about.algorithms.iter().any(|other| other == name);
    let chosen: Vec<String> = match (format, algorithm) {
        (_, Some(name)) if !has(&name) => return Err(format!("the manifest has no {name}")),
        (Format::Hashdeep, Some(name)) if !HASHDEEP.contains(&&*name) => {
            return Err(format!("hashdeep has no {name}"));
        }
        (_, Some(name)) => vec![name],
        (Format::Hashdeep, None) => {
            HASHDEEP.iter().filter(|name| has(name)).map(ToString::to_string).collect()
        }
        (_, None) => about.algorithms.clone(),
    };
    match (format, chosen.len()) {
        (_, 0) => return Err("hashdeep has none of the manifest's algorithms".into()),
        (Format::Sha256sum | Format::Bagit, 2..) => {
            return Err("the manifest has several algorithms: choose one by --algorithm".into());
        }
        _ => {}
    }

    let mut entries: BTreeMap<Vec<u8>, Entry> = BTreeMap::new();
    manifest.rows(|row| {
        let Some(at) = chosen.iter().position(|name| *name == row.algorithm) else { return };
        let entry = entries
            .entry(names.bytes(&row.url))
            .or_insert_with(|| Entry { size: row.meta.size, digests: vec![None; chosen.len()] });
        entry.digests[at] = row.digest.ok();
    })?;
    let written = write(&mut BufWriter::new(io::stdout().lock()), format, &chosen, &entries);
    match written {
        Ok(0) => Ok(true),
        Ok(missing) => {
            eprintln!(
                "jlanes-inventory: objects without digests, which are not in the list: {missing}"
            );
            Ok(false)
        }
        Err(error) => Err(error.to_string()),
    }
}

fn write(
    out: &mut impl Write,
    format: Format,
    algorithms: &[String],
    entries: &BTreeMap<Vec<u8>, Entry>,
) -> io::Result<usize> {
    if format == Format::Hashdeep {
        writeln!(out, "%%%% HASHDEEP-1.0\n%%%% size,{},filename", algorithms.join(","))?;
        writeln!(out, "## Invoked from: jlanes-inventory\n## ")?;
    }
    let mut missing = 0;
    for (name, entry) in entries {
        let digests: Option<Vec<String>> =
            entry.digests.iter().map(|digest| digest.as_ref().map(hex::encode)).collect();
        let Some(digests) = digests else {
            missing += 1;
            continue;
        };
        match format {
            Format::Sha256sum => {
                let (mark, name) = sum_name(name);
                write!(out, "{mark}{}  ", digests[0])?;
                out.write_all(&name)?;
            }
            Format::Bagit => {
                write!(out, "{}  data/", digests[0])?;
                out.write_all(&bag_name(name))?;
            }
            Format::Hashdeep => {
                write!(out, "{},{},", entry.size.unwrap_or_default(), digests.join(","))?;
                out.write_all(name)?;
            }
        }
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(missing)
}

/// GNU's escapes: a backslash before the line, and in names for characters that would break it.
fn sum_name(name: &[u8]) -> (&'static str, Vec<u8>) {
    let mut escaped = Vec::with_capacity(name.len());
    for byte in name {
        match byte {
            b'\n' => escaped.extend(b"\\n"),
            b'\r' => escaped.extend(b"\\r"),
            b'\\' => escaped.extend(b"\\\\"),
            plain => escaped.push(*plain),
        }
    }
    (if escaped.len() > name.len() { "\\" } else { "" }, escaped)
}

/// RFC 8493's escapes: line feeds, carriage returns and percent signs are percent-encoded.
fn bag_name(name: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(name.len());
    for byte in name {
        match byte {
            b'\n' => escaped.extend(b"%0A"),
            b'\r' => escaped.extend(b"%0D"),
            b'%' => escaped.extend(b"%25"),
            plain => escaped.push(*plain),
        }
    }
    escaped
}
