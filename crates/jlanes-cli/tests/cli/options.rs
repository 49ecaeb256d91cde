//! Options, and the names that the program is called by.

use crate::common::{Scratch, run, sha256};

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
    let ran = run(scratch.command("bash", "bash").args(["-c", script]), b"");
    assert_eq!((ran.out(), ran.err()), ("dmverity-sha256\n".to_owned(), String::new()));
}

#[test]
fn the_manual_tells_what_the_help_does_not() {
    let page = Scratch::new().sum(&["--man"]).out();
    for section in [
        "ALGORITHMS",
        "\"NAMES OF THE PROGRAM\"",
        "PATTERNS",
        "JSON",
        "\"EXIT STATUS\"",
        "EXAMPLES",
        "ENVIRONMENT",
        "\"SEE ALSO\"",
    ] {
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

#[test]
fn options_without_their_algorithm_and_bad_values_are_refused() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("key", "key");
    let refused = |args: &[&str], message: &str| {
        let ran = run(scratch.ours("jlanes-sum").args(args), b"key");
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{args:?}");
        let start = format!("jlanes-sum: {message}");
        assert!(ran.err().starts_with(&start), "{args:?}: {}", ran.err());
    };
    let both = "standard input cannot be both the key and something else";
    for args in [
        &["--hmac-key-file", "-"][..],
        &["--hmac-key-file", "-", "f", "-"],
        &["--hmac-key-file", "-", "--files0-from", "-"],
        &["-a", "skein512", "--key-file=-", "-"],
    ] {
        refused(args, both);
    }
    let none = "--hmac-key-file: 'none': No such file or directory\n";
    refused(&["--hmac-key-file", "none", "f"], none);
    refused(&["--hmac-key-file", ".", "f"], "--hmac-key-file: '.': Is a directory\n");
    refused(&["--hmac-key-file", "key", "-a", "btv2", "f"], "--hmac-key-file needs");
    refused(&["--key-file", "key", "f"], "--key-file needs KMAC, Skein, BLAKE2 or BLAKE3");
    refused(
        &["--key-file", "key", "-a", "jlanes4-skein512", "f"],
        "--key-file needs KMAC, Skein, BLAKE2 or BLAKE3",
    );
    refused(&["--nonce-hex", "00", "f"], "Skein's arguments need Skein");
    refused(&["-a", "skein512", "--nonce-hex", "0", "f"], "--nonce-hex: '0' is no hexadecimal");
    refused(&["--salt", "00", "f"], "--salt needs fsverity or dmverity");
    refused(&["--block-size", "512", "f"], "--block-size needs fsverity or dmverity");
    let named = ["-a", "fsverity-sha256-1024", "--block-size", "4096", "f"];
    refused(&named, "the options differ from what the name of fsverity-sha256-1024 says");
    refused(&["--isal-memory-order", "f"], "--isal-memory-order needs mh-sha1 or mh-sha256");
    let long = format!("--salt={}", "00".repeat(33));
    refused(&["-a", "fsverity-sha256", &long, "f"], "--salt: a salt of 33 bytes");
    let size = "--block-size=1000";
    refused(
        &["-a", "fsverity-sha256", size, "f"],
        "--block-size: block size 1000 is not a power of two",
    );
    refused(
        &["-a", "dmverity-sha256", size, "f"],
        "--block-size: block size 1000 is not a power of two",
    );
    refused(&["-a", "btv2", "--fsverity-format", "f"], "--fsverity-format is only supported");
    refused(
        &["-a", "dmverity-sha256", "--dmverity-tree=T", "f", "f"],
        "--dmverity-tree is for one",
    );
    refused(&["-a", "dmverity-sha256", "--dmverity-format=2", "f"], "--dmverity-format: invalid");
    refused(&["-a", "dmverity-sha256", "--dmverity-tree=-", "f"], "--dmverity-tree: '-' is");
    assert_eq!(scratch.sum(&["-a", "btv2", "key"]).code, Some(0));
    scratch.write("empty", "");
    let ran = scratch.sum(&["-a", "btv2", "empty", "f"]);
    assert_eq!(ran.err(), "jlanes-sum: empty: an empty input has no root\n");
    assert_eq!((ran.code, ran.out().lines().count()), (Some(1), 1), "f has its digest");
}
