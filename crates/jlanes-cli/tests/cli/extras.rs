//! Options that GNU's tools lack: links as files, progress, digests without names, and others.

use std::os::unix::fs::symlink;

use crate::common::{Scratch, paint, run, sha256};

#[test]
fn links_can_be_files_of_what_they_say() {
    let scratch = Scratch::new();
    scratch.write("d/file", "content");
    symlink("file", scratch.at("d/link")).unwrap();
    symlink("no/where", scratch.at("d/dangling")).unwrap();
    symlink("d", scratch.at("dirlink")).unwrap();
    let line = |content: &str, name: &str| format!("{}  {name}\n", sha256(content.as_bytes()));
    let expected = [
        line("d", "dirlink"),
        line("no/where", "d/dangling"),
        line("content", "d/file"),
        line("file", "d/link"),
    ];
    let ran = scratch.sum(&["--hash-links", "-r", "dirlink", "d"]);
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), expected.concat(), String::new()));
    scratch.write("LIST", ran.stdout);
    let ran = scratch.sum(&["--hash-links", "-c", "--quiet", "LIST"]);
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
    assert_eq!(scratch.sum(&["-c", "--quiet", "LIST"]).code, Some(1));
}

#[test]
fn progress_is_shown_to_terminals_unless_it_is_forced() {
    let scratch = Scratch::new();
    scratch.write("f", paint(3 << 20));
    scratch.write("LIST", scratch.sum(&["f"]).stdout);
    for args in [&["f", "f"][..], &["-c", "LIST", "LIST"]] {
        let plain = scratch.sum(args);
        for quiet in ["--progress", "--progress=auto", "--progress=never"] {
            assert_eq!(scratch.sum(&[&[quiet], args].concat()), plain);
        }
        let forced = scratch.sum(&[&["--progress=always"], args].concat());
        assert_eq!((forced.code, forced.stdout), (plain.code, plain.stdout));
        let shown = String::from_utf8(forced.stderr).unwrap();
        let last = shown.lines().last().unwrap();
        assert!(last.starts_with("6.00 MiB"), "{shown:?}");
    }
    let streamed = run(scratch.ours("jlanes-sum").arg("--progress=always"), &paint(1 << 20));
    assert!(streamed.err().contains("1.00 MiB read"), "{streamed:?}");
}

#[test]
fn names_can_be_left_out() {
    let scratch = Scratch::new();
    scratch.write("new\nline", "a");
    let digest = sha256(b"a");
    assert_eq!(scratch.sum(&["--no-names", "new\nline"]).out(), format!("{digest}\n"));
    let zeros = scratch.sum(&["--no-names", "-z", "new\nline", "new\nline"]);
    assert_eq!(zeros.out(), format!("{digest}\0{digest}\0"));
    assert_eq!(scratch.sum(&["--no-names", "--tag", "new\nline"]).code, Some(1));
}

#[test]
fn so_many_files_can_be_required() {
    let scratch = Scratch::new();
    scratch.write("a", "a");
    scratch.write("b", "b");
    let list = scratch.sum(&["a", "b"]).out() + &format!("{}  missing\n", sha256(b"c"));
    scratch.write("LIST", list);
    let check = |n| scratch.sum(&["-c", "--ignore-missing", "--status", "--require", n, "LIST"]);
    assert_eq!((check("2").code, check("2").err()), (Some(0), String::new()));
    let ran = check("3");
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.err(), "jlanes-sum: 2 of 3 required files were verified\n");
}

#[test]
fn names_in_lists_may_begin_elsewhere() {
    let scratch = Scratch::new();
    for name in ["base/f", "base/sub/g"] {
        scratch.write(name, name);
    }
    let mut command = scratch.ours("jlanes-sum");
    let list = run(command.current_dir(scratch.at("base")).args(["-r", "."]), b"");
    let tree = run(
        scratch.ours("jlanes-sum").current_dir(scratch.at("base")).args(["--dirhash=h1", "sub"]),
        b"",
    );
    scratch.write("LIST", &list.stdout);
    scratch.write("H1", &tree.stdout);
    let base = "--base-dir=base";
    let ran = scratch.sum(&["-c", base, "LIST", "H1"]);
    assert_eq!(
        (ran.code, ran.out(), ran.err()),
        (Some(0), "./f: OK\n./sub/g: OK\nsub: OK\n".into(), String::new())
    );
    assert_eq!(scratch.sum(&["-c", base, "--require=2", "--quiet", "LIST"]).code, Some(0));
    let ran = scratch.sum(&["--audit=LIST", base, "base"]);
    assert_eq!((ran.code, ran.out()), (Some(0), "base/f: OK\nbase/sub/g: OK\n".to_owned()));
    assert_eq!(scratch.sum(&["-c", "LIST"]).code, Some(1));
    // absolute names ignore --base-dir
    let absolute = scratch.at("base/f").into_os_string().into_string().unwrap();
    scratch.write("LIST", scratch.sum(&[&absolute]).stdout);
    assert_eq!(scratch.sum(&["-c", "--quiet", base, "LIST"]).code, Some(0));
}

#[test]
fn names_that_lead_elsewhere_are_refused_on_demand() {
    let scratch = Scratch::new();
    scratch.write("d/f", "f");
    let digest = sha256(b"f");
    let absolute = scratch.at("d/f").into_os_string().into_string().unwrap();
    scratch.write("LIST", format!("{digest}  d/f\n{digest}  {absolute}\n{digest}  d/../d/f\n"));
    assert_eq!(scratch.sum(&["-c", "--quiet", "LIST"]).code, Some(0));
    let printed = format!(
        "jlanes-sum: LIST: 2: refused: '{absolute}' is absolute\n\
         jlanes-sum: LIST: 3: refused: 'd/../d/f' leads to a parent\n"
    );
    let ran = scratch.sum(&["-c", "--no-absolute", "LIST"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "d/f: OK\n".to_owned()));
    assert!(ran.err().starts_with(&printed), "{ran:?}");
    let ran = scratch.sum(&["--audit=LIST", "--no-absolute", "d"]);
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), "d/f: OK\n".to_owned(), printed));
    scratch.write("LIST", format!("{digest}  d/f\n"));
    assert_eq!(scratch.sum(&["-c", "--no-absolute", "LIST"]).code, Some(0));
}

#[test]
fn files_are_required_and_not_lines() {
    let scratch = Scratch::new();
    scratch.write("a", "a");
    scratch.write("b", "a");
    std::fs::hard_link(scratch.at("a"), scratch.at("c")).unwrap();
    symlink("a", scratch.at("d")).unwrap();
    let absolute = scratch.at("a").into_os_string().into_string().unwrap();
    let names = ["a", "a", "./a", ".//a", &absolute, "c", "d"];
    scratch.write("LIST", scratch.sum(&names).stdout);
    let ran = scratch.sum(&["-c", "--quiet", "--require=1", "LIST", "LIST"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    let ran = scratch.sum(&["-c", "--quiet", "--require=2", "LIST", "LIST"]);
    let printed = "jlanes-sum: 1 of 2 required files were verified\n".to_owned();
    assert_eq!((ran.code, ran.err()), (Some(1), printed));
    scratch.write("LIST", scratch.sum(&["a", "b"]).stdout);
    assert_eq!(scratch.sum(&["-c", "--quiet", "--require=2", "LIST"]).code, Some(0));
}
