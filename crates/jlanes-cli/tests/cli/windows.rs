//! Tests for Windows. Other tests that need no other program also run there.

use std::fs;

use crate::common::{Scratch, paint, run, sha256};

fn line(content: &[u8], name: &str) -> String {
    format!("{}  {name}\n", sha256(content))
}

#[test]
fn names_have_slashes_and_are_utf8() {
    let scratch = Scratch::new();
    let names = ["top/a/x", "top/a-b/x", "top/a.txt", "top/B", "top/\u{fc}\u{1f980}", "top/a b"];
    for (i, name) in names.iter().enumerate() {
        scratch.write(name, paint(i * 1000));
    }
    let lines =
        |at: &[usize]| -> String { at.iter().map(|i| line(&paint(i * 1000), names[*i])).collect() };
    let ran = scratch.sum(&["-r", "top"]);
    assert_eq!((ran.code, ran.out()), (Some(0), lines(&[3, 5, 1, 2, 0, 4])), "{ran:?}");
    scratch.write("LIST", &ran.stdout);
    let checked = scratch.sum(&["--strict", "-c", "LIST"]);
    assert_eq!((checked.code, checked.out().matches(": OK\n").count()), (Some(0), 6));
    let ran = scratch.sum(&[r"top\a\x", r".\top\a.txt"]);
    assert_eq!(ran.out(), lines(&[0]) + &line(&paint(2000), "./top/a.txt"));
    // lists of names and of digests with backslashes, as some tools write them
    scratch.write("NAMES", "top\\a\\x\r\ntop\\B\r\n");
    assert_eq!(scratch.sum(&["--files-from", "NAMES"]).out(), lines(&[0, 3]));
    scratch.write("LIST", lines(&[0]).replace("  top/a/", "  top\\a\\"));
    assert_eq!(scratch.sum(&["-c", "LIST"]).code, Some(0));
    assert_eq!(scratch.sum(&["--audit", "LIST", "top/a"]).code, Some(0));
    let absolute = scratch.at(r"top\a\x");
    let expected = absolute.to_str().unwrap().replace('\\', "/");
    assert_eq!(scratch.sum(&[absolute]).out(), line(b"", &expected));
}

#[test]
fn streams_are_binary() {
    let scratch = Scratch::new();
    let content = b"a\r\nb\x1ac\n\r\xff";
    assert_eq!(run(&mut scratch.ours("jlanes-sum"), content).out(), line(content, "-"));
    let list = line(content, "f").replace('\n', "\r\n");
    scratch.write("f", content);
    let ran = run(scratch.ours("jlanes-sum").args(["-c", "-"]), list.as_bytes());
    assert_eq!((ran.code, ran.out()), (Some(0), "f: OK\n".to_owned()), "{ran:?}");
    let list = fs::File::create(scratch.at("LIST")).unwrap();
    let status = scratch.ours("jlanes-sum").arg("f").stdout(list).status().unwrap();
    assert!(status.success());
    assert_eq!(fs::read_to_string(scratch.at("LIST")).unwrap(), line(content, "f"));
}

#[test]
fn the_program_is_called_by_other_names() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let sha1 = "a9993e364706816aba3e25717850c26c9cd0d89d";
    assert_eq!(run(scratch.ours("sha1sum").arg("f"), b"").out(), format!("{sha1}  f\n"));
    let ran = run(scratch.ours("sha256sum").arg("--nonsense"), b"");
    assert_eq!((ran.code, ran.err().starts_with("sha256sum: ")), (Some(1), true), "{ran:?}");
}

#[test]
fn operands_that_are_no_files_are_reported() {
    let scratch = Scratch::new();
    scratch.write("d/f", "f");
    let ran = scratch.sum(&["missing", "d", "d/f"]);
    assert_eq!((ran.code, ran.out()), (Some(1), line(b"f", "d/f")));
    let printed = "jlanes-sum: missing: No such file or directory\njlanes-sum: d: Is a directory\n";
    assert_eq!(ran.err(), printed);
    assert_eq!(scratch.sum(&["NUL"]).out(), line(b"", "NUL"));
    scratch.write("LIST", [sha256(b"").as_bytes(), b"  d/\xff\n"].concat());
    let ran = scratch.sum(&["-c", "LIST"]);
    assert!(ran.err().contains(r"'d/'$'\377': the name is not Unicode"), "{ran:?}");
}

#[test]
fn lists_lead_nowhere_else() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    scratch.write("base/f", "f");
    for name in [r"..\f", "../f", r"a\..\..\f", "C:f", r"C:\f", r"\f", r"\\server\share\f", ".. /f"]
    {
        // a backslash in a name makes a line with escapes
        let escaped = name.replace('\\', r"\\");
        let mark = if name.contains('\\') { r"\" } else { "" };
        scratch.write("LIST", format!("{mark}{}  {escaped}\n", sha256(b"f")));
        let ran = scratch.sum(&["--no-absolute", "--base-dir=base", "-c", "LIST"]);
        assert_eq!(ran.code, Some(1), "{name}: {ran:?}");
        assert!(ran.err().contains("refused"), "{name}: {ran:?}");
    }
}

#[test]
fn lists_replace_earlier_ones() {
    let scratch = Scratch::new();
    scratch.write("d/a", "a");
    let list = || fs::read_to_string(scratch.at("d/LIST")).unwrap();
    for content in ["a", "other"] {
        scratch.write("d/a", content);
        let ran = scratch.sum(&["-r", "--output", r"d\LIST", "d"]);
        assert_eq!((ran.code, list()), (Some(0), line(content.as_bytes(), "d/a")), "{ran:?}");
    }
    for (content, printed) in [("other", "d/a: NEW\n"), ("third", "d/a: CHANGED\n")] {
        scratch.write("d/a", content);
        let ran = scratch.sum(&["--update", "LIST", "d/a"]);
        assert_eq!((ran.code, ran.out()), (Some(0), printed.to_owned()), "{ran:?}");
    }
    assert_eq!(fs::read_dir(scratch.at("d")).unwrap().count(), 2, "nothing is left");
}

#[test]
fn large_files_are_read() {
    let scratch = Scratch::new();
    let content = paint(5 << 20);
    scratch.write("large", &content);
    for options in [&["--mmap"][..], &["--no-mmap"], &["--threads=1"], &[]] {
        let ran = scratch.sum(&[options, &["large"]].concat());
        assert_eq!(ran.out(), line(&content, "large"), "{options:?}: {ran:?}");
    }
}

#[test]
fn files_that_git_ignores_are_skipped() {
    let scratch = Scratch::new();
    for name in ["d/sub/a.o", "d/sub/deep/b", "d/keep", "d/sub/kept.o"] {
        scratch.write(name, name);
    }
    for name in ["HEAD", "objects/a", "refs/a"] {
        scratch.write(format!("d/.git/{name}"), "ref: refs/heads/a\n");
    }
    scratch.write("d/.gitignore", "*.o\n!kept.o\nsub/deep/\n");
    let names = |args: &[&str]| -> Vec<String> {
        let out = scratch.sum(args).out();
        out.lines().map(|line| line[66..].to_owned()).collect()
    };
    let expected = [".gitignore", "keep", "sub/kept.o"];
    assert_eq!(names(&["-r", "--gitignore", "d"]), expected.map(|name| format!("d/{name}")));
    assert_eq!(names(&["-r", "--gitignore", "d/sub"]), ["d/sub/kept.o"]);
    assert_eq!(names(&["-r", "--include=sub/*/b", "d"]), ["d/sub/deep/b"]);
}
