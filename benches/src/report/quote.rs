//! Figures of a record where documents quote it: the text between `<!-- record: NAME -->` and
//! `<!-- end of record -->` is written anew from the record.

use std::{collections::HashSet, fs, path::Path};

use anyhow::{Context, Result, bail};

use super::{headline, tables};
use crate::{contest::ITSELF, record::Record, row::Row, sections::Table};

const BEGIN: &str = "<!-- record: ";
const END: &str = "<!-- end of record -->";

/// Writes the figures of the records in `files` into each of `documents`, side by side.
pub(crate) fn quote(files: &[impl AsRef<Path>], documents: &[impl AsRef<Path>]) -> Result<()> {
    let records = files.iter().map(|file| Record::read(file.as_ref()));
    let records: Vec<Record> = records.collect::<Result<_>>()?;
    for path in documents.iter().map(AsRef::as_ref) {
        let name = || path.display().to_string();
        let text = fs::read_to_string(path).with_context(name)?;
        fs::write(path, with_figures(&text, &records).with_context(name)?).with_context(name)?;
    }
    Ok(())
}

fn with_figures(text: &str, records: &[Record]) -> Result<String> {
    let records = &with_functions(records);
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (name, after) = after.split_once(" -->").context("a mark is not closed")?;
        let (_, after) = after.split_once(END).context("a quotation has no end")?;
        result += &format!("{before}{BEGIN}{name} -->\n\n{}\n{END}", part(name, records)?);
        rest = after;
    }
    Ok(result + rest)
}

/// The records, where a peer that computes another function in one of them does so in all: older ones do not note it.
fn with_functions(records: &[Record]) -> Vec<Record> {
    let line = |row: &Row| [&row.section, &row.name, &row.peer].map(String::clone);
    let all = records.iter().flat_map(|record| &record.rows);
    let others: HashSet<_> = all.filter(|row| row.other_function).map(line).collect();
    let mut records = records.to_vec();
    for row in records.iter_mut().flat_map(|record| &mut record.rows) {
        row.other_function = others.contains(&line(row));
    }
    records
}

/// A named part of the records, as Markdown.
fn part(name: &str, records: &[Record]) -> Result<String> {
    Ok(match name {
        "headline" => {
            let rows: Vec<_> = records.iter().map(|record| headline::rows(&record.rows)).collect();
            tables::side_by_side(&names(records), &rows)
        }
        "hashes" => {
            let own = |row: &&Row| row.section == Table::Hashes.name() && row.ratio.is_some();
            let all = || records.iter().flat_map(|record| &record.rows).filter(own);
            let rows = select(records, |row| own(&row) && is_best_peer(row, all()));
            tables::side_by_side(&names(records), &rows)
        }
        "lost" => {
            let all = records.iter().flat_map(|record| &record.rows);
            let keys: HashSet<_> = all.filter(|row| lost(row)).map(Row::key).collect();
            let rows = select(records, |row| keys.contains(&row.key()));
            tables::speed_ups(&names(records), &rows)
        }
        "examples" => of_each(records, tables::gains, |row| {
            row.section == Table::Examples.name() && row.ratio.is_some()
        }),
        _ => bail!("a record has no part {name}"),
    })
}

/// Some rows of every record.
fn select(records: &[Record], wanted: impl Fn(&Row) -> bool) -> Vec<Vec<&Row>> {
    records.iter().map(|record| record.rows.iter().filter(|row| wanted(row)).collect()).collect()
}

/// A table of some rows of every record, one record after the other.
fn of_each(
    records: &[Record],
    table: fn(&[&Row]) -> String,
    wanted: impl Fn(&Row) -> bool,
) -> String {
    let tables = records.iter().filter_map(|record| {
        let own = record.rows.iter().filter(|row| !row.is_in_paper() && wanted(row));
        let own: Vec<&Row> = own.collect();
        let table = if own.is_empty() { return None } else { table(&own) };
        Some(if records.len() == 1 { table } else { format!("{}:\n\n{table}", record.name) })
    });
    tables.collect::<Vec<_>>().join("\n")
}

fn names(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| &*record.name).collect()
}

/// Whether another implementation is clearly faster than our best. Figures of the papers and forced backends do not
/// count.
fn lost(row: &Row) -> bool {
    let forced = row.name.contains(&format!(" on {}", row.ours));
    let tables = [Table::Calibrate, Table::Instructions, Table::Model, Table::Memory];
    let other = tables.iter().any(|table| row.section == table.name());
    let rival = !row.is_in_paper() && !other && is_rival(row);
    rival && !forced && row.ratio.is_some_and(|ratio| ratio < 0.97)
}

/// Whether the peer is another implementation of the same function: not another of our methods, nor `cat`, which does
/// not hash.
fn is_rival(row: &Row) -> bool {
    const NO_RIVALS: [&str; 7] =
        ["1 thread", "Lanes", "cat", "hashing", ITSELF, "linear", "portable"];
    !row.other_function && !NO_RIVALS.contains(&&*row.peer) && !row.peer.contains("jlanes")
}

/// Whether the row compares with the fastest of its peers, on any of the CPUs.
fn is_best_peer<'a>(row: &Row, rows: impl Iterator<Item = &'a Row>) -> bool {
    let same =
        |other: &&Row| (&other.name, &other.size) == (&row.name, &row.size) && is_rival(other);
    let ratio = |row: &Row| row.ratio.unwrap_or(f64::INFINITY);
    let best = rows.filter(same).min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    best.is_none_or(|best| best.peer == row.peer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::age::Age;

    fn row(name: &str, ratio: f64) -> Row {
        Row {
            name: name.to_owned(),
            bytes: 1,
            ours_s: Some(1.0),
            peer_s: Some(ratio),
            ratio: Some(ratio),
            age: Age::Today,
            ..Row::default()
        }
    }

    #[test]
    fn the_text_around_a_quotation_stays() {
        let text = "a\n<!-- record: lost -->old<!-- end of record -->\nb";
        let forced = Row { ours: "avx2".to_owned(), ..row("forced on avx2", 0.5) };
        let records = [record(&[row("won", 2.0), row("gone", 0.5), forced])];
        let new = with_figures(text, &records).unwrap();
        assert!(new.starts_with("a\n<!-- record: lost -->\n\n|"), "{new}");
        assert!(new.ends_with("|\n\n<!-- end of record -->\nb"), "{new}");
        assert!(new.contains("gone") && !new.contains("won") && !new.contains("old"), "{new}");
        assert!(!new.contains("forced"), "{new}");
        assert_eq!(with_figures(&new, &records).unwrap(), new);
    }

    #[test]
    fn of_several_peers_the_fastest_is_shown() {
        let against = |peer: &str, ratio| Row {
            section: Table::Hashes.name(),
            peer: peer.to_owned(),
            ..row("hash", ratio)
        };
        let rows = [
            against("slow", 5.0),
            against("fast", 3.0),
            Row { other_function: true, ..against("BLAKE3", 0.5) },
            against("jlanes, other", 0.5),
        ];
        let new = with_figures("<!-- record: hashes --><!-- end of record -->", &[record(&rows)])
            .unwrap();
        assert!(new.contains("| fast |") && new.contains("**3.00**"), "{new}");
        assert_eq!(new.matches("| hash |").count(), 1, "{new}");
        let lost =
            with_figures("<!-- record: lost --><!-- end of record -->", &[record(&rows)]).unwrap();
        assert!(!lost.contains("| hash |"), "{lost}");
    }

    fn record(rows: &[Row]) -> Record {
        Record { name: "cpu".to_owned(), rows: rows.to_vec() }
    }

    #[test]
    fn records_stand_side_by_side() {
        let one = |ratio| Row {
            section: "batches".to_owned(),
            size: "16 x 64 KiB".to_owned(),
            peer: "sha2".to_owned(),
            ..row("SHA-256 batch", ratio)
        };
        let text = "<!-- record: headline --><!-- end of record -->";
        let new =
            with_figures(text, &[record(&[one(2.0)]), record(&[]), record(&[one(3.0)])]).unwrap();
        assert!(new.contains("| **2.00** |  |  | "), "{new}");
        assert!(new.contains("**3.00** |"), "{new}");
        let of_age = |age| Row { age, ..one(4.0) };
        let rows = [Age::Today, Age::Changed, Age::Unknown].map(|age| record(&[of_age(age)]));
        let new = with_figures(text, &rows).unwrap();
        let marked = ["**4.00** |", "**4.00** † |", "**4.00** ? |"];
        assert!(marked.iter().all(|cell| new.matches(cell).count() == 1), "{new}");
    }

    #[test]
    fn documents_have_the_figures_of_the_records_that_they_name() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (document, count) in [("docs/PERFORMANCE.md", 4), ("examples/README.md", 1)] {
            let text = fs::read_to_string(root.join(document)).unwrap();
            let names = text.split("records/").filter_map(|rest| rest.split_once(".csv)"));
            let records: Vec<_> = names
                .map(|(name, _)| name)
                .map(|name| Record::read(&root.join(format!("docs/records/{name}.csv"))).unwrap())
                .collect();
            assert_eq!(records.len(), count, "{document} names its records");
            assert_eq!(with_figures(&text, &records).unwrap(), text, "{document}");
        }
    }

    #[test]
    fn a_part_that_is_not_there_is_an_error() {
        assert!(with_figures("<!-- record: none --><!-- end of record -->", &[]).is_err());
    }
}
