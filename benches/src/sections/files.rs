//! Whole processes over directories: `jlanes-sum` beside what people run now.

use anyhow::Result;
use tempfile::TempDir;

use crate::{
    contest::Line,
    corpus::Corpus,
    measure::Plan,
    process::{Answer, Names, Site, Times, Tool, alternate, jlanes_sum},
    row::Row,
    workload::{KIB, MIB, Workload},
};

/// A line of the table: what runs over which files, and how much faster we mean to be.
pub struct FileContest {
    /// What the line is about.
    pub name: &'static str,
    files: Files,
    /// What we are asked to do.
    ours: Job,
    rivals: Vec<(Rival, Option<f64>)>,
}

/// Files to make, or to find.
enum Files {
    Made(Workload),
    CargoRegistry,
}

/// What `jlanes-sum` can be asked to do.
#[derive(Clone, Copy)]
enum Job {
    /// Print ordinary digests.
    Hash,
    /// Print digests of this algorithm.
    HashBy(&'static str),
    /// Check the list of ordinary digests.
    Check,
}

/// Tools that people have, and one of our own jobs to measure another against.
#[derive(Clone, Copy)]
enum Rival {
    Cat,
    Sha256Sum,
    Sha256SumCheck,
    OpenSsl,
    /// Two processes at a time.
    OpenSslByXargs,
    B3Sum,
    FsVerity,
    OurHashing,
}

use Rival::{B3Sum, Cat, FsVerity, OpenSsl, OpenSslByXargs, OurHashing, Sha256Sum, Sha256SumCheck};

/// The lines of the table.
#[must_use]
pub fn contests() -> Vec<FileContest> {
    let line = |name, files, ours| FileContest { name, files, ours, rivals: Vec::new() };
    let hash = |name, files| line(name, files, Job::Hash);
    let made = |count, length| Files::Made(Workload::equal(count, length));
    let log_normal = || Files::Made(Workload::log_normal(10_000, 4 * KIB));
    let tree = |name, spec| line(name, made(1, 1024 * MIB), Job::HashBy(spec));
    vec![
        hash("tiny files", made(1000, 20)).against(&[Sha256Sum], 1.0).beside(&[
            OpenSsl,
            OpenSslByXargs,
            B3Sum,
            Cat,
        ]),
        hash("large files", made(16, 64 * MIB))
            .against(&[OpenSsl], 4.5)
            .against(&[B3Sum], 1.0 / 1.5)
            .beside(&[Sha256Sum, OpenSslByXargs, Cat]),
        hash("small files", log_normal()).against(&[B3Sum, Cat], 1.0).beside(&[
            Sha256Sum,
            OpenSsl,
            OpenSslByXargs,
        ]),
        hash("cargo registry", Files::CargoRegistry)
            .against(&[OpenSsl], 2.0)
            .against(&[B3Sum, Cat], 1.0)
            .beside(&[Sha256Sum, OpenSslByXargs]),
        hash("one big file", made(1, 1024 * MIB))
            .against(&[OpenSsl], 1.05)
            .beside(&[Sha256Sum, B3Sum, Cat]),
        tree("fs-verity of a big file", "fsverity-sha256")
            .against(&[OpenSsl], 4.5)
            .against(&[FsVerity], 4.0),
        tree("BitTorrent v2 of a big file", "btv2").against(&[OpenSsl], 4.5),
        tree("32 lanes of a big file", "jlanes32-sha256").against(&[OpenSsl], 4.2),
        tree("16 lanes of a big file", "jlanes16-sha256").against(&[OpenSsl], 3.0),
        line("check tiny files", made(1000, 20), Job::Check)
            .against(&[OurHashing], 1.0 / 1.1)
            .beside(&[Sha256SumCheck]),
        line("check large files", made(16, 64 * MIB), Job::Check)
            .against(&[OurHashing], 1.0 / 1.1)
            .beside(&[Sha256SumCheck]),
        line("check small files", log_normal(), Job::Check)
            .against(&[OurHashing], 1.0 / 1.1)
            .beside(&[Sha256SumCheck]),
        line("check the registry", Files::CargoRegistry, Job::Check)
            .against(&[OurHashing], 1.0 / 1.1)
            .beside(&[Sha256SumCheck]),
    ]
}

impl FileContest {
    fn against(mut self, rivals: &[Rival], target: f64) -> Self {
        self.rivals.extend(rivals.iter().map(|&rival| (rival, Some(target))));
        self
    }

    fn beside(mut self, rivals: &[Rival]) -> Self {
        self.rivals.extend(rivals.iter().map(|&rival| (rival, None)));
        self
    }
}

impl Line for FileContest {
    fn title(&self) -> String {
        self.name.to_owned()
    }

    fn run(&self, section: &str, plan: Plan) -> Result<Vec<Row>> {
        let corpus = match &self.files {
            Files::Made(workload) => Corpus::make(workload)?,
            Files::CargoRegistry => Corpus::cargo_registry()?,
        };
        let scratch = TempDir::with_prefix("jlanes-bench-")?;
        let site =
            Site { directory: corpus.directory(), names: &corpus.names, scratch: scratch.path() };
        let ours = tool(self.ours, &site)?;
        if let Job::Check = self.ours {
            // A tool that cannot make its list cannot check it either: that gap shows below.
            let made = site.output(&tool(Job::Hash, &site)?).unwrap_or_default();
            std::fs::write(site.list(), made)?;
        }
        let rivals: Vec<Tool> =
            self.rivals.iter().map(|(rival, _)| rival.tool(self, &site)).collect::<Result<_>>()?;
        let tools: Vec<&Tool> = std::iter::once(&ours).chain(&rivals).collect();
        let times = alternate(&site, &tools, plan)?;
        let (our_times, rival_times) = times.split_first().expect("ours is first");
        let rows = self.rivals.iter().zip(&rivals).zip(rival_times);
        Ok(rows
            .map(|(((_, target), rival), their_times)| {
                let row = Row {
                    section: section.to_owned(),
                    name: self.name.to_owned(),
                    size: corpus.shape.clone(),
                    ours: ours.name.clone(),
                    peer: rival.name.clone(),
                    bytes: corpus.bytes,
                    target: *target,
                    ..Row::default()
                };
                fill(row, our_times, their_times)
            })
            .collect())
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

/// Our tool, doing `job`.
fn tool(job: Job, site: &Site<'_>) -> Result<Tool> {
    let program = jlanes_sum()?.display().to_string();
    let list = site.list().display().to_string();
    Ok(match job {
        Job::Hash => Tool::new("jlanes-sum", &[&program]),
        Job::HashBy(spec) => Tool::new("jlanes-sum", &[&program, "-a", spec]),
        Job::Check => Tool::new("jlanes-sum", &[&program, "-c", &list])
            .with_names(Names::Known)
            .answering(Answer::Status),
    })
}

impl Rival {
    fn tool(self, contest: &FileContest, site: &Site<'_>) -> Result<Tool> {
        let list = site.list().display().to_string();
        // Enough processes for two cores, few enough that starting them is not what is measured.
        let batch = site.names.len().div_ceil(8).to_string();
        let tool = match self {
            Cat => Tool::new("cat", &["cat"]).answering(Answer::Status),
            Sha256Sum => Tool::new("sha256sum", &["sha256sum"]),
            Sha256SumCheck => Tool::new("sha256sum -c", &["sha256sum", "-c", &list])
                .with_names(Names::Known)
                .answering(Answer::Status),
            OpenSsl => Tool::new("openssl", &["openssl", "dgst", "-sha256", "-r"]),
            // Its two processes mix half lines in one output: nothing there to be checked.
            OpenSslByXargs => {
                let xargs = ["xargs", "-0", "-P2", "-n", &batch];
                let openssl = ["openssl", "dgst", "-sha256", "-r"];
                Tool::new("xargs openssl", &[&xargs[..], &openssl].concat())
                    .with_names(Names::Input)
                    .answering(Answer::Status)
            }
            B3Sum => Tool::new("b3sum", &["b3sum"]).answering(Answer::OtherDigests),
            FsVerity => Tool::new("fsverity", &["fsverity", "digest"]),
            OurHashing => Tool { name: "hashing".to_owned(), ..tool(Job::Hash, site)? },
        };
        // Beside a tree of ours, the digest of the whole file is another function's.
        let foreign = matches!((contest.ours, self), (Job::HashBy(_), OpenSsl));
        Ok(if foreign { tool.answering(Answer::OtherDigests) } else { tool })
    }
}
