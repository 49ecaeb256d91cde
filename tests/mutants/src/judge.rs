//! Which test notices which mutant.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fs::{self, OpenOptions},
    io::{BufRead as _, BufReader, Read, Write as _},
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering::Relaxed},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};

use anyhow::{Context as _, Result};

use crate::{Mutant, build::Program};

/// Runs at a time.
const THREADS: usize = 2;

/// A test, the seconds that it takes without a mutant, and the places that it reaches.
struct Test {
    program: usize,
    name: String,
    seconds: f64,
    reached: HashSet<u32>,
}

enum Outcome {
    Passed,
    /// With the name of the test, if one was running.
    Failed(String),
    TimedOut,
}

/// Judges the mutants, each of which is given with its place, by tests that take `most`
/// seconds together, and appends the outcomes to a file.
pub fn judge(
    folder: &Path,
    mutants: &[(&Mutant, u32)],
    programs: &[Program],
    most: f64,
) -> Result<()> {
    let mut tests = trace(folder, programs)?;
    tests.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    println!("{} tests, {:.0} s", tests.len(), tests.iter().map(|test| test.seconds).sum::<f64>());
    let outcomes = OpenOptions::new().append(true).create(true).open(folder.join("outcomes"))?;
    // the test that noticed the last mutant of a file
    let last: Mutex<HashMap<&str, usize>> = Mutex::default();
    parallel(mutants, |_, (mutant, place)| {
        let mut judges: Vec<usize> =
            (0..tests.len()).filter(|at| tests[*at].reached.contains(place)).collect();
        let mut sum = 0.0;
        judges.retain(|at| {
            sum += tests[*at].seconds;
            sum <= most || sum == tests[*at].seconds
        });
        let usual = last.lock().expect("no panic").get(&*mutant.file).copied();
        judges.sort_by_key(|at| usual != Some(*at));
        // one process for one test, then for some, then for more
        let mut batches: BTreeMap<_, Vec<&Test>> = BTreeMap::new();
        for (nth, at) in judges.iter().enumerate() {
            let stage = [1, 4, 16, 64].iter().filter(|end| nth >= **end).count();
            batches.entry((stage, tests[*at].program)).or_default().push(&tests[*at]);
        }
        let mut outcome = if judges.is_empty() { "unreached" } else { "missed" }.to_owned();
        for ((_, program), batch) in batches {
            let seconds: f64 = batch.iter().map(|test| test.seconds).sum();
            let names: Vec<&str> = batch.iter().map(|test| &*test.name).collect();
            let (id, limit) = (mutant.id.to_string(), 2.0 * seconds + 1.0);
            match run(&programs[program], &names, ("JLANES_MUTANT", &id), limit)?.0 {
                Outcome::Passed => continue,
                Outcome::TimedOut => outcome = "timeout".to_owned(),
                Outcome::Failed(name) => {
                    if let Some(at) = judges.iter().find(|at| tests[**at].name == name) {
                        last.lock().expect("no panic").insert(&mutant.file, *at);
                    }
                    outcome = format!("caught\t{name}");
                }
            }
            break;
        }
        // in one piece, since others write too
        let line = format!("{}\t{outcome}\n", mutant.name);
        Ok((&outcomes).write_all(line.as_bytes())?)
    })
}

/// Runs every test once, alone, to see what it reaches.
fn trace(folder: &Path, programs: &[Program]) -> Result<Vec<Test>> {
    let traces = folder.join("traces");
    fs::create_dir_all(&traces)?;
    let mut names = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let list = Command::new(&program.path)
            .args(["--list", "--format", "terse"])
            .current_dir(&program.package)
            .output()?;
        for line in String::from_utf8(list.stdout)?.lines() {
            names.extend(line.strip_suffix(": test").map(|name| (number, name.to_owned())));
        }
    }
    let tests = Mutex::new(Vec::new());
    parallel(&names, |_, (number, name)| {
        let program = &programs[*number];
        let stem = program.path.file_name().context("a file")?.to_string_lossy();
        let file = traces.join(format!("{stem} {name}"));
        let took = file.with_added_extension("seconds");
        // an unchanged program reaches the same places again
        if modified(&took).is_none_or(|time| Some(time) < modified(&program.path)) {
            let _ = fs::remove_file(&file);
            let env = ("JLANES_MUTANTS_TRACE", file.to_str().context("a path in UTF-8")?);
            let (outcome, seconds) = run(program, &[name], env, 300.0)?;
            if !matches!(outcome, Outcome::Passed) {
                println!("left out, because it fails without a mutant: {name}");
                return Ok(());
            }
            fs::write(&took, seconds.to_string())?;
        }
        let seconds = fs::read_to_string(&took)?.parse()?;
        let reached = fs::read(&file).unwrap_or_default();
        let reached = reached.as_chunks().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
        let test =
            Test { program: *number, name: name.clone(), seconds, reached: reached.collect() };
        tests.lock().expect("no panic").push(test);
        Ok(())
    })?;
    Ok(tests.into_inner().expect("no panic"))
}

/// Runs tests in one process until one fails, for `limit` seconds of CPU time at most. Returns also
/// the seconds that it took.
fn run(program: &Program, names: &[&str], env: (&str, &str), limit: f64) -> Result<(Outcome, f64)> {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 8000000; exec \"$0\" \"$@\""])
        .arg(&program.path)
        .args(["--test-threads=1", "--exact"])
        .args(names)
        .env(env.0, env.1)
        .env("CARGO_MANIFEST_DIR", &program.package)
        .current_dir(&program.package)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let (pid, output) = (child.id(), child.stdout.take().context("a pipe")?);
    let (ended, watched) = mpsc::channel();
    let (running, (timed_out, seconds)) = thread::scope(|scope| {
        let watch = scope.spawn(move || watch(pid, limit, &watched));
        let running = failed(names, output);
        if running.is_ok() {
            // others may still be running, and what they started
            kill(pid);
        }
        drop(ended);
        (running, watch.join().expect("no panic"))
    });
    let code = child.wait()?.code();
    let outcome = match (running, code) {
        _ if timed_out => Outcome::TimedOut,
        (Ok(name), _) => Outcome::Failed(name),
        (Err(_), Some(0)) => Outcome::Passed,
        (Err(name), _) => Outcome::Failed(name),
    };
    Ok((outcome, seconds))
}

/// The test that failed, or the one that ran when the output ended.
fn failed(names: &[&str], output: impl Read) -> std::result::Result<String, String> {
    let (mut running, mut word) = (String::new(), Vec::new());
    let mut output = BufReader::new(output);
    // libtest writes a test's name before the test, and the result behind it
    while output.read_until(b' ', &mut word).is_ok_and(|len| len > 0) {
        let text = String::from_utf8_lossy(&word);
        if text.starts_with("FAILED") {
            return Ok(running);
        }
        if names.contains(&text.trim()) {
            running = text.trim().to_owned();
        }
        word.clear();
    }
    Err(running)
}

/// Ends a process that takes more CPU time, or waits for ever, until `ended` is closed. Returns
/// whether it did, and the seconds of CPU time.
fn watch(pid: u32, limit: f64, ended: &Receiver<()>) -> (bool, f64) {
    let mut worked = Instant::now();
    let mut seconds = 0.0;
    while ended.recv_timeout(Duration::from_millis(20)) == Err(RecvTimeoutError::Timeout) {
        let so_far = cpu_seconds(pid);
        if so_far > seconds {
            (seconds, worked) = (so_far, Instant::now());
        }
        // one that other work has stopped for a while is not to be taken for one that waits
        if seconds > limit || worked.elapsed() > Duration::from_secs(150) {
            kill(pid);
            return (true, seconds);
        }
    }
    (false, seconds)
}

/// The CPU time of a process group: tests of `jlanes-sum` leave most of the work to the processes
/// that they start.
fn cpu_seconds(group: u32) -> f64 {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ticks = processes.filter_map(|process| {
        let stat = fs::read_to_string(process.path().join("stat")).ok()?;
        let fields: Vec<f64> = stat
            .rsplit(") ")
            .next()?
            .split(' ')
            .map(|field| field.parse().unwrap_or(0.0))
            .collect();
        // its own time, and that of children that have ended
        (*fields.get(2)? == f64::from(group)).then(|| fields[11..15].iter().sum::<f64>())
    });
    ticks.sum::<f64>() / 100.0
}

/// Kills a process and all that it has started.
fn kill(pid: u32) {
    let group = format!("-{pid}");
    let _ = Command::new("kill").args(["-9", "--", &group]).stderr(Stdio::null()).status();
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// Calls `work` for each item, from a few threads.
fn parallel<T: Sync>(items: &[T], work: impl Fn(usize, &T) -> Result<()> + Sync) -> Result<()> {
    let next = AtomicUsize::new(0);
    let run = || {
        loop {
            let at = next.fetch_add(1, Relaxed);
            let Some(item) = items.get(at) else { return Ok(()) };
            work(at, item)?;
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(run)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })
}
