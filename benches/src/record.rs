//! A record: everything that was measured on one CPU on one day, as one CSV.

use std::{fs, path::Path, process::Command};

use anyhow::{Context, Result};
use jlanes::Backend;
use time::OffsetDateTime;

use crate::{
    age::{self, CodeHashes},
    clock,
    measure::Samples,
    row::Row,
};

/// A record with the name of its file: the CPU, its class and the day.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) name: String,
    pub(crate) rows: Vec<Row>,
}

/// The section of the machine's facts: `name` is a fact's name, `size` the fact.
pub(crate) const MACHINE: &str = "machine";

impl Record {
    /// A record of today on this CPU. CPUs of several classes have one name on machines that are rented, so the
    /// record's name has the class.
    pub(crate) fn of_today(mut rows: Vec<Row>) -> Result<Self> {
        rows.extend(age::of_this_program(&output("rustc", &["--version"]))?);
        let (model, class) = (cpu_info("model name"), Backend::detect().class());
        let id = ["cpu family", "model\t", "stepping"].map(cpu_info).join("-");
        let (cpu, day) =
            (format!("{model} {id} {class}"), OffsetDateTime::now_utc().date().to_string());
        let name = format!("{}-{day}", slug(&format!("{model} {class}")));
        let stamped = rows.into_iter().map(|row| Row { cpu: cpu.clone(), day: day.clone(), ..row });
        Ok(Self::with_ages(name, stamped.collect()))
    }

    /// With the ages of the rows.
    fn with_ages(name: String, rows: Vec<Row>) -> Self {
        let mut record = Self { name, rows };
        record.compare(&age::today());
        record
    }

    /// Compares the code of the rows' kernels with another.
    pub(crate) fn compare(&mut self, code: &CodeHashes<'_>) {
        let ages: Vec<_> = self.rows.iter().map(|row| age::age(row, &self.rows, code)).collect();
        self.rows.iter_mut().zip(ages).for_each(|(row, age)| row.age = age);
    }

    pub(crate) fn read(path: &Path) -> Result<Self> {
        let read =
            || csv::Reader::from_path(path)?.deserialize().collect::<csv::Result<Vec<Row>>>();
        let rows = read().with_context(|| path.display().to_string())?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(Self::with_ages(name.into_owned(), rows))
    }

    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let write = || {
            let mut writer = csv::Writer::from_path(path)?;
            self.rows.iter().try_for_each(|row| writer.serialize(row))?;
            Ok::<(), csv::Error>(writer.flush()?)
        };
        write().with_context(|| path.display().to_string())
    }
}

/// Rows for the machine: its cores, clock and caches, the system and the compiler.
pub(crate) fn machine_rows(seconds: u64) -> Vec<Row> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let clock = Samples((0..20).map(|_| clock::gigahertz()).collect());
    let backends: Vec<_> = Backend::available().map(|backend| backend.name()).collect();
    let facts = [
        ("Cores in use", cores.to_string()),
        ("Clock, measured", format!("{:.2} GHz", clock.median())),
        ("Caches", caches()),
        ("Backends", backends.join(", ")),
        ("System", output("uname", &["-sr"])),
        ("Compiler", output("rustc", &["--version"])),
        ("This report took", format!("{seconds} s")),
    ];
    let row = |(name, size): (&str, String)| Row {
        section: MACHINE.to_owned(),
        name: name.to_owned(),
        size,
        ..Row::default()
    };
    facts.map(row).into()
}

/// A field of Linux's `/proc/cpuinfo`.
fn cpu_info(name: &str) -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name));
    line.and_then(|line| line.split(": ").nth(1)).unwrap_or("unknown").to_owned()
}

/// Sizes of the first core's caches, as Linux tells them.
fn caches() -> String {
    let sizes = (0..).map_while(|i| {
        let cache = format!("/sys/devices/system/cpu/cpu0/cache/index{i}");
        let read = |name| fs::read_to_string(format!("{cache}/{name}")).ok();
        let (level, kind, size) = (read("level")?, read("type")?, read("size")?);
        Some(format!("L{} {} {}", level.trim(), kind.trim().to_lowercase(), size.trim()))
    });
    sizes.collect::<Vec<_>>().join(", ")
}

/// The output of a command, or that it is not there.
fn output(program: &str, arguments: &[&str]) -> String {
    match Command::new(program).args(arguments).output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Err(_) => format!("no {program} here"),
    }
}

/// A name as part of a path: letters and digits, joined by hyphens.
pub(crate) fn slug(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cpu.csv");
        let figures = Row { ratio: Some(0.1 + 0.2), ours_peak: Some(7), ..Row::default() };
        let gap = Row { gap: Some("none, \"quoted\"".to_owned()), ..Row::default() };
        let record = Record::of_today(vec![figures, gap]).unwrap();
        record.write(&path).unwrap();
        let read = Record::read(&path).unwrap();
        assert_eq!((read.name.as_str(), read.rows), ("cpu", record.rows));
    }
}
