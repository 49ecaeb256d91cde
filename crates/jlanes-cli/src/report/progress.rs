//! How far the work has come, on standard error.

use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Mutex, MutexGuard, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use clap::ValueEnum;

/// When progress is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// If standard error is a terminal.
    Auto,
    /// Also to files and pipes.
    Always,
    #[default]
    Never,
}

/// What is shown, if anything is.
static BAR: OnceLock<Bar> = OnceLock::new();

/// How long a state is shown at least.
const PERIOD: Duration = Duration::from_millis(200);

struct Bar {
    began: Instant,
    /// Whether a line can be drawn over. Else every state is a line.
    is_terminal: bool,
    read: AtomicU64,
    /// Bytes of all files, once they are known.
    total: OnceLock<u64>,
    drawn: Mutex<Drawn>,
}

/// What is on the terminal now.
struct Drawn {
    at: Instant,
    /// Characters in the line.
    width: usize,
}

impl Bar {
    fn drawn(&self) -> MutexGuard<'_, Drawn> {
        self.drawn.lock().expect("nothing panics that draws")
    }

    /// The state in words.
    fn text(&self) -> String {
        let read = self.read.load(Ordering::Relaxed);
        let rate = read as f64 / self.began.elapsed().as_secs_f64();
        let (done, rate_shown) = (size(read as f64), size(rate));
        let Some(total) = self.total.get() else {
            return format!("{done} read, {rate_shown}/s");
        };
        let percent = read.saturating_mul(100).checked_div(*total).unwrap_or(100);
        let left = (total.saturating_sub(read) as f64 / rate) as u64;
        let (hours, minutes, seconds) = (left / 3600, left / 60 % 60, left % 60);
        let total = size(*total as f64);
        format!(
            "{done} of {total} ({percent} %) read, {rate_shown}/s, \
             {hours}:{minutes:02}:{seconds:02} left"
        )
    }

    fn draw(&self, drawn: &mut Drawn) {
        let text = self.text();
        drawn.at = Instant::now();
        let line = if self.is_terminal {
            let before = drawn.width;
            drawn.width = text.len();
            format!("\r{text:before$}")
        } else {
            text + "\n"
        };
        // where nobody can be told, the work goes on
        let _ = io::stderr().write_all(line.as_bytes());
    }

    /// Leaves an empty line on the terminal.
    fn clear(&self, drawn: &mut Drawn) {
        if drawn.width > 0 {
            let _ = write!(io::stderr(), "\r{:1$}\r", "", drawn.width);
            drawn.width = 0;
        }
    }
}

/// Bytes as people write them.
fn size(bytes: f64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if bytes < 1024.0 {
        return format!("{bytes:.0} B");
    }
    let (mut size, mut unit) = (bytes / 1024.0, 0);
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        (size, unit) = (size / 1024.0, unit + 1);
    }
    format!("{size:.2} {}", UNITS[unit])
}

/// Shows how far the work has come, if that is to be shown. Returns whom to tell of bytes that have
/// been read.
pub(crate) fn start(when: When) -> Option<fn(u64)> {
    let is_terminal = io::stderr().is_terminal();
    match when {
        When::Auto if is_terminal => {}
        When::Always => {}
        When::Auto | When::Never => return None,
    }
    let now = Instant::now();
    BAR.get_or_init(|| Bar {
        began: now,
        is_terminal,
        read: AtomicU64::new(0),
        total: OnceLock::new(),
        drawn: Mutex::new(Drawn { at: now, width: 0 }),
    });
    Some(count)
}

/// Counts bytes, and draws if the last time was long ago.
fn count(bytes: u64) {
    let Some(bar) = BAR.get() else { return };
    bar.read.fetch_add(bytes, Ordering::Relaxed);
    if let Ok(mut drawn) = bar.drawn.try_lock()
        && drawn.at.elapsed() >= PERIOD
    {
        bar.draw(&mut drawn);
    }
}

/// Adds up the `sizes` of files, beside the work, so that the end is known. With nothing among them
/// nobody knows how much there is.
pub(crate) fn survey(sizes: impl Iterator<Item = Option<u64>> + Send + 'static) {
    let Some(bar) = BAR.get() else { return };
    let add_up = || {
        let mut total = 0;
        for size in sizes {
            let Some(size) = size else { return };
            total += size;
        }
        // it is asked for once
        let _ = bar.total.set(total);
    };
    // without a thread there is no total
    drop(thread::Builder::new().spawn(add_up));
}

/// Takes the line away, or where it cannot be drawn over leaves the last state.
pub(crate) fn finish() {
    if let Some(bar) = BAR.get() {
        let mut drawn = bar.drawn();
        if bar.is_terminal { bar.clear(&mut drawn) } else { bar.draw(&mut drawn) }
    }
}

/// Writes something else to the terminal, with the line out of the way.
pub(crate) fn aside<T>(write: impl FnOnce() -> T) -> T {
    let Some(bar) = BAR.get().filter(|bar| bar.is_terminal) else { return write() };
    let mut drawn = bar.drawn();
    let shown = drawn.width > 0;
    bar.clear(&mut drawn);
    let written = write();
    if shown {
        bar.draw(&mut drawn);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_binary_units() {
        let shown = [0.0, 1023.0, 1024.0, 6.0 * 1024.0 * 1024.0, 1.5e30].map(size);
        assert_eq!(shown[..4], ["0 B", "1023 B", "1.00 KiB", "6.00 MiB"]);
        assert!(shown[4].ends_with(" EiB"));
    }
}
