//! The programs of the package `jlanes-examples` that do the job of another crate or tool. They time
//! both, compare the results, and print what we read here.

use std::{env, path::PathBuf, process::Command};

use anyhow::{Context, Result, ensure};

use crate::{
    contest::Line,
    measure::{Samples, Timing},
    row::Row,
};

/// Runs of a program, each of which takes the best of many times.
const RUNS: usize = 3;

/// A program with all its jobs.
pub(crate) struct Example(&'static str);

pub(crate) const PROGRAMS: [Example; 7] = [
    Example("slh_dsa"),
    Example("ethereum"),
    Example("bitcoin"),
    Example("backup"),
    Example("content_store"),
    Example("passwords"),
    Example("torrent"),
];

/// A job in the program's own words, the peer, and both times in seconds, the peer's first.
type Job = (String, String, [f64; 2]);

impl Example {
    fn path(&self) -> Result<PathBuf> {
        Ok(env::current_exe()?.with_file_name("examples").join(self.0))
    }

    fn jobs(&self) -> Result<Vec<Job>> {
        let output = Command::new(self.path()?).output()?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}: {errors}", output.status);
        let jobs: Vec<Job> = String::from_utf8(output.stdout)?.lines().filter_map(job).collect();
        ensure!(!jobs.is_empty(), "it prints no times");
        Ok(jobs)
    }

    /// The target: a speed-up of three over `slh-dsa` in signing.
    fn target(&self, work: &str) -> Option<f64> {
        (self.0 == "slh_dsa" && work.ends_with("signature")).then_some(3.0)
    }
}

/// The job in a line that looks like `headers: 30.0 ms with bitcoin_hashes 1.2.0, 14.0 ms with jlanes`.
fn job(line: &str) -> Option<Job> {
    let (rest, after) = line.strip_suffix(" ms with jlanes")?.rsplit_once(", ")?;
    let (rest, peer) = rest.rsplit_once(" ms with ")?;
    let (work, before) = rest.rsplit_once(": ")?;
    let seconds = |text: &str| Some(text.parse::<f64>().ok()? / 1e3);
    Some((work.to_owned(), peer.to_owned(), [seconds(before)?, seconds(after)?]))
}

impl Line for Example {
    fn title(&self) -> String {
        format!("example {}", self.0)
    }

    fn run(&self, timing: Timing) -> Result<Vec<Row>> {
        let row = Row { name: self.0.to_owned(), ours: "jlanes".to_owned(), ..Row::default() };
        if !self.path()?.exists() {
            return Ok(vec![Row { gap: Some("it is not built".to_owned()), ..row }]);
        }
        let runs = (0..timing.rounds.min(RUNS)).map(|_| self.jobs()).collect::<Result<Vec<_>>>()?;
        let rows = runs[0].iter().map(|(work, peer, _)| {
            let times = runs.iter().map(|run| {
                let same = run.iter().find(|job| (&job.0, &job.1) == (work, peer));
                Ok(same.with_context(|| format!("{work} is not in all runs"))?.2)
            });
            let times = times.collect::<Result<Vec<[f64; 2]>>>()?;
            let [theirs, ours] = [0, 1].map(|i| Samples(times.iter().map(|run| run[i]).collect()));
            let row = Row {
                size: work.clone(),
                peer: peer.clone(),
                target: self.target(work),
                ..row.clone()
            };
            Ok(row.timed(&ours, &theirs))
        });
        rows.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::job;

    #[test]
    fn times_are_read_and_other_lines_are_not() {
        let line =
            "229 MB in 177 chunks, SHA-256 ids: 270.0 ms with sha2 0.11.1, 1.63 ms with jlanes";
        let (work, peer) = ("229 MB in 177 chunks, SHA-256 ids", "sha2 0.11.1");
        assert_eq!(job(line), Some((work.into(), peer.into(), [0.27, 0.00163])));
        assert_eq!(job("gain: 1.7x over sha2 0.11.1, 229 MB in 177 chunks"), None);
        assert_eq!(job("nar: 00ff package"), None);
    }
}
