//! Messages to the user, in GNU's words.

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

/// Who speaks, and in which character set.
#[derive(Clone, Debug)]
pub(crate) struct Voice {
    program: Vec<u8>,
    charset: Charset,
}

impl Voice {
    /// The voice of the program that was called as `argv0`.
    pub(crate) fn new(argv0: Option<&OsString>) -> Self {
        let path = argv0.map_or(Cow::Borrowed(&b"jlanes-sum"[..]), |path| system::bytes(path));
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(&path);
        let name = name.strip_suffix(EXE_SUFFIX.as_bytes()).unwrap_or(name);
        Self { program: name.to_vec(), charset: Charset::of_locale() }
    }

    /// The same, with names as GNU's tools show them.
    pub(crate) fn gnus(self) -> Self {
        Self { charset: self.charset.gnus(), ..self }
    }

    /// The name that the program was called by.
    pub(crate) fn program(&self) -> &[u8] {
        &self.program
    }

    /// A name as messages show it.
    pub(crate) fn quote<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        quote::shell(name, self.charset)
    }

    /// Says `PROGRAM: MESSAGE` on standard error. Nobody can be told when that fails.
    pub(crate) fn say(&self, message: &[u8]) {
        let line = [&self.program[..], b": ", message, b"\n"].concat();
        let _ = progress::aside(|| io::stderr().lock().write_all(&line));
    }

    /// Says that the digest of a file may be of no state in which the file ever was.
    pub(crate) fn changed(&self, name: &[u8]) {
        self.say(&[&*self.quote(name), b": changed while it was read"].concat());
    }

    /// Says what is wrong with a file.
    pub(crate) fn complain(&self, name: &[u8], error: &io::Error) {
        // a place in a list is written as GNU's tools write it, `LIST:NUMBER`
        let is_place = error.get_ref().is_some_and(|error| error.is::<AtLine>());
        let colon: &[u8] = if is_place { b":" } else { b": " };
        self.say(&[&*self.quote(name), colon, reason(error).as_bytes()].concat());
    }

    /// Says what is wrong with the command line, and where to read about it.
    pub(crate) fn misused(&self, message: &str) {
        if !message.is_empty() {
            self.say(message.as_bytes());
        }
        let program = String::from_utf8_lossy(&self.program);
        let hint = format!("Try '{program} --help' for more information.\n");
        let _ = io::stderr().lock().write_all(hint.as_bytes());
    }
}

/// What is wrong with one entry of a list, for which the list's own name stands.
#[derive(Debug)]
pub(crate) struct AtLine {
    /// Which entry it is, from 1.
    pub(crate) number: u64,
    pub(crate) what: &'static str,
}

impl fmt::Display for AtLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, what } = self;
        write!(f, "{number}: {what}")
    }
}

impl Error for AtLine {}

/// Something that is told of a file as errors are, but keeps nothing from being well.
#[derive(Debug)]
pub(crate) struct Notice(String);

impl Notice {
    /// A notice as an error.
    pub(crate) fn error(text: impl Into<String>) -> io::Error {
        io::Error::other(Self(text.into()))
    }

    /// Whether `error` is none.
    pub(crate) fn is(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|error| error.is::<Self>())
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Notice {}

/// The system's words for an error, without the number that the standard library adds, or GNU's
/// where the system has others.
pub(crate) fn reason(error: &io::Error) -> String {
    if let Some(words) = system::words(error) {
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
