//! Hidden commands: what this program runs of itself, in a process of its own.

use std::{
    fs::{self, File},
    io::{self, Read},
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    sync::mpsc,
    thread,
};

use anyhow::{Context, Result, bail};
use digest::{Digest, DynDigest, consts::U64};
use jlanes::skein::{Schedule, Skein512, SkeinConfig, SkeinDigest, TreeParams};

use crate::workload::MIB;

/// Runs `command` and writes into `note` how many bytes it had resident at most.
///
/// The system keeps one figure for all children that have ended, so whoever wants the figure of one
/// child must have no other.
///
/// # Errors
/// If the command cannot be run.
pub fn peak(note: &Path, command: &[String]) -> Result<ExitCode> {
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
///
/// # Errors
/// If a file cannot be read.
pub fn skein(mode: &str, threads: usize, files: &[PathBuf]) -> Result<()> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    for path in files {
        let mut hasher = skein_hasher(mode)?;
        let file = File::open(path).with_context(|| path.display().to_string())?;
        let read = if threads > 1 { pieces_ahead } else { pieces };
        read(file, &mut |piece| hasher.update(piece))
            .with_context(|| path.display().to_string())?;
        let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{digest}  {}", path.display());
    }
    Ok(())
}

/// Hands the next bytes of a file to somebody.
type Take<'t> = &'t mut dyn FnMut(&[u8]);

/// Reads a file in pieces.
fn pieces(mut file: File, take: Take<'_>) -> io::Result<()> {
    let mut buffer = vec![0; 4 * MIB];
    loop {
        match read(&mut file, &mut buffer)? {
            0 => return Ok(()),
            n => take(&buffer[..n]),
        }
    }
}

/// The same, but while one piece is hashed a thread of its own reads the next.
fn pieces_ahead(mut file: File, take: Take<'_>) -> io::Result<()> {
    let (used, empty) = mpsc::channel();
    let (read_in, full) = mpsc::channel();
    for _ in 0..2 {
        let _ = used.send(vec![0; 4 * MIB]);
    }
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            while let Ok(mut buffer) = empty.recv() {
                let n = read(&mut file, &mut buffer)?;
                if n == 0 || read_in.send((buffer, n)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        for (buffer, n) in full {
            take(&buffer[..n]);
            let _ = used.send(buffer);
        }
        reader.join().expect("reading does not panic")
    })
}

fn read(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
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
