//! Whole processes over directories: `jlanes-sum` compared with what people run now.

mod stock;
mod table;
mod tools;

use std::{fs, rc::Rc};

use anyhow::Result;
use tempfile::TempDir;

use self::{
    stock::Stock,
    tools::{Job, Program},
};
use crate::{
    contest::Line,
    measure::Plan,
    process::{Answer, Cache, Site, Times, Tool, alternate},
    row::Row,
};

pub use table::contests;

/// A line of the table: what runs over which files, and how much faster we mean to be.
pub struct FileContest {
    /// The name of the line.
    pub name: &'static str,
    stock: Rc<Stock>,
    ours: Program,
    rivals: Vec<Rival>,
    cache: Cache,
    /// Whether memory is measured too.
    memory: bool,
}

struct Rival {
    program: Program,
    target: Option<f64>,
    /// Whether its digests are another function's.
    other_function: bool,
}

impl FileContest {
    fn new(name: &'static str, stock: &Rc<Stock>, ours: Program) -> Self {
        let (stock, rivals) = (Rc::clone(stock), Vec::new());
        Self { name, stock, ours, rivals, cache: Cache::Hot, memory: false }
    }

    fn rival(mut self, program: Program, target: Option<f64>, other_function: bool) -> Self {
        self.rivals.push(Rival { program, target, other_function });
        self
    }

    /// A program with `target` as the wanted speed-up.
    fn against(self, program: Program, target: impl Into<Option<f64>>) -> Self {
        self.rival(program, target.into(), false)
    }

    /// The same of a program that computes another function.
    fn against_other(self, program: Program, target: impl Into<Option<f64>>) -> Self {
        self.rival(program, target.into(), true)
    }

    /// Programs to compare with.
    fn beside(self, programs: &[Program]) -> Self {
        programs.iter().fold(self, |line, program| line.rival(*program, None, false))
    }

    /// The same of programs that compute another function.
    fn beside_others(self, programs: &[Program]) -> Self {
        programs.iter().fold(self, |line, program| line.rival(*program, None, true))
    }

    /// Says that files come from the disk each time.
    fn cold(self) -> Self {
        Self { cache: Cache::Cold, ..self }
    }

    /// Says that memory matters.
    fn with_memory(self) -> Self {
        Self { memory: true, ..self }
    }

    /// The tools, ours first.
    fn tools(&self, site: &Site<'_>) -> Result<Vec<Tool>> {
        let mut tools = vec![self.ours.tool(site)?];
        for rival in &self.rivals {
            let tool = rival.program.tool(site)?;
            let other = rival.other_function && tool.answer != Answer::Status;
            tools.push(if other { tool.answering(Answer::OtherDigests) } else { tool });
        }
        if self.ours == Program::Ours(Job::Check) {
            tools[1].name = "hashing".to_owned();
        }
        Ok(tools)
    }
}

impl Line for FileContest {
    fn title(&self) -> String {
        self.name.to_owned()
    }

    fn run(&self, section: &str, plan: Plan) -> Result<Vec<Row>> {
        let corpus = self.stock.corpus()?;
        let scratch = TempDir::with_prefix("jlanes-bench-")?;
        let (directory, names) = (corpus.directory(), &corpus.names[..]);
        let site = Site { directory, names, scratch: scratch.path(), cache: self.cache };
        if self.ours == Program::Ours(Job::Check) {
            // A tool that cannot make its list cannot check it either: that gap shows below.
            let made = site.output(&Program::Ours(Job::Hash).tool(&site)?).unwrap_or_default();
            fs::write(site.list(), made)?;
        }
        let tools = self.tools(&site)?;
        let times = alternate(&site, &tools, plan)?;
        let peaks: Vec<Option<u64>> = tools
            .iter()
            .map(|tool| if self.memory { site.peak(tool).ok() } else { None })
            .collect();

        let rows = self.rivals.iter().enumerate().map(|(i, rival)| {
            let row = Row {
                section: section.to_owned(),
                name: self.name.to_owned(),
                size: corpus.shape.clone(),
                ours: tools[0].name.clone(),
                peer: tools[i + 1].name.clone(),
                bytes: corpus.bytes,
                target: rival.target,
                ours_peak: peaks[0],
                peer_peak: peaks[i + 1],
                ..Row::default()
            };
            fill(row, &times[0], &times[i + 1])
        });
        Ok(rows.collect())
    }
}

fn fill(row: Row, ours: &Result<Times, String>, theirs: &Result<Times, String>) -> Row {
    match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => Row {
            ours_cpu_s: Some(ours.cpu.median()),
            peer_cpu_s: Some(theirs.cpu.median()),
            ..row.timed(&ours.wall, &theirs.wall)
        },
        (Err(why), _) => Row { gap: Some(format!("{}: {why}", row.ours)), ..row },
        (_, Err(why)) => Row { gap: Some(format!("{}: {why}", row.peer)), ..row },
    }
}
