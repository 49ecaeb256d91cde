//! What the tests of `jlanes-sum` share: a scratch directory, and running programs in it.

use std::{
    env,
    ffi::OsStr,
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What a program did.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) code: Option<i32>,
}

impl std::fmt::Debug for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { stdout, stderr, code } = self;
        writeln!(f, "exit {code:?}\n--- stdout\n{}", stdout.escape_ascii())?;
        write!(f, "--- stderr\n{}", stderr.escape_ascii())
    }
}

impl Ran {
    pub(crate) fn out(&self) -> String {
        String::from_utf8(self.stdout.clone()).unwrap()
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8(self.stderr.clone()).unwrap()
    }
}

/// A scratch directory, in which programs run in the C locale.
pub(crate) struct Scratch {
    dir: tempfile::TempDir,
    /// Copies of the program, by the names that it is called by.
    #[cfg(windows)]
    tools: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().unwrap(),
            #[cfg(windows)]
            tools: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn at(&self, name: impl AsRef<[u8]>) -> PathBuf {
        #[cfg(unix)]
        let name = <OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(name.as_ref());
        #[cfg(windows)]
        let name = str::from_utf8(name.as_ref()).unwrap();
        self.dir.path().join(name)
    }

    /// Makes a named pipe.
    #[cfg(unix)]
    pub(crate) fn fifo(&self, name: impl AsRef<[u8]>) {
        assert!(Command::new("mkfifo").arg(self.at(name)).status().unwrap().success());
    }

    pub(crate) fn write(&self, name: impl AsRef<[u8]>, content: impl AsRef<[u8]>) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Makes a command that runs here; GNU's tools and ours call themselves by `argv0`.
    #[cfg(unix)]
    pub(crate) fn command(&self, program: &str, argv0: &str) -> Command {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(program);
        command.arg0(argv0).current_dir(self.path());
        command.env_clear().env("LC_ALL", "C").env("PATH", env::var_os("PATH").unwrap());
        command
    }

    #[cfg(unix)]
    pub(crate) fn ours(&self, argv0: &str) -> Command {
        self.command(env!("CARGO_BIN_EXE_jlanes-sum"), argv0)
    }

    /// Makes a command that runs `jlanes-sum` here, which there has to be called as it calls itself.
    #[cfg(windows)]
    pub(crate) fn ours(&self, argv0: &str) -> Command {
        let program = self.tools.path().join(format!("{argv0}.exe"));
        if !program.exists() {
            fs::copy(env!("CARGO_BIN_EXE_jlanes-sum"), &program).unwrap();
        }
        let mut command = Command::new(program);
        command.current_dir(self.path());
        command
    }

    /// Runs `jlanes-sum` with `args`.
    pub(crate) fn sum<A: AsRef<OsStr>>(&self, args: &[A]) -> Ran {
        run(self.ours("jlanes-sum").args(args), b"")
    }

    /// Whether strace works here, which the tests of `what` need. Where it does not, that is said,
    /// and it is an error if the environment has `JLANES_REQUIRE_STRACE`, as in CI.
    #[cfg(unix)]
    pub(crate) fn can_trace(&self, what: &str) -> bool {
        let traced = self.command("strace", "strace").args(["-o", "TRACE", "true"]).status();
        if traced.is_ok_and(|status| status.success()) {
            return true;
        }
        let missing = "strace is missing, or may not trace";
        assert!(env::var_os("JLANES_REQUIRE_STRACE").is_none(), "{missing}");
        // written past the harness, which swallows `eprintln!` of tests that pass
        let _ = writeln!(std::io::stderr(), "not tested: {what}: {missing}");
        false
    }

    /// Runs GNU's `sha256sum`, and `jlanes-sum` under its name.
    #[cfg(unix)]
    pub(crate) fn both<A: AsRef<OsStr>>(&self, args: &[A], stdin: &[u8]) -> (Ran, Ran) {
        let gnu = run(self.command("sha256sum", "sha256sum").args(args), stdin);
        let ours = run(self.ours("sha256sum").args(args), stdin);
        (gnu, ours)
    }

    /// Runs both and expects the same of them.
    #[cfg(unix)]
    #[track_caller]
    pub(crate) fn same<A: AsRef<OsStr>>(&self, args: &[A]) -> Ran {
        self.same_with(args, b"")
    }

    #[cfg(unix)]
    #[track_caller]
    pub(crate) fn same_with<A: AsRef<OsStr>>(&self, args: &[A], stdin: &[u8]) -> Ran {
        let (gnu, ours) = self.both(args, stdin);
        let shown: Vec<_> = args.iter().map(AsRef::as_ref).collect();
        assert_eq!(gnu, ours, "GNU's (left) and ours for {shown:?}");
        ours
    }
}

/// Runs `command` with `stdin` as its standard input.
pub(crate) fn run(command: &mut Command, stdin: &[u8]) -> Ran {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let stdin = stdin.to_vec();
    let writer = std::thread::spawn(move || {
        // a program that does not read its input closes the pipe
        let _ = pipe.write_all(&stdin);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran { stdout: output.stdout, stderr: output.stderr, code: output.status.code() }
}

/// The bytes 0, 1, .. 250, 0, 1, ..: no period that is a power of two.
pub(crate) fn paint(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i % 251) as u8).collect()
}

/// SHA-256 by another implementation, in hexadecimal.
pub(crate) fn sha256(content: &[u8]) -> String {
    use sha2::Digest;
    hex::encode(sha2::Sha256::digest(content))
}
