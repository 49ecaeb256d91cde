//! The progress bar on a terminal, and the counts of objects.

use std::{
    fmt::Display,
    io::{IsTerminal, Write, stderr, stdout},
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

/// Prints a line of results. Unlike `println!`, a full disk or a closed pipe is an error and no panic.
pub(crate) fn result(line: impl Display) -> Result<(), String> {
    writeln!(stdout(), "{line}").map_err(|error| format!("standard output: {error}"))
}

/// Prints a message. One that cannot be printed stops nothing.
pub(crate) fn message(text: impl Display) {
    drop(writeln!(stderr(), "jlanes-inventory: {text}"));
}

/// Counts objects, and shows the counts.
pub(crate) struct Progress {
    bar: ProgressBar,
    objects: AtomicU64,
    bytes: AtomicU64,
    errors: AtomicU64,
}

impl Progress {
    /// Without a terminal on standard error, it only counts.
    pub(crate) fn new() -> Self {
        let bar =
            if stderr().is_terminal() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template("{spinner} {elapsed_precise} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.enable_steady_tick(Duration::from_millis(200));
        Self {
            bar,
            objects: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            errors: AtomicU64::new(0),
        }
    }

    /// Counts an object.
    pub(crate) fn count(&self, size: Option<u64>, failed: bool) {
        let objects = self.objects.fetch_add(1, Ordering::Relaxed) + 1;
        let size = size.unwrap_or_default();
        let bytes = self.bytes.fetch_add(size, Ordering::Relaxed) + size;
        let errors = self.errors.fetch_add(failed.into(), Ordering::Relaxed) + u64::from(failed);
        if !self.bar.is_hidden() {
            let rate = bytes as f64 / self.bar.elapsed().as_secs_f64().max(0.001);
            let (bytes, rate) = (HumanBytes(bytes), HumanBytes(rate as u64));
            self.bar.set_message(format!("{objects} objects, {bytes}, {rate}/s, {errors} errors"));
        }
    }

    /// Removes the bar, and returns the numbers of objects and of errors.
    pub(crate) fn end(&self) -> (u64, u64) {
        self.bar.finish_and_clear();
        (self.objects.load(Ordering::Relaxed), self.errors.load(Ordering::Relaxed))
    }

    /// Prints a line above the progress bar.
    pub(crate) fn line<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}
