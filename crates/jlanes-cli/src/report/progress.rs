//! The line of `--progress` on standard error: bytes read, of how many, how fast, and the time that is left.
//!
//! Workers [`count`] bytes, and the first to do so 200 ms after the last drawing draws: no thread waits for that, and
//! no worker waits for another's drawing. Everything else on the terminal is written [`with_line_erased`].

use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Mutex, MutexGuard, OnceLock, PoisonError, TryLockError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use clap::ValueEnum;

/// The condition for showing progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressWhen {
    /// If standard error is a terminal.
    Auto,
    /// Also to files and pipes.
    Always,
    #[default]
    Never,
}

/// The time between two drawings.
const REDRAW_PAUSE: Duration = Duration::from_millis(200);

/// The progress of this process, if it is shown.
static BAR: OnceLock<Bar> = OnceLock::new();

/// The progress of a run: the counts, and the line that shows them.
struct Bar {
    begun: Instant,
    read: AtomicU64,
    /// The number of bytes of all files; 0 if unknown.
    total: AtomicU64,
    /// Whether each line replaces the last. In files, every state is a line of its own.
    is_terminal: bool,
    drawn: Mutex<DrawnLine>,
}

/// The line on the terminal.
struct DrawnLine {
    at: Instant,
    /// The number of characters of the line.
    width: usize,
}

/// Starts showing progress, if `when` applies. Returns whether it does.
pub(crate) fn start(when: ProgressWhen) -> bool {
    let is_terminal = io::stderr().is_terminal();
    if when == ProgressWhen::Never || when == ProgressWhen::Auto && !is_terminal {
        return false;
    }
    let begun = Instant::now();
    BAR.get_or_init(|| Bar {
        begun,
        read: AtomicU64::new(0),
        total: AtomicU64::new(0),
        is_terminal,
        drawn: Mutex::new(DrawnLine { at: begun, width: 0 }),
    });
    true
}

/// Counts bytes that have been read, and draws if the last drawing is old.
pub(crate) fn count(bytes: u64) {
    let Some(bar) = BAR.get() else { return };
    bar.read.fetch_add(bytes, Ordering::Relaxed);
    let mut drawn = match bar.drawn.try_lock() {
        Ok(drawn) => drawn,
        Err(TryLockError::Poisoned(error)) => error.into_inner(),
        // another thread is drawing
        Err(TryLockError::WouldBlock) => return,
    };
    if drawn.at.elapsed() >= REDRAW_PAUSE {
        bar.draw(&mut drawn);
    }
}

/// Adds up the `sizes` of files on another thread, for the total. If one is unknown, so is the total.
pub(crate) fn add_up_total(sizes: impl Iterator<Item = Option<u64>> + Send + 'static) {
    let Some(bar) = BAR.get() else { return };
    let add_up = move || {
        if let Some(total) = sizes.sum::<Option<u64>>() {
            bar.total.store(total, Ordering::Relaxed);
        }
    };
    // without a thread, there is no total
    drop(thread::Builder::new().spawn(add_up));
}

/// Erases the line from a terminal. To a file, it writes the last state.
pub(crate) fn finish() {
    let Some(bar) = BAR.get() else { return };
    let mut drawn = bar.lock();
    if bar.is_terminal {
        erase(&mut drawn);
    } else {
        bar.draw(&mut drawn);
    }
}

/// Erases the line and calls `write`, which may write to the terminal. The next drawing restores the line.
pub(crate) fn with_line_erased<T>(write: impl FnOnce() -> T) -> T {
    let Some(bar) = BAR.get() else { return write() };
    let mut drawn = bar.lock();
    erase(&mut drawn);
    write()
}

impl Bar {
    fn lock(&self) -> MutexGuard<'_, DrawnLine> {
        self.drawn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn draw(&self, drawn: &mut DrawnLine) {
        let (read, total) = (self.read.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let line = line(read, total, self.begun.elapsed());
        drawn.at = Instant::now();
        // a failure cannot be reported
        let _ = if self.is_terminal {
            let width = drawn.width;
            drawn.width = line.len();
            write!(io::stderr().lock(), "\r{line:width$}")
        } else {
            writeln!(io::stderr().lock(), "{line}")
        };
    }
}

fn erase(drawn: &mut DrawnLine) {
    if drawn.width > 0 {
        let _ = write!(io::stderr().lock(), "\r{:width$}\r", "", width = drawn.width);
        drawn.width = 0;
    }
}

/// The line after this time. A `total` of 0 is unknown.
fn line(read: u64, total: u64, elapsed: Duration) -> String {
    let rate = read as f64 / elapsed.as_secs_f64().max(1e-6);
    let speed = size(rate);
    if total == 0 {
        return format!("{} read, {speed}/s", size(read as f64));
    }
    let percent = u128::from(read) * 100 / u128::from(total);
    let left = total.saturating_sub(read) as f64 / rate.max(1.0);
    let (read, total) = (size(read as f64), size(total as f64));
    format!("{read} of {total} ({percent} %) read, {speed}/s, {left:.0} s left")
}

/// A number of bytes with a binary unit.
fn size(bytes: f64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut rest, mut unit) = (bytes, "B");
    for larger in UNITS {
        if rest < 1024.0 {
            break;
        }
        (rest, unit) = (rest / 1024.0, larger);
    }
    if unit == "B" { format!("{rest:.0} {unit}") } else { format!("{rest:.2} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_units() {
        let second = Duration::from_secs(1);
        for (read, total, expected) in [
            (0, 0, "0 B read, 0 B/s"),
            (1023, 0, "1023 B read, 1023 B/s"),
            (1536, 0, "1.50 KiB read, 1.50 KiB/s"),
            (3 << 20, 6 << 20, "3.00 MiB of 6.00 MiB (50 %) read, 3.00 MiB/s, 1 s left"),
            // a file grew meanwhile
            (3 << 30, 2 << 30, "3.00 GiB of 2.00 GiB (150 %) read, 3.00 GiB/s, 0 s left"),
            (u64::MAX, 0, "16.00 EiB read, 16.00 EiB/s"),
        ] {
            assert_eq!(line(read, total, second), expected);
        }
    }
}
