//! Names in lists: the paths they mean, and the reasons for refusing them.
//!
//! A list chooses which files are opened, so every name passes [`NameRules::refusal`] first. What a link does is
//! known only when the file is opened, by [`NameRules::target`].

use std::{
    borrow::Cow,
    ffi::{OsStr, OsString},
    fs, io,
    sync::Arc,
};

use jlanes_files::{BaseDir, Target};
use unicode_normalization::UnicodeNormalization;

use crate::{
    report::quote,
    system::{self, is_absolute, is_parent},
};

/// The maximum length of a name in an untrusted list, the same as Linux's of a path.
const MAX_NAME_BYTES: usize = 4096;

/// The rules for names in lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameRules {
    /// The directory where relative names start, if it is not the working directory.
    pub(crate) base: Option<OsString>,
    /// The number of leading directories to remove from names.
    pub(crate) strip: usize,
    /// Whether absolute names and `..` are refused.
    pub(crate) no_absolute: bool,
    /// For untrusted lists: the opened directory that links must not lead out of.
    pub(crate) beneath: Option<Arc<BaseDir>>,
}

impl NameRules {
    /// The path of the file with `name` in a list.
    pub(crate) fn path<'n>(&self, name: &'n [u8]) -> Cow<'n, [u8]> {
        let name = self.stripped(name);
        match &self.base {
            // standard input is in no directory
            Some(base) if !is_absolute(name) && name != b"-" => {
                Cow::Owned([&*system::bytes(base), b"/", &*system::native_name(name)].concat())
            }
            _ => system::native_name(name),
        }
    }

    /// `name` without the leading directories to remove; empty if it has no more parts.
    fn stripped<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        let mut stripped = name;
        for _ in 0..self.strip {
            if stripped.is_empty() || name == b"-" {
                break;
            }
            let slash = stripped.iter().position(|byte| *byte == b'/').unwrap_or(stripped.len());
            let slashes = stripped[slash..].iter().take_while(|byte| **byte == b'/').count();
            stripped = &stripped[slash + slashes..];
        }
        stripped
    }

    /// A hint for a file `name` of the list at `path` that does not exist.
    pub(crate) fn missing_file_hint(&self, path: &[u8], name: &[u8]) -> Option<String> {
        if let Some(form) = self.other_form(name) {
            let what = "accents are spelled in another way in the file's name (Unicode";
            return Some(format!("{what} {form}): convmv renames files"));
        }
        if name.contains(&b'\\') {
            let what =
                "backslashes stand between directories on Windows, and are part of names here";
            return Some(format!("{what}: tr '\\\\' / makes them slashes"));
        }
        let slash = path.iter().rposition(|byte| *byte == b'/')?;
        let dir = &path[..slash.max(1)];
        let is_there = || system::stat(&[dir, b"/", name].concat()).is_ok();
        let is_moot = self.base.is_some() || is_absolute(name);
        (!is_moot && is_there()).then(|| {
            let dir = quote::name(dir);
            format!("names are taken from the working directory: --base-dir {dir} finds them there")
        })
    }

    /// Another normal form of Unicode in which the file `name` exists, if any.
    fn other_form(&self, name: &[u8]) -> Option<&'static str> {
        let text = str::from_utf8(name).ok()?;
        let forms = [("NFC", text.nfc().collect::<String>()), ("NFD", text.nfd().collect())];
        let is_there =
            |other: &str| other != text && system::stat(&self.path(other.as_bytes())).is_ok();
        forms.iter().find(|(_, other)| is_there(other)).map(|(form, _)| *form)
    }

    /// The target for the file at `path`, with `name` in the list.
    ///
    /// # Errors
    /// If there is a NUL in the name.
    pub(crate) fn target(&self, name: &[u8], path: &[u8]) -> io::Result<Target> {
        match &self.beneath {
            Some(base) => Target::beneath(base, &system::native_name(self.stripped(name))),
            None => Target::named(path),
        }
    }

    /// The reason for refusing `name`, if it is refused.
    pub(crate) fn refusal(&self, name: &[u8]) -> Option<String> {
        let whole = name;
        let name = self.stripped(name);
        let why = if name.is_empty() && !whole.is_empty() {
            "has no more directories than --strip removes"
        } else if !self.no_absolute {
            return None;
        } else if self.beneath.is_some() && name == b"-" {
            "is standard input"
        } else if self.beneath.is_some() && name.len() > MAX_NAME_BYTES {
            return Some("the name is too long".to_owned());
        } else {
            Self::leads_out(name)?
        };
        Some(format!("{} {why}", quote::name(whole)))
    }

    /// The reason why `name` leads out of the base directory, if it does.
    pub(crate) fn leads_out(name: &[u8]) -> Option<&'static str> {
        if is_absolute(name) {
            Some("is absolute")
        } else if name.split(|byte| *byte == b'/').any(is_parent) {
            Some("leads to a parent")
        } else {
            None
        }
    }

    /// Whether `path` leads out of the base directory through symbolic links.
    pub(super) fn links_lead_out(&self, path: &[u8]) -> bool {
        let base = self.base.as_deref().unwrap_or(OsStr::new("."));
        match (fs::canonicalize(system::path(path)), fs::canonicalize(base)) {
            (Ok(path), Ok(base)) => !path.starts_with(base),
            // a path without directories has no links to follow
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_names_are_in_the_base() {
        let names = NameRules { base: Some("d".into()), ..NameRules::default() };
        for (name, path) in [("f", "d/f"), ("../f", "d/../f"), ("/f", "/f"), ("-", "-")] {
            assert_eq!(*names.path(name.as_bytes()), *path.as_bytes());
        }
        assert_eq!(*NameRules::default().path(b"f"), *b"f");
    }

    #[test]
    fn leading_directories_are_removed() {
        let path = |strip, name: &str| {
            let names = NameRules { strip, ..NameRules::default() };
            let is_refused = names.refusal(name.as_bytes()).is_some();
            (!is_refused).then(|| String::from_utf8(names.path(name.as_bytes()).into()).unwrap())
        };
        for (strip, name, expected) in [
            (0, "a/b/c", Some("a/b/c")),
            (1, "a/b/c", Some("b/c")),
            (2, "a//b/c", Some("c")),
            (1, "/a/b", Some("a/b")),
            (1, "./a", Some("a")),
            (3, "a/b/c", None),
            (1, "a/", None),
            (1, "a", None),
            (usize::MAX, "a/b", None),
            (1, "-", Some("-")),
        ] {
            assert_eq!(path(strip, name).as_deref(), expected, "{strip} {name}");
        }
        let no_absolute = NameRules { strip: 1, no_absolute: true, ..NameRules::default() };
        assert_eq!((no_absolute.refusal(b"/a"), no_absolute.refusal(b"../a")), (None, None));
        assert!(no_absolute.refusal(b"a/../b").is_some());
    }

    #[test]
    fn names_that_lead_out_are_refused_on_demand() {
        let names = NameRules { no_absolute: true, ..NameRules::default() };
        for name in ["/", "/f", "..", "../f", "a/../b", "a/.."] {
            assert!(names.refusal(name.as_bytes()).is_some(), "{name}");
            assert_eq!(NameRules::default().refusal(name.as_bytes()), None);
        }
        for name in ["f", "..f", "f..", "a/..b/c", "-", "./f"] {
            assert_eq!(names.refusal(name.as_bytes()), None, "{name}");
        }
    }
}
