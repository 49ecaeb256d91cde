//! `jlanes-sum` called as `cksum`, beside GNU's own where that is new enough.

use crate::common::{Ran, Scratch, run};

/// Ours and GNU's.
fn tools(scratch: &Scratch) -> (impl Fn(&[&str]) -> Ran, impl Fn(&[&str]) -> Ran) {
    let ours = |args: &[&str]| run(scratch.ours("/usr/bin/cksum").args(args), b"");
    (ours, |args: &[&str]| run(scratch.command("cksum", "cksum").args(args), b""))
}

#[test]
fn cksum_prints_tags_and_wants_an_algorithm() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let (cksum, gnu) = tools(&scratch);
    for args in [
        &["-a", "sha256", "f"][..],
        &["--algorithm=sha256", "--untagged", "f"],
        &["-a", "sha256", "--tag", "-z", "f"],
        &["--a=sha256", "--u", "--z", "f"],
        &["-a", "sha256", "-l", "0", "f"],
        &["-a", "sha256", "-l", "x", "f"],
    ] {
        assert_eq!(cksum(args), gnu(args), "{args:?}");
    }
    let ran = cksum(&["f"]);
    assert_eq!((ran.code, ran.out()), (Some(1), String::new()));
    assert!(ran.err().starts_with("cksum: the checksum that cksum prints by default"), "{ran:?}");
    scratch.write("TAGGED", cksum(&["-a", "sha256", "f"]).stdout);
    assert_eq!(cksum(&["-c", "TAGGED"]), gnu(&["-c", "TAGGED"]));
    scratch.write("UNTAGGED", cksum(&["-a", "sha256", "--untagged", "f"]).stdout);
    assert_eq!(cksum(&["-c", "UNTAGGED"]), gnu(&["-c", "UNTAGGED"]));
    assert_eq!(cksum(&["-a", "sha256", "-c", "UNTAGGED"]).out(), "f: OK\n");
}

#[test]
fn warnings_name_the_algorithm_of_the_last_tag() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let (cksum, gnu) = tools(&scratch);
    let good = cksum(&["-a", "sha384", "f"]).out();
    scratch.write("LIST", format!("none\n{good}none\nSHA1 (f) = 00\nSHA1x (f) = 00\nnone\n"));
    let ran = cksum(&["-c", "-w", "LIST"]);
    assert_eq!(ran, gnu(&["-c", "-w", "LIST"]));
    assert!(ran.err().starts_with("cksum: LIST: 1: improperly formatted CRC checksum line\n"));
}

#[test]
fn the_length_of_a_digest_tells_which_of_sha2_it_is() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let (cksum, _) = tools(&scratch);
    for bits in ["224", "256", "384", "512"] {
        let sha2 = ["-a", "sha2", "-l", bits, "f"];
        for form in [&["--untagged"][..], &["--untagged", "--base64"], &["--tag"]] {
            let list = cksum(&[&sha2[..], form].concat()).out();
            scratch.write("LIST", &list);
            let ran = cksum(&["-a", "sha2", "--strict", "--check", "LIST"]);
            assert_eq!((ran.out(), ran.err()), ("f: OK\n".to_owned(), String::new()), "{list}");
            // one character less is the length of none
            scratch.write("SHORT", list.replace("  f\n", "").split_at(5).1.to_owned() + "  f\n");
            let ran = cksum(&["-a", "sha2", "--check", "SHORT"]);
            let told = "cksum: SHORT: no properly formatted checksum lines found\n";
            assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), String::new(), told.to_owned()));
        }
    }
    scratch.write("LIST", cksum(&["-a", "sha1", "f"]).stdout);
    assert_eq!(cksum(&["-a", "sha2", "-c", "LIST"]).code, Some(1));
}

#[test]
fn digests_in_base64_are_for_cksum_and_for_us() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    for form in ["--tag", "--untagged"] {
        scratch.write("LIST", scratch.sum(&["--base64", form, "f"]).stdout);
        assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\n");
        assert_eq!(scratch.same(&["-c", "LIST"]).code, Some(1));
    }
}

#[test]
fn tags_of_openssl_are_known() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    for (tag, spec) in [
        ("SHA1", "sha1"),
        ("SHA2-224", "sha224"),
        ("SHA2-256", "sha256"),
        ("SHA2-512", "sha512"),
        ("SHA2-512/256", "sha512-256"),
    ] {
        let digest = scratch.sum(&["-a", spec, "--no-names", "f"]).out();
        scratch.write("LIST", format!("{tag}(f)= {digest}"));
        assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\n", "{tag}");
    }
    let digest = scratch.sum(&["-a", "sha1", "--no-names", "f"]).out();
    scratch.write("LIST", format!("SHA2-1(f)= {digest}"));
    assert_eq!(scratch.sum(&["-c", "LIST"]).code, Some(1));
    let digest = scratch.sum(&["--no-names", "f"]).out();
    scratch.write("LIST", format!("SHA2-256(f)= {digest}"));
    assert_eq!(scratch.same(&["-c", "LIST"]).code, Some(1));
}
