//! Keys: lines of MACs that show that they are MACs, and lists of them that an attacker may have
//! written.

use crate::common::{Scratch, run, sha256};

/// RFC 4231's second case.
const DATA: &str = "what do ya want for nothing?";
const HMAC: &str = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";

fn keyed() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("f", DATA);
    scratch.write("key", "Jefe");
    scratch
}

#[test]
fn keys_come_from_files_or_from_standard_input() {
    let scratch = keyed();
    let args = ["-a", "sha256", "--hmac-key-file"];
    let expected = format!("{HMAC}  f\n");
    assert_eq!(scratch.sum(&[&args[..], &["key", "f"]].concat()).out(), expected);
    let piped = run(scratch.ours("jlanes-sum").args(args).args(["-", "f"]), b"Jefe");
    assert_eq!(piped.out(), expected);
    scratch.write("NAMES", "f\n");
    let named = ["-", "--files-from", "NAMES"];
    let piped = run(scratch.ours("jlanes-sum").args(args).args(named), b"Jefe");
    assert_eq!(piped.out(), expected, "standard input is read once");
    scratch.write("LIST", &expected);
    assert_eq!(scratch.sum(&["-c", "LIST", "--hmac-key-file", "key"]).out(), "f: OK\n");
    assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: FAILED\n");
}

#[test]
fn tags_and_json_say_that_there_is_a_key() {
    let scratch = keyed();
    let hmac = ["--hmac-key-file", "key"];
    let tagged = scratch.sum(&[&hmac[..], &["--tag", "f"]].concat()).out();
    assert_eq!(tagged, format!("HMAC-SHA256 (f) = {HMAC}\n"));
    let several = scratch.sum(&[&hmac[..], &["-a", "sha1,sha256", "f"]].concat()).out();
    assert!(several.starts_with("HMAC-SHA1 (f) = ") && several.ends_with(&tagged), "{several}");
    let json = scratch.sum(&[&hmac[..], &["--json", "f"]].concat()).out();
    assert!(json.contains("\"algorithm\":\"hmac-sha256\""), "{json}");
    let skein = ["-a", "skein512-256", "--key-file", "key", "--nonce-hex=ab"];
    let tagged = scratch.sum(&[&skein[..], &["--tag", "f"]].concat()).out();
    assert!(tagged.starts_with("MAC-SKEIN512-256+NONCE=AB (f) = "), "{tagged}");
    let json = scratch.sum(&[&skein[..], &["--json", "f"]].concat()).out();
    assert!(json.contains("\"algorithm\":\"mac-skein512-256+nonce=ab\""), "{json}");
    scratch.write("LIST", tagged);
    assert_eq!(scratch.sum(&["-c", "LIST", "--key-file=key"]).out(), "f: OK\n");
    // other tools' formats have no word for MACs
    let ran = scratch.sum(&["--format=mtree", "--hmac-key-file=key", "f"]);
    assert!(ran.err().contains("the format has no digests of hmac-sha256"), "{ran:?}");
}

#[test]
fn tags_of_openssls_macs_are_known() {
    let scratch = keyed();
    for tag in ["HMAC-SHA2-256(f)= ", "HMAC-SHA256(f)= ", "HMAC-SHA256 (f) = "] {
        scratch.write("LIST", format!("{tag}{HMAC}\n"));
        let ran = scratch.sum(&["-c", "LIST", "--hmac-key-file=key"]);
        assert_eq!((ran.code, ran.out()), (Some(0), "f: OK\n".to_owned()), "{tag}");
        let ran = scratch.sum(&["-c", "LIST"]);
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{tag}");
        assert!(ran.err().contains("LIST: 1: refused: HMAC-SHA"), "{ran:?}");
        assert!(ran.err().contains(" needs a key\n"), "{ran:?}");
    }
}

/// NIST's samples of KMAC128, without and with a customization string.
#[test]
fn kmac_has_a_key_always() {
    let scratch = Scratch::new();
    scratch.write("f", [0, 1, 2, 3]);
    scratch.write("key", (0x40..0x60).collect::<Vec<u8>>());
    scratch.write("other", "other");
    let custom = ["--customization-hex", "4d7920546167676564204170706c69636174696f6e"];
    for (options, name, tag) in [
        (&[][..], "KMAC128", "e5780b0d3ea6f7d3a429c5706aa43a00fadbd7d49628839e3187243f456ee14e"),
        (
            &custom[..],
            "KMAC128+CUSTOMIZATION=4D7920546167676564204170706C69636174696F6E",
            "3b1fba963cd8b0b59e8c1a6d71888b7143651af8ba0a7070c0979e2811324aa5",
        ),
    ] {
        let sum = |args: &[&str]| scratch.sum(&[options, args].concat());
        let args = ["-a", "kmac128", "--key-file=key", "f"];
        assert_eq!(sum(&args).out(), format!("{tag}  f\n"));
        assert_eq!(
            sum(&[&args[..], &["--tag"]].concat()).out(),
            format!("MAC-{name} (f) = {tag}\n")
        );
        for prefix in ["MAC-", ""] {
            scratch.write("LIST", format!("{prefix}{name} (f) = {tag}\n"));
            let check = |key: &[&str]| scratch.sum(&[key, &["-c", "LIST"]].concat());
            assert_eq!(check(&["--key-file=key"]).out(), "f: OK\n", "{prefix}{name}");
            assert_eq!(check(&["--key-file=other"]).out(), "f: FAILED\n", "{prefix}{name}");
            assert!(check(&[]).err().contains(" needs a key\n"), "{prefix}{name}");
        }
    }
    scratch.write("empty", "");
    for (args, message) in [
        (&["-a", "kmac256", "f"][..], "the algorithm needs a key, from --key-file\n"),
        (&["-a", "kmac256", "--key-file=empty", "f"], "--key-file: 'empty': the key is empty\n"),
        (&["-a", "kmac256", "--hmac-key-file=key", "f"], "--hmac-key-file needs"),
        (&["-a", "sha256", "--customization-hex=00", "f"], "--customization-hex needs KMAC"),
        (&["-a", "tuplehash128", "f"], "invalid argument 'tuplehash128' for '--algorithm'"),
    ] {
        let ran = scratch.sum(args);
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{args:?}");
        assert!(ran.err().starts_with(&format!("jlanes-sum: {message}")), "{args:?}: {ran:?}");
    }
}

#[test]
fn a_list_cannot_choose_that_there_is_no_key() {
    let scratch = keyed();
    let forged = format!("SHA256 (f) = {}\n", sha256(DATA.as_bytes()));
    let good = format!("HMAC-SHA256 (f) = {HMAC}\n");
    scratch.write("LIST", [&good[..], &forged].concat());
    let ran = scratch.sum(&["-c", "LIST", "--hmac-key-file=key"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "f: OK\n".to_owned()));
    let printed = "jlanes-sum: LIST: 2: refused: SHA256 has no key, and one was given\n";
    assert!(ran.err().starts_with(printed), "{ran:?}");
    scratch.write("LIST", format!("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n28,{HMAC},f\n"));
    assert_eq!(scratch.sum(&["-c", "LIST", "--hmac-key-file=key"]).code, Some(1));
    scratch.write("LIST", &good);
    let ran = scratch.sum(&["-c", "LIST", "--key-file=key"]);
    assert!(ran.err().contains("HMAC-SHA256 needs another key than was given"), "{ran:?}");
    assert_eq!(ran.code, Some(1));
}

#[test]
fn a_list_cannot_choose_a_mac_that_can_be_guessed() {
    let scratch = keyed();
    let line = |bits: &str| {
        let spec = format!("skein512-{bits}");
        scratch.sum(&["--tag", "-a", &spec, "--key-file=key", "f"]).out()
    };
    for (bits, code) in [("8", 1), ("120", 1), ("128", 0), ("512", 0)] {
        scratch.write("LIST", line(bits));
        let ran = scratch.sum(&["-c", "LIST", "--key-file=key"]);
        assert_eq!(ran.code, Some(code), "{bits}: {ran:?}");
        if code == 1 {
            let printed = format!(
                "LIST: 1: refused: MAC-SKEIN512-{bits} has {bits} bits, and 128 are the least\n"
            );
            assert!(ran.err().contains(&printed), "{ran:?}");
        }
    }
    // an algorithm that the user names is accepted, and --min-bits moves the limit
    scratch.write("LIST", line("8"));
    assert_eq!(scratch.sum(&["-c", "LIST", "-a", "skein512-8", "--key-file=key"]).code, Some(0));
    assert_eq!(scratch.sum(&["-c", "LIST", "--min-bits=8", "--key-file=key"]).code, Some(0));
    assert_eq!(scratch.sum(&["-c", "LIST", "--min-bits=9", "--key-file=key"]).code, Some(1));
    // an audit has the same limit
    let ran = scratch.sum(&["--audit=LIST", "--key-file=key", "f"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err().contains("LIST: 1: refused: MAC-SKEIN512-8"), "{ran:?}");
}

#[test]
fn a_floor_holds_for_lists_without_keys_too() {
    let scratch = keyed();
    scratch.write("LIST", scratch.sum(&["-a", "sha1,sha256", "f"]).stdout);
    assert_eq!(scratch.sum(&["-c", "LIST"]).code, Some(0));
    let ran = scratch.sum(&["-c", "LIST", "--min-bits=256"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "f: OK\n".to_owned()));
    assert!(ran.err().contains("refused: SHA1 has 160 bits, and 256 are the least"), "{ran:?}");
    let ran = scratch.sum(&["-c", "LIST", "--min-bits=256", "-a", "sha1"]);
    assert!(ran.err().contains("--min-bits=256 refuses sha1, which has 160"), "{ran:?}");
    scratch.write("LIST", scratch.sum(&["f"]).stdout);
    assert_eq!(scratch.sum(&["-c", "LIST", "--min-bits=256"]).code, Some(0));
    assert_eq!(scratch.sum(&["-c", "LIST", "--min-bits=257"]).code, Some(1));
}

#[test]
fn an_empty_key_is_an_error() {
    let scratch = keyed();
    scratch.write("EMPTY", "");
    for (option, spec) in [("--key-file", "skein512"), ("--hmac-key-file", "sha256")] {
        let ran = scratch.sum(&["-a", spec, option, "EMPTY", "f"]);
        let printed = format!("jlanes-sum: {option}: 'EMPTY': the key is empty\n");
        assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), String::new(), printed));
    }
    let ran = run(scratch.ours("jlanes-sum").args(["--hmac-key-file=-", "f"]), b"");
    assert_eq!(ran.err(), "jlanes-sum: --hmac-key-file: '-': the key is empty\n");
}

#[test]
fn a_name_may_ask_for_the_key() {
    let scratch = keyed();
    let ran = scratch.sum(&["-a", "hmac-sha256", "--hmac-key-file=key", "f"]);
    assert_eq!(ran.out(), format!("{HMAC}  f\n"));
    let ran = scratch.sum(&["-a", "hmac-sha256", "f"]);
    let printed = "jlanes-sum: the algorithm needs a key, from --hmac-key-file\n";
    assert!(ran.code == Some(1) && ran.err().starts_with(printed), "{ran:?}");
}

/// Compared with OpenSSL 3.
#[test]
#[cfg(unix)]
fn blake2_has_keys_of_its_own_and_hmac() {
    let scratch = keyed();
    let openssl = |args: &[&str]| run(scratch.command("openssl", "openssl").args(args), b"");
    for (spec, mac, tag) in
        [("blake2b", "BLAKE2BMAC", "MAC-BLAKE2b"), ("blake2s", "BLAKE2SMAC", "MAC-BLAKE2s")]
    {
        let theirs = openssl(&["mac", "-macopt", "key:Jefe", "-in", "f", mac]);
        let digest = theirs.out().trim().to_ascii_lowercase();
        assert!(!digest.is_empty(), "{theirs:?}");
        let own = ["-a", spec, "--key-file=key"];
        let ours = scratch.sum(&[&own[..], &["--tag", "f"]].concat()).out();
        assert_eq!(ours, format!("{tag} (f) = {digest}\n"));
        scratch.write("LIST", ours);
        assert_eq!(scratch.sum(&["-c", "LIST", "--key-file=key"]).out(), "f: OK\n");
        // many files share the lanes, and each starts with the key
        let names: Vec<_> = (0..20).map(|i| format!("e{i}")).collect();
        names.iter().for_each(|name| scratch.write(name, ""));
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let empty = openssl(&["mac", "-macopt", "key:Jefe", "-in", "e0", mac]);
        let empty = empty.out().trim().to_ascii_lowercase();
        let ours = scratch.sum(&[&own[..], &names].concat()).out();
        assert!(ours.lines().all(|line| line.starts_with(&empty)), "{ours}");
    }
    let theirs = openssl(&["dgst", "-blake2b512", "-hmac", "Jefe", "f"]).out();
    let digest = theirs.trim().rsplit(' ').next().unwrap_or_default().to_owned();
    let ours = scratch.sum(&["-a", "blake2b", "--hmac-key-file=key", "--tag", "f"]).out();
    assert_eq!(ours, format!("HMAC-BLAKE2b (f) = {digest}\n"));
    for list in [ours, format!("HMAC-BLAKE2B-512(f)= {digest}\n")] {
        scratch.write("LIST", list);
        assert_eq!(scratch.sum(&["-c", "LIST", "--hmac-key-file=key"]).out(), "f: OK\n");
    }
    scratch.write("long", [b'k'; 65]);
    let ran = scratch.sum(&["-a", "blake2b", "--key-file=long", "f"]);
    assert_eq!(ran.err(), "jlanes-sum: --key-file: the key of blake2b has at most 64 bytes\n");
}
