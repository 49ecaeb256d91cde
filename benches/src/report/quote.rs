//! Figures of a report where documents quote it: the text between `<!-- record: NAME -->` and
//! `<!-- end of record -->` is written anew from the record.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

use super::{RECORD, headline, page::tables};
use crate::row::{Row, read_csv};

const BEGIN: &str = "<!-- record: ";
const END: &str = "<!-- end of record -->";

/// Writes the figures of the report in `folder` into each of `documents`.
///
/// # Errors
/// If files cannot be read or written, or a document asks for a figure that there is not.
pub fn quote(folder: &Path, documents: &[impl AsRef<Path>]) -> Result<()> {
    let rows = read_csv(&folder.join(RECORD))?;
    for path in documents.iter().map(AsRef::as_ref) {
        let name = || path.display().to_string();
        let text = fs::read_to_string(path).with_context(name)?;
        fs::write(path, quoted(&text, &rows).with_context(name)?).with_context(name)?;
    }
    Ok(())
}

fn quoted(text: &str, rows: &[Row]) -> Result<String> {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (name, after) = after.split_once(" -->").context("a mark is not closed")?;
        let (_, after) = after.split_once(END).context("a quotation has no end")?;
        result += &format!("{before}{BEGIN}{name} -->\n\n{}\n{END}", block(name, rows)?);
        rest = after;
    }
    Ok(result + rest)
}

/// A named part of the record, as Markdown.
fn block(name: &str, rows: &[Row]) -> Result<String> {
    let own = || rows.iter().filter(|row| !row.name.starts_with('['));
    Ok(match name {
        "headline" => tables::short(&headline::rows(rows)),
        "missed" => {
            tables::short(&own().filter(|row| row.met() == Some(false)).collect::<Vec<_>>())
        }
        "lost" => tables::short(&own().filter(|row| lost(row)).collect::<Vec<_>>()),
        _ => bail!("a record has no part {name}"),
    })
}

/// Whether somebody else is clearly faster.
fn lost(row: &Row) -> bool {
    row.ratio.is_some_and(|ratio| ratio < 0.97)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, ratio: f64) -> Row {
        Row {
            name: name.to_owned(),
            bytes: 1,
            ours_s: Some(1.0),
            peer_s: Some(ratio),
            ratio: Some(ratio),
            ..Row::default()
        }
    }

    #[test]
    fn the_text_around_a_quotation_stays() {
        let text = "a\n<!-- record: lost -->old<!-- end of record -->\nb";
        let rows = [row("won", 2.0), row("gone", 0.5)];
        let new = quoted(text, &rows).unwrap();
        assert!(new.starts_with("a\n<!-- record: lost -->\n\n|"), "{new}");
        assert!(new.ends_with("|\n\n<!-- end of record -->\nb"), "{new}");
        assert!(new.contains("gone") && !new.contains("won") && !new.contains("old"), "{new}");
        assert_eq!(quoted(&new, &rows).unwrap(), new);
    }

    #[test]
    fn a_part_that_is_not_there_is_an_error() {
        assert!(quoted("<!-- record: none --><!-- end of record -->", &[]).is_err());
    }
}
