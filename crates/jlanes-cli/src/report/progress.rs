//! How far the work has come, on standard error.

use std::{
    io::{self, IsTerminal, Write},
    sync::OnceLock,
    thread,
    time::Duration,
};

use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle, TermLike};

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

/// The bar, if one is shown.
static BAR: OnceLock<ProgressBar> = OnceLock::new();

/// Shows a bar, if one is to be shown. Returns whether it is.
pub(crate) fn start(when: When) -> bool {
    let is_terminal = io::stderr().is_terminal();
    let target = match when {
        When::Auto | When::Always if is_terminal => ProgressDrawTarget::stderr(),
        When::Always => ProgressDrawTarget::term_like(Box::new(Plain)),
        _ => return false,
    };
    let bar = BAR.get_or_init(|| ProgressBar::with_draw_target(None, target));
    bar.set_style(style("{bytes} read, {bytes_per_sec}"));
    // this starts a thread, and panics where there is none to be had; without it the bar moves as
    // bytes are counted
    let has_threads = thread::Builder::new().spawn(|| ()).is_ok_and(|probe| probe.join().is_ok());
    if has_threads {
        bar.enable_steady_tick(Duration::from_millis(200));
    }
    true
}

/// Moves the bar by bytes that have been read.
pub(crate) fn count(bytes: u64) {
    if let Some(bar) = BAR.get() {
        bar.inc(bytes);
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is well-formed")
}

/// Adds up the `sizes` of files, beside the work, so that the bar knows the end. With nothing
/// among them nobody knows how much there is.
pub(crate) fn survey(sizes: impl Iterator<Item = Option<u64>> + Send + 'static) {
    let Some(bar) = BAR.get() else { return };
    let add_up = move || {
        let mut total = 0;
        for size in sizes {
            let Some(size) = size else { return };
            total += size;
        }
        bar.set_length(total);
        let template = "{bytes} of {total_bytes} ({percent} %) read, {bytes_per_sec}, {eta} left";
        bar.set_style(style(template));
    };
    // without a thread there is no total
    drop(thread::Builder::new().spawn(add_up));
}

/// Takes the bar away, or where there is no cursor leaves its last state.
pub(crate) fn finish() {
    if let Some(bar) = BAR.get() {
        bar.disable_steady_tick();
        if io::stderr().is_terminal() { bar.finish_and_clear() } else { bar.abandon() }
    }
}

/// Writes something else to the terminal, with the bar out of the way.
pub(crate) fn aside<T>(write: impl FnOnce() -> T) -> T {
    match BAR.get() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Standard error that is no terminal: every state is a line.
#[derive(Debug)]
struct Plain;

impl TermLike for Plain {
    fn width(&self) -> u16 {
        80
    }

    fn move_cursor_up(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_down(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_right(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn move_cursor_left(&self, _: usize) -> io::Result<()> {
        Ok(())
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        io::stderr().write_all(format!("{text}\n").as_bytes())
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        let text = text.trim_end();
        if text.is_empty() { Ok(()) } else { self.write_line(text) }
    }

    fn clear_line(&self) -> io::Result<()> {
        Ok(())
    }

    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}
