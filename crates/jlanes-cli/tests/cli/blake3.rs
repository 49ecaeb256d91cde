//! BLAKE3's published vectors as files, and the name `b3sum` with its options.

use jlanes_testing::corpus;

use crate::common::{Scratch, run};

#[test]
fn published_vectors_as_files() {
    let scratch = Scratch::new();
    for mode in ["hash", "keyed_hash", "derive_key"] {
        let records = corpus("blake3").into_iter().filter(|record| record.text("mode") == mode);
        let (mut names, mut digests) = (Vec::new(), Vec::new());
        let (mut options, mut own, mut key) = (Vec::new(), Vec::new(), Vec::new());
        for record in records {
            let name = format!("{}-{}", mode, record.number::<usize>("msg_len"));
            scratch.write(&name, record.message());
            digests.push(format!("{}  {name}", record.text("out_hex")));
            names.push(name);
            if mode == "keyed_hash" {
                key = record.hex("key_hex");
                scratch.write("key", &key);
                (options, own) = (vec!["--key-file=key".to_owned()], vec!["--keyed".to_owned()]);
            } else if mode == "derive_key" {
                own = vec![format!("--derive-key={}", record.text("context"))];
                options.clone_from(&own);
            }
        }
        let all = |args: &[&str]| -> Vec<String> {
            let options = options.iter().map(String::as_str);
            let args: Vec<&str> = args
                .iter()
                .copied()
                .chain(options)
                .chain(names.iter().map(String::as_str))
                .collect();
            scratch.sum(&args).out().lines().map(str::to_owned).collect()
        };
        assert_eq!(all(&["-a", "blake3-1048"]), digests, "{mode}");
        let short: Vec<String> =
            digests.iter().map(|line| format!("{}{}", &line[..64], &line[262..])).collect();
        assert_eq!(all(&["-a", "blake3"]), short, "{mode}");
        // BLAKE3's own tool takes the length in bytes
        for (args, expected) in [(&["-l", "131"][..], &digests), (&[], &short)] {
            let ran = run(scratch.ours("b3sum").args(args).args(&own).args(&names), &key);
            assert_eq!(ran.out().lines().collect::<Vec<_>>(), *expected, "{mode} {args:?}");
        }
        // the tag contains all parameters except the key
        let tagged = all(&["-a", "blake3", "--tag"]).join("\n");
        scratch.write("LIST", tagged + "\n");
        let key_file = options.iter().filter(|option| option.starts_with("--key"));
        let check: Vec<&str> = ["-c", "LIST"].into_iter().chain(key_file.map(|o| &o[..])).collect();
        let ran = scratch.sum(&check);
        assert_eq!((ran.code, ran.out().lines().count()), (Some(0), names.len()), "{ran:?}");
    }
}

#[test]
fn lists_of_b3sum() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("g", "abd");
    let b3sum = |args: &[&str]| run(scratch.ours("b3sum").args(args), b"");
    let digest = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85";
    assert_eq!(b3sum(&["f"]).out(), format!("{digest}  f\n"));
    assert_eq!(b3sum(&["--no-names", "f"]).out(), format!("{digest}\n"));
    assert_eq!(b3sum(&["--tag", "f"]).out(), format!("BLAKE3 (f) = {digest}\n"));
    assert_eq!(b3sum(&["--raw", "f"]).stdout.len(), 32);
    for list in [format!("{digest}  f\n{digest}  g\n"), format!("BLAKE3 (f) = {digest}\n")] {
        scratch.write("LIST", &list);
        let ran = b3sum(&["-c", "LIST"]);
        assert!(ran.out().starts_with("f: OK\n"), "{ran:?}");
        assert_eq!(ran.code, Some(i32::from(list.contains('g'))), "{ran:?}");
        assert_eq!(scratch.sum(&["-a", "blake3", "-c", "LIST"]).code, ran.code);
    }
}

#[test]
fn outputs_of_b3sum_from_a_position_on() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("large", vec![7; 6 << 20]);
    let b3sum = |args: &[&str]| run(scratch.ours("b3sum").args(args), b"");
    // the output of b3sum 1.8.7
    let digest = "3b75273a8db548c558465d79db03fd359c6cd5bd9d851fb250ae7393f5d02813\
                  b65d521a0d492d9ba09cf7ce7f4cffd900f23374bf0bc08a1fb0b38ed276181c";
    assert_eq!(b3sum(&["-l", "64", "--seek", "10", "f"]).out(), format!("{digest}  f\n"));
    assert_eq!(b3sum(&["--seek=0", "f"]).out(), b3sum(&["f"]).out());
    // where the counter of blocks reaches its second word
    let far = b3sum(&["--seek=18446744073709551000", "-l", "8", "f"]).out();
    assert_eq!(far, "fd01f19f2b3e4cf7  f\n");
    let whole = b3sum(&["-l", "100", "--derive-key=context", "large", "f"]).out();
    let end = b3sum(&["-l", "30", "--seek=70", "--derive-key=context", "large", "f"]).out();
    for (whole, end) in whole.lines().zip(end.lines()) {
        assert!(whole.ends_with(end), "{whole} {end}");
    }
    for tag in [&[][..], &["--tag"]] {
        let made = b3sum(&[&["--seek=8", "f"], tag].concat()).out();
        scratch.write("LIST", made);
        assert_eq!(b3sum(&["-c", "--seek=8", "LIST"]).out(), "f: OK\n");
    }
    // the tag contains the position
    assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\n");
}

#[test]
fn keys_that_blake3_does_not_have() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("key", "short");
    let refused = |args: &[&str]| {
        let ran = scratch.sum(args);
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{args:?}");
        ran.err()
    };
    assert_eq!(
        refused(&["-a", "blake3", "--key-file=key", "f"]),
        "jlanes-sum: --key-file: the key of blake3 has 32 bytes\n"
    );
    assert!(refused(&["--derive-key=context", "f"]).contains("--derive-key needs blake3"));
    let both = ["-a", "blake3", "--key-file=key", "--derive-key=context", "f"];
    assert!(refused(&both).contains("exclude each other"));
    assert!(refused(&["-a", "blake3", "--hmac-key-file=key", "f"]).contains("--hmac-key-file"));
}
