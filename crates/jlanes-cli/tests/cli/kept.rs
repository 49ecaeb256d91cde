//! The conditions under which `--update` keeps digests, and the entries that it never drops.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    time::{Duration, SystemTime},
};

use crate::{
    common::{Ran, Scratch, sha256},
    update::{make_old, raw_lines, tick},
};

fn update(scratch: &Scratch, args: &[&str]) -> Ran {
    tick();
    scratch.sum(&[&["--update", "LIST"], args].concat())
}

fn list(scratch: &Scratch) -> String {
    fs::read_to_string(scratch.at("LIST")).unwrap()
}

#[track_caller]
fn is_right(scratch: &Scratch, dir: &str) {
    let fresh = scratch.sum(&["-r", dir]).stdout;
    assert_eq!(
        raw_lines(scratch, "LIST").escape_ascii().to_string(),
        fresh.escape_ascii().to_string()
    );
}

/// Two directories with files of the same sizes and times.
fn versions() -> Scratch {
    let scratch = Scratch::new();
    for name in ["i", "sub/j"] {
        scratch.write(format!("s/{name}"), "v1");
        scratch.write(format!("s.new/{name}"), "v2");
    }
    tick();
    assert_eq!(update(&scratch, &["s"]).code, Some(0));
    scratch
}

#[test]
fn another_copy_of_a_tree_is_hashed() {
    // another directory moved into its place
    let scratch = versions();
    fs::rename(scratch.at("s"), scratch.at("s.old")).unwrap();
    fs::rename(scratch.at("s.new"), scratch.at("s")).unwrap();
    assert_eq!(update(&scratch, &["s"]).out(), "s/i: CHANGED\ns/sub/j: CHANGED\n");
    is_right(&scratch, "s");
    // reached through a link that leads elsewhere now
    let scratch = versions();
    symlink("s", scratch.at("link")).unwrap();
    fs::remove_file(scratch.at("LIST")).unwrap();
    tick();
    update(&scratch, &["link/i"]);
    fs::remove_file(scratch.at("link")).unwrap();
    symlink("s.new", scratch.at("link")).unwrap();
    assert_eq!(update(&scratch, &["link/i"]).out(), "link/i: CHANGED\n");
    // or from another working directory
    let scratch = versions();
    fs::create_dir(scratch.at("there")).unwrap();
    fs::rename(scratch.at("s.new"), scratch.at("there/s")).unwrap();
    let mut there = scratch.ours("jlanes-sum");
    there.current_dir(scratch.at("there")).args(["--update", "../LIST", "s"]);
    let ran = crate::common::run(&mut there, b"");
    assert_eq!(ran.out(), "s/i: CHANGED\ns/sub/j: CHANGED\n", "{ran:?}");
}

#[test]
fn no_time_is_believed_alone() {
    let scratch = versions();
    // a written file gets its times back
    let before = fs::metadata(scratch.at("s/i")).unwrap().modified().unwrap();
    scratch.write("s/i", "v3");
    fs::File::options().write(true).open(scratch.at("s/i")).unwrap().set_modified(before).unwrap();
    assert_eq!(update(&scratch, &["s"]).out(), "s/i: CHANGED\n");
    is_right(&scratch, "s");
    // a list from the future was made by another clock
    let later = SystemTime::now() + Duration::from_secs(3600);
    let later = later.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let text = list(&scratch);
    let (_, rest) = text.split_once('\n').unwrap();
    let wrong = rest.replace(&sha256(b"v3"), &sha256(b"v9"));
    let future =
        |rest: &str| format!("# jlanes-sum --update, files as of {later}.000000000\n{rest}");
    scratch.write("LIST", future(&wrong));
    assert_eq!(update(&scratch, &["s"]).out(), "s/i: CHANGED\n");
    is_right(&scratch, "s");
}

#[test]
fn lines_that_were_edited_are_not_believed() {
    let scratch = versions();
    // a changed digest
    scratch.write("LIST", list(&scratch).replace(&sha256(b"v1"), &sha256(b"v9")));
    assert_eq!(update(&scratch, &["s"]).out(), "s/i: CHANGED\ns/sub/j: CHANGED\n");
    is_right(&scratch, "s");
    // two names exchanged, with the stamps of their files
    scratch.write("s/sub/j", "v2");
    update(&scratch, &["s"]);
    let swapped =
        list(&scratch).replace("s/i", "X").replace("s/sub/j", "s/i").replace('X', "s/sub/j");
    scratch.write("LIST", swapped);
    assert_eq!(update(&scratch, &["s"]).out(), "s/i: CHANGED\ns/sub/j: CHANGED\n");
    is_right(&scratch, "s");
    // lines in another order
    let text = list(&scratch);
    let mut sorted: Vec<_> = text.lines().collect();
    sorted.sort_unstable();
    scratch.write("LIST", sorted.join("\n") + "\n");
    assert_eq!(update(&scratch, &["s"]).out(), "");
    is_right(&scratch, "s");
}

#[test]
fn digests_by_another_key_are_not_believed() {
    let scratch = Scratch::new();
    scratch.write("f", "text");
    scratch.write("k1", "one");
    scratch.write("k2", "two");
    tick();
    for key in ["k1", "k2", "k2"] {
        let key = format!("--hmac-key-file={key}");
        let ran = update(&scratch, &["-a", "sha256", "--tag", &key, "f"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let fresh = scratch.sum(&["--tag", &key, "f"]);
        assert_eq!(raw_lines(&scratch, "LIST"), fresh.stdout);
    }
}

#[test]
fn lists_of_the_older_form_are_made_anew() {
    let scratch = versions();
    let text = list(&scratch);
    let old: Vec<_> = text.lines().filter(|line| !line.contains("--update, file ")).collect();
    let old = old.join("\n").replace(&sha256(b"v1"), &sha256(b"v9")) + "\n";
    assert!(old.starts_with("# jlanes-sum --update, files as of "), "{old}");
    scratch.write("LIST", old);
    assert_eq!(update(&scratch, &["s"]).out(), "s/i: CHANGED\ns/sub/j: CHANGED\n");
    is_right(&scratch, "s");
    // GNU's tools skip the stamps
    let gnu = scratch.same(&["--strict", "-c", "LIST"]);
    assert_eq!((gnu.code, gnu.out().as_str()), (Some(0), "s/i: OK\ns/sub/j: OK\n"));
}

#[test]
fn a_list_outlives_what_it_is_about() {
    let scratch = Scratch::new();
    for name in ["m/a", "m/b", "m/c", "n/d"] {
        scratch.write(name, name);
    }
    assert_eq!(update(&scratch, &["m", "n"]).code, Some(0));
    let before = list(&scratch);
    let kept = |why: &str, ran: &Ran| {
        let code = if why.starts_with("more") { 1 } else { 2 };
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.err().contains(&format!("'LIST': left as it was: {why}")), "{ran:?}");
        assert_eq!(list(&scratch), before);
    };
    // a missing operand, or one that is not a file
    fs::rename(scratch.at("m"), scratch.at("away")).unwrap();
    for operand in ["m", "", "n/d/x", "m/a"] {
        kept("an operand cannot be opened", &update(&scratch, &["n", operand]));
        kept("an operand cannot be opened", &update(&scratch, &["--allow-removals", operand]));
    }
    kept("an operand cannot be opened", &update(&scratch, &["--files-from=none"]));
    // an empty directory where a file system was mounted
    fs::create_dir(scratch.at("m")).unwrap();
    kept("more than half of its files are gone", &update(&scratch, &["m", "n"]));
    // files that are really gone
    let ran = update(&scratch, &["--allow-removals", "m", "n"]);
    assert_eq!(
        (ran.code, ran.out().as_str()),
        (Some(0), "m/a: MISSING\nm/b: MISSING\nm/c: MISSING\n")
    );
    is_right(&scratch, "n");
}

/// `/dev/shm` is another file system. It seems to be unmounted if a link leads elsewhere.
#[test]
fn a_file_system_that_is_gone_is_not_empty() {
    let scratch = Scratch::new();
    let Ok(other) = tempfile::tempdir_in("/dev/shm") else { return };
    let device =
        |path: &std::path::Path| std::os::unix::fs::MetadataExt::dev(&fs::metadata(path).unwrap());
    if device(other.path()) == device(scratch.path()) {
        return;
    }
    for name in ["n/1", "n/2", "n/3"] {
        scratch.write(name, name);
    }
    fs::write(other.path().join("f"), "f").unwrap();
    symlink(other.path(), scratch.at("mnt")).unwrap();
    assert_eq!(update(&scratch, &["mnt/f", "n"]).code, Some(0));
    let before = list(&scratch);
    fs::remove_file(scratch.at("mnt")).unwrap();
    fs::create_dir(scratch.at("mnt")).unwrap();
    let ran = update(&scratch, &["mnt", "n"]);
    let why = "left as it was: a directory is empty that was on another file system\n";
    assert!(ran.code == Some(2) && ran.err().ends_with(why), "{ran:?}");
    assert_eq!(list(&scratch), before);
    assert_eq!(update(&scratch, &["--allow-removals", "mnt", "n"]).code, Some(0));
}

#[test]
fn unreadable_files_keep_all_their_lines() {
    let scratch = Scratch::new();
    scratch.write("a", "a");
    scratch.write("LIST", scratch.sum(&["-a", "sha1,sha512", "a"]).stdout);
    scratch.write(
        "LIST",
        [
            &fs::read(scratch.at("LIST")).unwrap()[..],
            b"SHA1 (loop) = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
        ]
        .concat(),
    );
    symlink("loop", scratch.at("loop")).unwrap();
    let before = list(&scratch);
    let ran = update(&scratch, &["-a", "sha256", "a"]);
    assert!(ran.err().contains("left as it was: a file could not be read"), "{ran:?}");
    assert_eq!((ran.code, list(&scratch)), (Some(2), before));
    let ran = update(&scratch, &["a"]);
    assert!(ran.code == Some(2) && list(&scratch).contains("(loop) = aaaa"), "{ran:?}");
}

#[test]
fn comments_and_forms_are_kept() {
    let scratch = Scratch::new();
    scratch.write("a", "a");
    scratch.write("b", "b");
    let line = |args: &[&str]| scratch.sum(args).out();
    for style in [&[][..], &["--tag"], &["-b"], &["--base64"], &["--tag", "--base64"]] {
        let with = |name| line(&[style, &[name]].concat());
        let text = format!("# head\n{}#of b\n#\n{}# tail\n", with("a"), with("b"));
        scratch.write("LIST", &text);
        for _ in 0..2 {
            let ran = update(&scratch, &["a", "b"]);
            assert_eq!((ran.code, ran.out()), (Some(0), String::new()), "{ran:?}");
            let all = list(&scratch);
            let kept = all.lines().filter(|line| !line.starts_with("# jlanes-sum --update, "));
            let kept: Vec<_> = kept.collect();
            assert_eq!(kept.join("\n") + "\n", text);
        }
    }
}

#[test]
fn lists_in_other_forms_are_left_alone() {
    let scratch = Scratch::new();
    scratch.write("a", "a");
    let line = |args: &[&str]| scratch.sum(args).out();
    let plain = line(&["a"]);
    for text in [
        "#!/bin/sh\n".to_owned(),
        format!("#!/bin/sh\n{plain}"),
        "# notes\n".to_owned(),
        line(&["--format=mtree", "a"]),
        line(&["--format=hashdeep", "a"]),
        line(&["--fsverity-format", "-a", "fsverity-sha256", "a"]),
        line(&["--json", "a"]),
        plain.replace('\n', "\r\n"),
        plain.to_uppercase().replace('A', "a"),
        plain.replace("  ", " "),
        format!("{plain}{}", line(&["--tag", "a"])),
        format!("  {plain}"),
    ] {
        scratch.write("LIST", &text);
        let ran = update(&scratch, &["a"]);
        assert!(ran.err().contains("not brought up to date"), "{text}: {ran:?}");
        assert_eq!((ran.code, list(&scratch)), (Some(2), text.clone()));
        let ran = update(&scratch, &["--force", "a"]);
        assert!(ran.code == Some(0), "{text}: {ran:?}");
        assert!(scratch.sum(&["-c", "--strict", "LIST"]).out().ends_with("a: OK\n"));
    }
    for place in ["/dev/null", "."] {
        let ran = scratch.sum(&["--update", place, "a"]);
        assert!(ran.code == Some(2) && ran.err().contains("not a regular file"), "{ran:?}");
    }
}

/// Superusers can read everything, so these tests do not apply to them.
#[test]
fn directories_that_cannot_be_read_keep_their_files() {
    let scratch = versions();
    make_old(&scratch, "s/i");
    fs::set_permissions(scratch.at("s/sub"), fs::Permissions::from_mode(0o000)).unwrap();
    let is_open = fs::read_dir(scratch.at("s/sub")).is_ok();
    let ran = update(&scratch, &["s"]);
    fs::set_permissions(scratch.at("s/sub"), fs::Permissions::from_mode(0o755)).unwrap();
    if !is_open {
        assert_eq!(ran.code, Some(2), "{ran:?}");
    }
    is_right(&scratch, "s");
}

#[test]
fn a_file_that_an_audit_misses_is_gone() {
    let others = ["d/other", "d/sub/g", "d/sub/h", "d/sub/i"];
    let set = || {
        let scratch = Scratch::new();
        for name in ["d/f", "e/f", "e/sub/g"].iter().chain(&others) {
            scratch.write(name, "same");
        }
        assert_eq!(update(&scratch, &["d"]).code, Some(0));
        scratch
    };
    for (args, status) in [(&["d"][..], 0), (&["--detailed-exit", "d"], 1), (&["./d/"], 0)] {
        let scratch = set();
        fs::remove_file(scratch.at("d/f")).unwrap();
        symlink("../e/f", scratch.at("d/f")).unwrap();
        let ran = update(&scratch, args);
        assert_eq!((ran.out(), ran.code), ("d/f: MISSING\n".to_owned(), Some(status)), "{ran:?}");
        is_right(&scratch, "d");
        assert_eq!(scratch.sum(&["--audit", "LIST", "d"]).code, Some(0));
    }
    // a link in place of a directory, and the protection of the list
    let scratch = set();
    fs::rename(scratch.at("d/sub"), scratch.at("sub")).unwrap();
    symlink("../sub", scratch.at("d/sub")).unwrap();
    let ran = update(&scratch, &["d"]);
    assert_eq!((ran.out().matches("MISSING").count(), ran.code), (3, Some(1)), "{ran:?}");
    assert!(ran.err().contains("--allow-removals"), "{ran:?}");
    assert_eq!(update(&scratch, &["--allow-removals", "d"]).code, Some(0));
    is_right(&scratch, "d");
    // links that are followed, and above the operand, lead to files of the list
    let scratch = set();
    fs::rename(scratch.at("d"), scratch.at("there")).unwrap();
    symlink("there", scratch.at("d")).unwrap();
    assert_eq!(update(&scratch, &["d"]).out(), "");
    fs::remove_file(scratch.at("d/f")).unwrap();
    symlink("../e/f", scratch.at("d/f")).unwrap();
    assert_eq!(update(&scratch, &["-L", "d"]).code, Some(0));
    assert_eq!(update(&scratch, &["e"]).out(), "e/f: NEW\ne/sub/g: NEW\n");
}
