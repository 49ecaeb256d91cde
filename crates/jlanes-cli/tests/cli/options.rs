//! Options, and the names that the program is called by.

use crate::common::{Scratch, sha256};

#[test]
fn help_version_man_page_and_completions_are_printed() {
    let scratch = Scratch::new();
    for (args, start) in [
        (&["--help"][..], "Usage: jlanes-sum [OPTION]..."),
        (&["--help=all"], "Prints or checks digests of files"),
        (&["--version"], "jlanes-sum "),
        (&["--man"], ".ie"),
        (&["--completions", "bash"], "_jlanes__sum() {"),
        (&["--completions=fish"], "complete -c jlanes-sum"),
        (&["--completions=zsh"], "#compdef jlanes-sum"),
    ] {
        let ran = scratch.sum(args);
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{args:?}");
        assert!(ran.out().starts_with(start), "{args:?}: {}", ran.out());
    }
    for documented in ["--files0-from", "--audit", "--max-depth"] {
        assert!(scratch.sum(&["--help=all"]).out().contains(documented));
        assert!(scratch.sum(&["--man"]).out().contains(&documented.replace('-', "\\-")));
    }
}

#[test]
fn completions_know_the_algorithms() {
    let scratch = Scratch::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = scratch.sum(&["--completions", shell]).out();
        let known = ["skein512-256-tree", "fsverity-sha512", "s3-sha256"];
        // PowerShell and elvish do not complete values
        let expected = shell != "powershell" && shell != "elvish";
        for name in known {
            assert_eq!(text.contains(name), expected, "{shell}: {name}");
        }
    }
}

#[test]
#[cfg(unix)]
fn bash_completes_the_algorithm() {
    let scratch = Scratch::new();
    scratch.write("COMPLETIONS", scratch.sum(&["--completions=bash"]).stdout);
    let script = "source COMPLETIONS; COMP_WORDS=(jlanes-sum -a dmverity-sha2); COMP_CWORD=2; \
                  _jlanes__sum jlanes-sum dmverity-sha2 -a; echo \"${COMPREPLY[@]}\"";
    let ran = crate::common::run(scratch.command("bash", "bash").args(["-c", script]), b"");
    assert_eq!((ran.out(), ran.err()), ("dmverity-sha256\n".to_owned(), String::new()));
}

#[test]
fn the_manual_tells_what_the_help_does_not() {
    let page = Scratch::new().sum(&["--man"]).out();
    for section in ["ALGORITHMS", "PATTERNS", "JSON", "\"EXIT STATUS\"", "EXAMPLES"] {
        assert!(page.contains(&format!("\n.SH {section}\n")), "{section}: {page}");
    }
    for said in ["\\fBbtv2\\fR\nBitTorrent v2\\*(Aqs pieces root", "warn\\-changed", "FIFOs"] {
        assert!(page.contains(said), "{said}: {page}");
    }
}

#[test]
fn digests_can_be_raw_or_base64() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let hex = sha256(b"abc");
    assert_eq!(scratch.sum(&["--raw", "f"]).stdout, hex::decode(hex).unwrap());
    let base64 = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
    assert_eq!(scratch.sum(&["--base64", "f"]).out(), format!("{base64}  f\n"));
    let tagged = format!("SHA256 (f) = {base64}\n");
    assert_eq!(scratch.sum(&["--base64", "--tag", "f"]).out(), tagged);
    scratch.write("LIST", tagged);
    assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\n");
    for (args, message) in [
        (&["--raw", "f", "f"][..], "the --raw option is not supported with multiple files"),
        (&["--raw", "--base64", "f"], "--base64 and --raw are mutually exclusive"),
    ] {
        let ran = scratch.sum(args);
        assert_eq!(ran.code, Some(1));
        assert!(ran.err().starts_with(&format!("jlanes-sum: {message}\n")), "{ran:?}");
    }
}

#[test]
fn several_algorithms_are_printed_file_by_file_with_tags() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    scratch.write("g", "g");
    let ran = scratch.sum(&["-a", "sha256,SKEIN512", "-a", "skein256", "f", "missing", "g"]);
    let names: Vec<_> =
        ran.out().lines().map(|line| line.split(" = ").next().unwrap().to_owned()).collect();
    assert_eq!(
        names,
        [
            "SHA256 (f)",
            "SKEIN512 (f)",
            "SKEIN256 (f)",
            "SHA256 (g)",
            "SKEIN512 (g)",
            "SKEIN256 (g)"
        ]
    );
    assert_eq!(ran.err(), "jlanes-sum: missing: No such file or directory\n");
    scratch.write("LIST", ran.stdout);
    let ran = scratch.sum(&["-c", "--quiet", "LIST"]);
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
}

#[test]
fn every_backend_of_this_cpu_gives_the_same_digests() {
    let scratch = Scratch::new();
    let names: Vec<_> = (0..100).map(|i| format!("f{i:02}")).collect();
    for (i, name) in names.iter().enumerate() {
        scratch.write(name, crate::common::paint(i * i * 11));
    }
    let expected = scratch.sum(&names);
    for backend in jlanes::Backend::available() {
        let option = format!("--backend={backend}");
        let ran = scratch.sum(&[&[option], &names[..]].concat());
        assert_eq!(ran, expected, "{backend}");
    }
    let ran = scratch.sum(&["--backend", "mmx", "f00"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err().starts_with("jlanes-sum: --backend: invalid value 'mmx': unknown backend"));
}

#[test]
fn debugging_tells_kernels_lanes_and_speed() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let ran = scratch.sum(&["--debug", "--backend", "portable", "f"]);
    assert_eq!(ran.out(), format!("{}  f\n", sha256(b"abc")));
    let err = ran.err();
    let lines: Vec<_> = err.lines().collect();
    assert!(lines[0].starts_with("jlanes-sum: 1 file, 3 bytes, 1 thread, "), "{err}");
    assert_eq!(
        lines[1],
        "jlanes-sum: sha256: kernels portable from 1; 1 lane, 1.00 live on average"
    );
}

#[test]
fn an_empty_base_directory_is_not_the_root() {
    let scratch = Scratch::new();
    scratch.write("list", format!("{}  f\n", sha256(b"x")));
    for (args, code) in
        [(["-c", "--base-dir=", "list"], 1), (["--audit=list", "--base-dir", ""], 2)]
    {
        let ran = scratch.sum(&args);
        assert_eq!(ran.code, Some(code), "{args:?}");
        assert!(ran.err().contains("--base-dir: '' is no directory\n"), "{ran:?}");
    }
}
