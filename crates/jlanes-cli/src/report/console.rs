//! [`Console`]: the messages of a run on standard error, each after the name of the program.
//!
//! Scripts match the messages of GNU's tools, so messages that GNU has are here word for word, with names quoted
//! for the locale as GNU quotes them. A message goes out in one write, between two states of the progress line.

use std::{
    borrow::Cow,
    env::consts::EXE_SUFFIX,
    error::Error,
    ffi::OsString,
    fmt,
    io::{self, Write},
};

use super::{
    progress,
    quote::{self, Charset},
};
use crate::system;

/// Prints messages with the name of the program, in the character set of the locale.
#[derive(Clone, Debug)]
pub(crate) struct Console {
    program: Vec<u8>,
    charset: Charset,
}

impl Console {
    /// Messages of the program that was called as `argv0`.
    pub(crate) fn new(argv0: Option<&OsString>) -> Self {
        let path = argv0.map_or(Cow::Borrowed(&b"jlanes-sum"[..]), |path| system::bytes(path));
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(&path);
        let name = name.strip_suffix(EXE_SUFFIX.as_bytes()).unwrap_or(name);
        Self { program: name.to_vec(), charset: Charset::of_locale() }
    }

    /// Shows names exactly as GNU's tools do.
    pub(crate) fn like_gnu(self) -> Self {
        Self { charset: self.charset.like_gnu(), ..self }
    }

    /// The name of the program.
    pub(crate) fn program(&self) -> &[u8] {
        &self.program
    }

    /// A name as messages show it.
    pub(crate) fn quote<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        quote::shell(name, self.charset)
    }

    /// Prints `PROGRAM: MESSAGE`. A failure cannot be reported.
    pub(crate) fn say(&self, message: impl AsRef<[u8]>) {
        let line = [&self.program[..], b": ", message.as_ref(), b"\n"].concat();
        let _ = progress::with_line_erased(|| io::stderr().lock().write_all(&line));
    }

    /// Prints `PROGRAM: NAME: MESSAGE`.
    pub(crate) fn say_about(&self, name: &[u8], message: impl AsRef<[u8]>) {
        self.say([&*self.quote(name), b": ", message.as_ref()].concat());
    }

    /// Reports a file that changed while it was read: its digest may belong to no state that it ever
    /// had.
    pub(crate) fn report_changed(&self, name: &[u8]) {
        self.say_about(name, "changed while it was read");
    }

    /// Prints the error of a file.
    pub(crate) fn report_error(&self, name: &[u8], error: &io::Error) {
        // the place of a line has GNU's form, `LIST:NUMBER`
        let is_place = error.get_ref().is_some_and(|error| error.is::<LineError>());
        let colon: &[u8] = if is_place { b":" } else { b": " };
        self.say([&*self.quote(name), colon, reason(error).as_bytes()].concat());
    }

    /// Prints an error of the command line, and a hint at the help.
    pub(crate) fn usage_error(&self, message: &str) {
        if !message.is_empty() {
            self.say(message);
        }
        let program = String::from_utf8_lossy(&self.program);
        let hint = format!("Try '{program} --help' for more information.\n");
        let _ = io::stderr().lock().write_all(hint.as_bytes());
    }
}

/// An error in an entry of a list. The message starts with the list's name.
#[derive(Debug)]
pub(crate) struct LineError {
    /// The number of the entry, from 1.
    pub(crate) number: u64,
    pub(crate) what: &'static str,
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, what } = self;
        write!(f, "{number}: {what}")
    }
}

impl Error for LineError {}

/// A message about a file that looks like an error and does not change the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Notice {
    /// A skipped entry of a directory, and its kind.
    LeftOut(&'static str),
    /// The output file, which is among the inputs.
    Output,
}

impl Notice {
    /// The notice in `error`, if it is one.
    pub(crate) fn of(error: &io::Error) -> Option<Self> {
        error.get_ref()?.downcast_ref().copied()
    }

    /// Whether `error` is a notice.
    pub(crate) fn is(error: &io::Error) -> bool {
        Self::of(error).is_some()
    }
}

impl From<Notice> for io::Error {
    fn from(notice: Notice) -> Self {
        Self::other(notice)
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LeftOut(kind) => write!(f, "a {kind}, left out"),
            Self::Output => {
                f.write_str("the output goes here, and is hashed as far as it is there")
            }
        }
    }
}

impl Error for Notice {}

/// The system's words for an error, without the number that the standard library adds. Where the
/// system's words differ from GNU's, GNU's.
pub(crate) fn reason(error: &io::Error) -> String {
    if let Some(words) = system::gnu_message(error) {
        return words.to_owned();
    }
    let mut text = error.to_string();
    if let Some(number) = error.raw_os_error()
        && text.ends_with(&format!(" (os error {number})"))
    {
        text.truncate(text.len() - format!(" (os error {number})").len());
    }
    text
}
