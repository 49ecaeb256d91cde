//! Tests of the threads that calls start.
//!
//! Each runs in a process of its own, because rayon's global pool starts only once.

use std::{env, fs, process::Command, thread};

/// The threads of the global pool in a process of [`alone`].
pub const THREADS: usize = 3;

/// Runs `body` in a process that executes the test of this name alone.
///
/// # Panics
/// If the test fails.
pub fn alone(test: &str, body: fn()) {
    run(test, None, body);
}

/// [`alone`], in a process in which no thread can start.
///
/// # Panics
/// If the test fails, or a thread can start.
pub fn without_threads(test: &str, body: fn()) {
    // no address space has room for a stack of 2^50 bytes
    let stack = (1u64 << 50).to_string();
    run(test, Some(&stack), body);
}

fn run(test: &str, stack: Option<&str>, body: fn()) {
    const CHILD: &str = "JLANES_TEST_ALONE";
    if env::var_os(CHILD).is_some() {
        assert!(stack.is_none() || thread::Builder::new().spawn(|| {}).is_err());
        return body();
    }
    let mut child = Command::new(env::current_exe().expect("a test has a path"));
    child.args([test, "--exact", "--test-threads=1"]).env(CHILD, "1");
    child.env("RAYON_NUM_THREADS", THREADS.to_string());
    child.envs(stack.map(|stack| ("RUST_MIN_STACK", stack)));
    let out = child.output().expect("this program runs");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
}

/// The number of threads of this process, on Linux.
///
/// # Panics
/// On other systems.
#[must_use]
pub fn threads() -> usize {
    fs::read_dir("/proc/self/task").expect("Linux").count()
}
