//! Runs the programs that are the examples.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

/// The program of an example, which cargo puts next to the tests'.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("a test is a program");
    let path = test
        .parent()
        .and_then(Path::parent)
        .expect("target/PROFILE/deps")
        .join("examples")
        .join(name);
    assert!(path.exists(), "{name} is not built: use `cargo test -p jlanes-examples`");
    path
}

pub(crate) fn run(name: &str, args: &[&str], directory: &Path, input: &str) -> Output {
    let mut child = Command::new(program(name))
        .args(args)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("examples run");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(input.as_bytes()).expect("examples read what they are given");
    drop(stdin);
    child.wait_with_output().expect("examples end")
}

/// Output of a run that succeeds.
pub(crate) fn printed(name: &str, args: &[&str], directory: &Path, input: &str) -> String {
    let output = run(name, args, directory, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

pub(crate) fn directory(files: &[(&str, &[u8])]) -> TempDir {
    let directory = TempDir::new().expect("a directory");
    for (name, contents) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, contents).expect("a file");
    }
    directory
}
