//! Hidden commands, by which this program runs itself in another process.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::{Context, Result, bail};
use digest::{Digest, DynDigest, consts::U64};
use jlanes::skein::{Schedule, Skein512, SkeinConfig, SkeinDigest, TreeParams};

use crate::workload::MIB;

/// Runs `command` and writes into `note` how many bytes it had resident at most.
///
/// The system keeps one figure for all children that have ended, so this process must have no other child.
pub(crate) fn peak(note: &Path, command: &[String]) -> Result<ExitCode> {
    use nix::sys::resource::{UsageWho, getrusage};
    let (program, arguments) = command.split_first().context("no command")?;
    let status = Command::new(program).args(arguments).status();
    let status = status.with_context(|| format!("no {program} here"))?;
    let kibibytes = getrusage(UsageWho::RUSAGE_CHILDREN)?.max_rss();
    fs::write(note, (kibibytes * 1024).to_string())?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Leaves of 256 blocks, 256 children a node.
const TREE: (u8, u8) = (8, 8);

/// Prints the Skein-512 of each file, read in pieces, by a scheduler or without a tree.
pub(crate) fn skein(mode: &str, threads: usize, files: &[PathBuf]) -> Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    for path in files {
        let mut hasher = skein_hasher(mode)?;
        let mut file = File::open(path).with_context(|| path.display().to_string())?;
        let mut buffer = vec![0; 4 * MIB];
        loop {
            match file.read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => hasher.update(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error).with_context(|| path.display().to_string()),
            }
        }
        let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{digest}  {}", path.display());
    }
    Ok(())
}

fn skein_hasher(mode: &str) -> Result<Box<dyn DynDigest>> {
    let schedule = match mode {
        "simple" => return Ok(Box::new(Skein512::<U64>::new())),
        "crate" => return Ok(Box::new(skein::Skein512::<U64>::new())),
        "sequential" => Schedule::Sequential,
        "lower" => Schedule::LowerLevelFirst,
        "higher" => Schedule::HigherLevelFirst,
        "same" => Schedule::default(),
        "subtrees" => Schedule::Subtrees { height: 2 },
        _ => bail!("no scheduler {mode}"),
    };
    Ok(tree_hasher::<Skein512>(schedule))
}

fn tree_hasher<H: SkeinDigest + 'static>(schedule: Schedule) -> Box<dyn DynDigest> {
    let tree = TreeParams::new(TREE.0, TREE.1, u8::MAX).expect("a legal tree");
    let config = SkeinConfig::<H>::builder().tree(tree).build().expect("a legal output length");
    Box::new(config.hasher_with(schedule))
}
