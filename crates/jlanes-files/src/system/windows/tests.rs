use super::*;

#[test]
fn names_have_slashes() {
    for (name, expected) in [
        (r"a\b\c", "a/b/c"),
        ("a/b", "a/b"),
        (r"C:\a", "C:/a"),
        (r"\\server\share\a", "//server/share/a"),
        (r"\\?\C:\a", r"\\?\C:\a"),
    ] {
        assert_eq!(*bytes(OsStr::new(name)), *expected.as_bytes(), "{name}");
        assert_eq!(*native_name(name.as_bytes()), *expected.as_bytes(), "{name}");
    }
}

#[test]
fn verbatim_paths_go_on_with_backslashes() {
    assert_eq!(path_from(working_dir(), br"\\?\C:\a/b").unwrap(), Path::new(r"\\?\C:\a\b"));
    assert_eq!(path_from(Path::new("d"), b"e/f").unwrap(), Path::new("d/e/f"));
}

#[test]
fn names_that_are_not_unicode_are_errors_and_not_lost() {
    use std::os::windows::ffi::OsStringExt;
    let name = OsString::from_wide(&[u16::from(b'a'), 0xd800]);
    assert_eq!(*bytes(&name), *b"a\xed\xa0\x80");
    let error = stat(&bytes(&name)).unwrap_err();
    assert_eq!(error.to_string(), "the name is not Unicode");
    assert_eq!(stat(b"a\xff").unwrap_err().kind(), io::ErrorKind::InvalidInput);
}

#[test]
fn times_count_from_1970() {
    let second = 11_644_473_600 * 10_000_000;
    assert_eq!(time(second), Time { seconds: 0, nanoseconds: 0 });
    assert_eq!(time(second + 10_000_003), Time { seconds: 1, nanoseconds: 300 });
    assert_eq!(time(second - 1), Time { seconds: -1, nanoseconds: 999_999_900 });
}

#[test]
fn files_are_known_by_their_numbers() {
    let dir = tempfile::tempdir().unwrap();
    let name = |name: &str| into_bytes(dir.path().join(name).into());
    for (file, content) in [("a", "1"), ("b", "12")] {
        fs::write(dir.path().join(file), content).unwrap();
    }
    fs::hard_link(dir.path().join("a"), dir.path().join("c")).unwrap();
    let [a, b, c] = ["a", "b", "c"].map(|file| stat(&name(file)).unwrap());
    assert_eq!((a.kind, a.size, b.size), (FileKind::File, 1, 2));
    assert_eq!((a.identity == c.identity, a.identity == b.identity), (true, false));
    assert_eq!(stat(&name("")).unwrap().kind, FileKind::Directory);
    assert_eq!(stat(&name("d")).unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn names_that_lead_elsewhere_are_recognised() {
    for (name, expected) in [
        ("/a", true),
        (r"\a", true),
        ("C:a", true),
        ("c:/a", true),
        ("a/b", false),
        ("ab:c", false),
    ] {
        assert_eq!(is_absolute(name.as_bytes()), expected, "{name}");
    }
    for (part, expected) in
        [("..", true), (".. ", true), ("...", true), (r"a\..", true), ("..a", false), (".", false)]
    {
        assert_eq!(is_parent(part.as_bytes()), expected, "{part}");
    }
}
