//! Git's configuration, as far as it says what is ignored. Git itself reads it: which files belong to
//! it, and under which conditions, changes with git's versions.

use std::{
    env,
    ffi::OsString,
    io,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::system;

/// Variables, as git sets them for its hooks, with which it would answer for another repository.
const OF_REPOSITORY: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CONFIG"];

/// The maximum time that git may take for an answer: it waits for a named pipe that is called like one of
/// its files, and reads a file as often as others include it, which a few of them can do for years.
const MAX_TIME: Duration = Duration::from_secs(10);

/// The maximum time between two looks whether git has ended.
const MAX_PAUSE: Duration = Duration::from_millis(10);

/// What git's configuration says.
pub(super) struct Settings {
    /// The user's ignore file.
    pub(super) excludes_file: Option<PathBuf>,
    /// Whether patterns match small letters and capitals alike.
    pub(super) ignores_case: bool,
}

impl Settings {
    /// The settings in the repository with the work tree `top`; git's defaults where it is not installed.
    ///
    /// # Errors
    ///
    /// If git refuses its configuration.
    pub(super) fn of(top: &Path) -> io::Result<Self> {
        let excludes_file = value(top, "--path", "core.excludesFile")?;
        let excludes_file =
            excludes_file.map(|file| top.join(system::path(&file))).or_else(default_excludes_file);
        let ignores_case = value(top, "--bool", "core.ignoreCase")?.as_deref() == Some(b"true");
        Ok(Self { excludes_file, ignores_case })
    }
}

/// The value of `key`, if it has one and git is installed.
fn value(top: &Path, kind: &str, key: &str) -> io::Result<Option<Vec<u8>>> {
    let mut git = Command::new("git");
    git.arg("-C").arg(top).args(["config", "-z", kind, "--get", key]);
    // with a trace, what it says is no reason
    let traces = env::vars_os().map(|(name, _)| name);
    let traces = traces.filter(|name| name.as_encoded_bytes().starts_with(b"GIT_TRACE"));
    for variable in OF_REPOSITORY.into_iter().map(OsString::from).chain(traces) {
        git.env_remove(variable);
    }
    let failed = |reason: &str| io::Error::other(format!("git config {key}: {reason}"));
    let ran = match output(&mut git) {
        Ok(ran) => ran,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(&error.to_string())),
    };
    match ran.status.code() {
        Some(0) => Ok(Some(ran.stdout.strip_suffix(b"\0").unwrap_or(&ran.stdout).to_vec())),
        // git has no value
        Some(1) if ran.stderr.is_empty() => Ok(None),
        _ => {
            let said = String::from_utf8_lossy(&ran.stderr);
            Err(failed(said.lines().next_back().unwrap_or("it was stopped")))
        }
    }
}

/// The output of `git`, which ends here in any case.
fn output(git: &mut Command) -> io::Result<Output> {
    // a missing /dev/null would look like a missing git
    git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let (mut running, begun) = (git.spawn()?, Instant::now());
    drop(running.stdin.take());
    let mut pause = Duration::from_micros(200);
    // what it says fits into the pipes, or it does not end
    while running.try_wait()?.is_none() {
        if begun.elapsed() > MAX_TIME {
            running.kill()?;
            running.wait()?;
            return Err(io::Error::other("git did not answer"));
        }
        thread::sleep(pause);
        pause = (2 * pause).min(MAX_PAUSE);
    }
    running.wait_with_output()
}

/// The user's ignore file if the configuration names none.
fn default_excludes_file() -> Option<PathBuf> {
    let given = env::var_os("XDG_CONFIG_HOME").filter(|dir| !dir.is_empty());
    // git does not ask the system for it
    let home = if cfg!(unix) { env::var_os("HOME").map(PathBuf::from) } else { env::home_dir() };
    let config = given.map(PathBuf::from).or_else(|| Some(home?.join(".config")));
    Some(config?.join("git/ignore"))
}
