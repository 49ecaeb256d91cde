//! A record as a page with charts.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::{headline, plot, tables};
use crate::{
    record::{MACHINE, Record, slug},
    row::Row,
    sections::{
        Table, calibrate,
        figures::{self, Plot},
    },
    workload,
};

/// Writes the page of `record` and its charts in a folder of its name, which it returns.
pub(crate) fn write(record: &Record, parent: &Path) -> Result<PathBuf> {
    let folder = parent.join(&record.name);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let mut page = Page { record, folder: &folder, text: String::new() };
    page.write()?;
    fs::write(folder.join("README.md"), page.text)?;
    Ok(folder)
}

const INTRODUCTION: &str = "\
Made by `jlanes-bench report`. In each table all contestants ran alternately in one process (or as alternating \
processes, for files), digests were compared wherever two compute the same function, and figures are medians over \
the rounds, ± half the distance between the quartiles. The ratio says how many times as fast as the peer jlanes is, \
with its quartiles; a target counts as missed if they exclude it. Cycles (c/B) are the core's own, by a chain of \
dependent multiplications. In-process times are this thread's, so that other load does not count; work on several \
threads and whole processes are timed by the wall clock. The limit is that of a core's ports for 512-bit operations. \
A line that names a backend forces it: so it imitates a CPU that has nothing better. `itself` is our method once more: \
noise.";

const FILES: &str = "\
Whole processes, timed by the wall clock. DIVERSE has 350 files of 79 MB together, their sizes evenly \
on a logarithmic scale from 1 KiB; UNIFORM has 8 files of 17.76 MB. Cold: the page cache is dropped \
before each run. Memory is the most that was resident.";

/// The page as far as it is written.
struct Page<'r> {
    record: &'r Record,
    folder: &'r Path,
    text: String,
}

impl<'r> Page<'r> {
    fn write(&mut self) -> Result<()> {
        let Record { name, rows } = self.record;
        let _ = write!(self.text, "# jlanes: {name}\n\n{INTRODUCTION}\n");
        for row in rows.iter().filter(|row| row.failed()) {
            let _ = write!(
                self.text,
                "\n**{}: {}**\n",
                row.name,
                row.gap.as_deref().unwrap_or_default()
            );
        }
        let short = headline::rows(rows);
        self.heading(2, "In short");
        self.chart("headline", |path| plot::ratios(path, "Compared with the others", &short))?;
        self.text += &tables::side_by_side(&["jlanes"], &[short]);
        self.heading(2, "Targets");
        let targets = self.rows(|row| row.target.is_some() && !calibrate::is_of_policy(row));
        let count = |met| targets.iter().filter(|row| row.met() == met).count();
        let (met, missed, open) = (count(Some(true)), count(Some(false)), count(None));
        let _ = write!(self.text, "{met} met, {missed} missed, {open} not measured. Missed:\n\n");
        let missed = targets.into_iter().filter(|row| row.met() == Some(false));
        self.text += &tables::contests(&missed.collect::<Vec<_>>());
        self.heading(2, "The machine");
        let facts = self.rows(|row| row.section == MACHINE).into_iter();
        let facts = facts.map(|row| vec![row.name.clone(), row.size.clone()]);
        let cpu = rows.first().map(|row| vec!["CPU".to_owned(), row.cpu.clone()]);
        self.text += &tables::table(&["", ""], cpu.into_iter().chain(facts));
        Table::ALL.into_iter().try_for_each(|table| self.section(table))
    }

    fn section(&mut self, table: Table) -> Result<()> {
        let rows = self.rows(|row| row.section == table.name());
        if rows.is_empty() {
            return Ok(());
        }
        self.heading(2, table.title());
        match table {
            Table::Figures => {
                for figure in figures::all() {
                    let rows = self.rows(|row| row.name == figure.title);
                    self.figure(figure.title, figure.caption, figure.plot, &rows)?;
                }
                return Ok(());
            }
            Table::Calibrate => return self.policies(&rows),
            _ => {}
        }
        let (in_papers, own): (Vec<&Row>, Vec<&Row>) =
            rows.into_iter().partition(|row| row.is_in_paper());
        let mut plotted = own.clone();
        plotted.retain(|row| row.target.is_some() && row.ratio.is_some());
        self.chart(&table.name(), |path| plot::ratios(path, table.title(), &plotted))?;
        self.text += &tables::contests(&own);
        for rows in in_papers.chunk_by(|a, b| a.name == b.name) {
            self.figure(&rows[0].name, FILES, Plot::Methods, rows)?;
        }
        Ok(())
    }

    /// A figure of a paper.
    fn figure(&mut self, title: &str, caption: &str, kind: Plot, rows: &[&Row]) -> Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        self.heading(3, title);
        let _ = write!(self.text, "{caption}\n\n");
        self.chart(title, |path| match kind {
            Plot::Sizes => {
                let log = |row: &Row| row.bytes.max(1).ilog2();
                plot::lines(path, title, "bytes in all", rows, log, |log| workload::human(1 << log))
            }
            Plot::Methods => plot::methods(path, title, rows),
            Plot::Ratios => plot::ratios(path, title, rows),
        })?;
        self.text += &tables::contests(rows);
        Ok(())
    }

    /// Speeds by live lanes, hash by hash, then what kernels cost.
    fn policies(&mut self, rows: &[&'r Row]) -> Result<()> {
        let (policies, others): (Vec<&Row>, Vec<&Row>) =
            rows.iter().partition(|row| calibrate::is_of_policy(row));
        self.text += "GB/s of the live lanes' bytes, in cache.\n";
        for rows in policies.chunk_by(|a, b| a.name == b.name) {
            let hash = &rows[0].name;
            self.heading(3, hash);
            self.chart(hash, |path| {
                plot::lines(path, hash, "live lanes", rows, calibrate::live_lanes, u32::to_string)
            })?;
            let mut lines = rows.chunk_by(|a, b| a.size == b.size).peekable();
            let first = lines.peek().into_iter().flat_map(|rows| rows.iter());
            let backends = first.map(|row| row.peer.as_str());
            let head: Vec<&str> =
                ["live"].into_iter().chain(backends).chain(["auto", "auto takes", ""]).collect();
            let cells = lines.map(|rows| {
                let ours = rows[0];
                let seconds = rows.iter().map(|row| row.peer_s).chain([ours.ours_s]);
                let speed = |s: f64| format!("{:.2}", ours.gigabytes_per_second(s));
                let speeds = seconds.map(|s| s.map_or_else(String::new, speed));
                let missed = rows.iter().any(|row| row.met() == Some(false));
                let kernel = ours.kernel.clone().unwrap_or_default();
                let verdict = if missed { "loses more than 5 %" } else { "" };
                let live = calibrate::live_lanes(ours).to_string();
                [live].into_iter().chain(speeds).chain([kernel, verdict.to_owned()]).collect()
            });
            self.text += &tables::table(&head, cells);
        }
        self.heading(3, "Costs of kernels, and noise");
        self.text += &tables::contests(&others);
        Ok(())
    }

    fn rows(&self, wanted: impl Fn(&Row) -> bool) -> Vec<&'r Row> {
        self.record.rows.iter().filter(|row| wanted(row)).collect()
    }

    fn heading(&mut self, level: usize, title: &str) {
        let _ = write!(self.text, "\n{} {title}\n\n", "#".repeat(level));
    }

    /// A chart, unless there is nothing to be drawn.
    fn chart(&mut self, name: &str, draw: impl FnOnce(&Path) -> Result<bool>) -> Result<()> {
        let file = format!("{}.svg", slug(name));
        if draw(&self.folder.join(&file))? {
            let _ = write!(self.text, "![{name}]({file})\n\n");
        }
        Ok(())
    }
}
