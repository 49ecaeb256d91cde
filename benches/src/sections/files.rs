//! Whole processes over directories: `jlanes-sum` compared with what people run now.

mod lines;
mod tools;

use std::{cell::OnceCell, fs, rc::Rc};

use anyhow::Result;
use tempfile::TempDir;

pub(crate) use self::lines::contests;
use crate::{
    contest::Line,
    corpus::Corpus,
    measure::Timing,
    process::{LIST, OutputKind, Site, Times, Tool, alternate},
    row::Row,
    workload::Workload,
};

/// A line of the table: what runs over which files, and how much faster we mean to be.
pub(crate) struct FileContest {
    name: &'static str,
    lazy_corpus: Rc<LazyCorpus>,
    ours: Tool,
    /// The others, each with the ratio that we mean to reach.
    rivals: Vec<(Tool, Option<f64>)>,
    cold: bool,
    /// Whether memory is measured too.
    memory: bool,
}

impl FileContest {
    fn new(name: &'static str, lazy_corpus: &Rc<LazyCorpus>, ours: Tool) -> Self {
        let (lazy_corpus, rivals) = (Rc::clone(lazy_corpus), Vec::new());
        Self { name, lazy_corpus, ours, rivals, cold: false, memory: false }
    }

    /// A program with `target` as the wanted speed-up.
    fn against(mut self, tool: Tool, target: f64) -> Self {
        self.rivals.push((tool, Some(target)));
        self
    }

    fn beside(mut self, tools: impl IntoIterator<Item = Tool>) -> Self {
        self.rivals.extend(tools.into_iter().map(|tool| (tool, None)));
        self
    }

    /// Says that files come from the disk each time.
    fn cold(self) -> Self {
        Self { cold: true, ..self }
    }

    fn with_memory(self) -> Self {
        Self { memory: true, ..self }
    }
}

impl Line for FileContest {
    fn title(&self) -> String {
        self.name.to_owned()
    }

    fn run(&self, timing: Timing) -> Result<Vec<Row>> {
        let corpus = self.lazy_corpus.corpus()?;
        let scratch = TempDir::with_prefix("jlanes-bench-")?;
        let (directory, names) = (corpus.directory(), &corpus.names[..]);
        let site = Site { directory, names, scratch: scratch.path(), cold: self.cold };
        if self.ours.command.iter().any(|word| word == LIST) {
            // A tool that cannot make its list cannot check it either: that gap shows below.
            fs::write(site.list(), site.output(&tools::ours()).unwrap_or_default())?;
        }
        let rivals = self.rivals.iter().map(|(tool, _)| tool.clone());
        let tools: Vec<Tool> = [self.ours.clone()].into_iter().chain(rivals).collect();
        let times = alternate(&site, &tools, timing)?;
        let peaks: Vec<Option<u64>> = tools
            .iter()
            .map(|tool| if self.memory { site.peak(tool).ok() } else { None })
            .collect();

        let rows = self.rivals.iter().enumerate().map(|(i, (rival, target))| {
            let row = Row {
                name: self.name.to_owned(),
                size: corpus.description.clone(),
                ours: self.ours.name.clone(),
                peer: rival.name.clone(),
                other_function: rival.output_kind == OutputKind::OtherDigests,
                bytes: corpus.bytes,
                target: *target,
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

/// Files that several lines share. The first line that needs them makes them.
struct LazyCorpus {
    /// A file for each message; without, the sources that cargo unpacked.
    workload: Option<Workload>,
    corpus: OnceCell<Corpus>,
}

impl LazyCorpus {
    fn new(workload: impl Into<Option<Workload>>) -> Rc<Self> {
        Rc::new(Self { workload: workload.into(), corpus: OnceCell::new() })
    }

    fn corpus(&self) -> Result<&Corpus> {
        if let Some(corpus) = self.corpus.get() {
            return Ok(corpus);
        }
        let corpus = self.workload.as_ref().map_or_else(Corpus::cargo_registry, Corpus::make)?;
        Ok(self.corpus.get_or_init(|| corpus))
    }
}
