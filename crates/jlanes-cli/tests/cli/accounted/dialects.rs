//! Dialects with rules of their own for names, columns, documents and refusals.

use super::{check, files, filled};
use crate::common::Scratch;

#[test]
fn a_name_of_bagit_that_nobody_encoded_is_read_as_it_is_written() {
    let scratch = Scratch::new();
    scratch.write("100% a", "abc");
    scratch.write("100%25 b", "abc");
    let list = filled("<F>  100%25 a\n<F>  100%25 b\n");
    scratch.write("manifest-sha256.txt", &list);
    let ran = scratch.sum(&["-c", "--strict", "manifest-sha256.txt"]);
    assert_eq!((ran.out(), ran.code), ("'100% a': OK\n'100%25 b': OK\n".to_owned(), Some(0)));
    let printed = "manifest-sha256.txt: names are read as they are written where no file has the decoded one: '100%25 b'\n";
    assert_eq!(ran.err(), format!("jlanes-sum: {printed}"));
    // a file of the decoded name comes first
    scratch.write("100% b", "abcd");
    let ran = scratch.sum(&["-c", "manifest-sha256.txt"]);
    assert_eq!((ran.out(), ran.code), ("'100% a': OK\n'100% b': FAILED\n".to_owned(), Some(1)));
    // outside of BagIt, a percent sign is part of the name
    scratch.write("LIST", &list);
    let ran = scratch.sum(&["-c", "LIST"]);
    assert!(ran.out().ends_with("'100%25 b': OK\n"), "{ran:?}");
    // the list's name says another hash
    scratch.write("manifest-md5.txt", &list);
    assert_eq!(scratch.sum(&["-c", "manifest-md5.txt"]).code, Some(1));
}

#[test]
fn columns_of_rhash_are_what_was_asked_for() {
    let scratch = files();
    let sums = scratch.sum(&["-a", "md5,sha1", "--no-names", "f"]).out();
    let (md5, sha1) = sums.trim().split_once('\n').unwrap();
    let (md5, sha1) = (md5.trim_start_matches("MD5 = "), sha1.trim_start_matches("SHA1 = "));
    let list = format!("f  {md5}  {sha1}\n");
    for (list, options, out, code) in [
        (&list, &["-amd5,sha1"][..], "f: OK\n", 0),
        (&list, &["-amd5", "-asha1"], "f: OK\n", 0),
        (&list, &["-asha1,md5"], "", 1),
        (&list, &["-amd5,sha1,sha256"], "", 1),
        (&list, &["-amd5"], "", 1),
        (&list, &[], "", 1),
        (&list.replace('f', "g"), &["-amd5,sha1"], "", 1),
        (&format!("g  {md5}  {sha1}\n"), &["-amd5,sha1"], "g: FAILED\n", 1),
        // -a also limits lists with tags
        (&format!("MD5 (f) = {md5}\nSHA1 (f) = {sha1}\n"), &["-amd5,sha1"], "f: OK\nf: OK\n", 0),
        (&filled("SHA256 (f) = <F>\n"), &["-amd5,sha1"], "", 1),
    ] {
        let ran = check(&scratch, list, options);
        assert_eq!(
            (ran.out(), ran.code),
            (out.to_owned(), Some(code)),
            "{list} {options:?}: {ran:?}"
        );
    }
    assert_eq!(scratch.sum(&["-amd5,sha1", "--audit", "LIST", "f"]).code, Some(2));
}

#[test]
fn documents_lose_no_file() {
    let scratch = files();
    let hash = |name: &str, digest: &str| {
        format!(
            "  {{\n    \"Algorithm\": \"SHA256\",\n    \"Hash\": \"{digest}\",\n    \"Path\": \"C:\\\\{name}\"\n  }}"
        )
    };
    let of = |parts: &[String]| format!("[\n{}\n]\n", parts.join(",\n"));
    for (list, out, malformed) in [
        (of(&[hash("f", "<F>"), hash("g", "<Z>")]), "f: OK\ng: FAILED\n", 0),
        (of(&[hash("f", "<F>"), hash("g", "<SHORT>")]), "f: OK\n", 1),
        // the document is cut off
        (of(&[hash("f", "<F>"), hash("g", "<Z>")]).replace("\\\\g\"\n  }\n]\n", "\\"), "f: OK\n", 1),
        (of(&[hash("f", "<F>"), "  rubbish".to_owned(), hash("g", "<Z>")]), "f: OK\ng: FAILED\n", 1),
        // our own lines, one of them cut off
        ("{\"name\":\"f\",\"algorithm\":\"sha256\",\"digest\":\"<F>\"}\n{\"name\":\"f\",\n{\"name\":\"g\",\"algorithm\":\"sha256\",\"digest\":\"<Z>\"}\n".to_owned(), "f: OK\ng: FAILED\n", 1),
        ("[[package]]\nfiles = [\n  {file = \"f\", hash = \"sha256:<F>\"},\n  {file = \"g\"},\n]\n".to_owned(), "f: OK\n", 1),
        ("[[package]]\nfiles = [{file = \"f\", hash = \"sha256:<F>\"}]\n[[package]]\nfiles = [{file = \"g\", hash = \"sha256:<Z>\"}\n".to_owned(), "f: OK\n", 1),
    ] {
        let ran = check(&scratch, &list, &["-w"]);
        let printed = ran.err().matches(": improperly formatted").count();
        assert_eq!((ran.out(), printed), (out.to_owned(), malformed), "{list}: {ran:?}");
    }
}

#[test]
fn digests_a_dialect_cannot_compare_are_refused() {
    let scratch = files();
    for (list, printed) in [
        ("TIMESTAMP = 1\nSHA256 (f) = <F>\nSIZE (f) = 4\n", "f: FAILED"),
        (
            "$NetBSD$\n\nSHA256 (f) = <F>\nSize (f) = 3 bytes\nSHA256 (patch-aa) = <F>\n",
            "LIST: 5: refused: ",
        ),
        ("DIST f 4 SHA256 <F>\n", "f: FAILED"),
        ("DIST f 3 WHIRLPOOL <F>\n", "1: improperly formatted"),
        ("DIST f 3 WHIRLPOOL 00 SHA256 <SHORT>\n", "1: improperly formatted"),
        ("# SHA512 HASH\n<F>  f\n", "f: OK"),
        ("# SHA3-256 HASH\n<F>  f\n", "f: FAILED"),
        ("pkgbase = x\n\tsource = f\n\tcksums = 1\n", "improperly formatted"),
        (
            "Format: 1.8\nChecksums-Sha256:\n <F> 3 f\nChecksums-Blake9:\n <F> 3 f\n",
            "5: refused: a digest below \"Checksums-Blake9\", which names no known hash",
        ),
        (
            "[[package]]\nname = \"f\"\n[metadata.hashes]\nf = [\"<F>\"]\n",
            "3: refused: digests without the names of their files",
        ),
    ] {
        let ran = check(&scratch, list, &["-w"]);
        assert!((ran.out() + &ran.err()).contains(printed), "{list}: {ran:?}");
    }
}

#[test]
fn tagged_lines_are_read_where_another_thing_names_the_hash() {
    let scratch = files();
    let list = filled("<F>  f\nSHA256 (f) = <F>\nSHA256 (g) = <Z>\n\\SHA256 (a\\nb) = <F>\n");
    for (name, list) in [
        ("manifest-sha256.txt", list.clone()),
        ("tagmanifest-sha256.txt", list.replace("<F>  f\n", "")),
        ("DIGESTS", format!("# SHA256 HASH\n{list}")),
    ] {
        scratch.write("a\nb", "abc");
        scratch.write(name, &list);
        let ran = scratch.sum(&["-c", name]);
        let printed = "f: OK\ng: FAILED\n'a'$'\\n''b': OK\n";
        assert!(ran.out().ends_with(printed) && ran.code == Some(1), "{name}: {ran:?}");
        assert!(!ran.err().contains("improperly formatted"), "{name}: {ran:?}");
    }
    // a digest is refused, whatever its file is called
    scratch.write("(f) = x", "abc");
    for blanks in [" ", "  "] {
        scratch.write("manifest-sha256.txt", filled(&format!("<F>{blanks}(f) = x\n")));
        assert_eq!(scratch.sum(&["-c", "manifest-sha256.txt"]).out(), "'(f) = x': OK\n");
    }
}

#[test]
fn older_lock_files_are_read() {
    let scratch = files();
    scratch.write("f-1.0.crate", "abc");
    let cargo = "[[package]]\nname = \"f\"\n\n[metadata]\n\"checksum f 1.0 (registry+x)\" = \"<F>\"\n\
                 \"checksum g 1.0 (git+x)\" = \"<none>\"\n";
    let poetry = "[[package]]\nname = \"f\"\n\n[metadata]\nlock-version = \"1.1\"\n\n[metadata.files]\n\
                  x = [\n    {file = \"f\", hash = \"sha256:<F>\"},\n    {file = \"g\", hash = \"sha256:<Z>\"},\n]\n";
    for (list, out) in [(cargo, "f-1.0.crate: OK\n"), (poetry, "f: OK\ng: FAILED\n")] {
        let ran = check(&scratch, list, &["--strict"]);
        assert_eq!(
            (ran.out(), ran.code),
            (out.to_owned(), Some(i32::from(list == poetry))),
            "{ran:?}"
        );
    }
}

#[test]
fn what_is_empty_may_be_left_out() {
    let scratch = files();
    for list in [
        "pkgbase = x\n\tsource = f\n\tsha256sums = <F>\n\npkgname = x\n\tdepends = \n",
        "Path,Hash,Size,Note\nf,<F>,3\n",
    ] {
        let ran = check(&scratch, list, &["--strict"]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{list}: {ran:?}");
    }
}

#[test]
fn a_line_with_a_digest_is_no_title_and_no_field() {
    let scratch = files();
    let columns = "Algorithm Hash Path\n--------- ---- ----\nSHA256 <F> f\n";
    for list in [
        // a rule, but for the name
        format!("{columns}SHA256 - <Z> g\n"),
        format!("{columns}SHA256 ---- g\n"),
        columns.replace("----\nSHA256", "----SHA256"),
        "Algorithm,Hash,Path\nSHA256,<F>,f\nSHA256,Hash,g\n".to_owned(),
        "pkgbase = x\n\tsource = f\n\tsource_i686 = g\n\tsha256sums = <F>\n\tsha256sun_i686 = <Z>\n"
            .to_owned(),
        "pkgbase = x\n\tsource = f\n\tsha256sums = <F>\n\tsource_i686 = g\tsha256sums_i686 = <Z>\n"
            .to_owned(),
        "{\"name\":\"f\",\"algorithm\":\"sha256\",\"digest\":\"<F>\"}\n{\"summary\":{\"filename\":\"g\",\"integrity\":\"x\"}}\n"
            .to_owned(),
        "Path,Hash,Size\nf,<F>,3\n./f,<F>,3g,<Z>,3\n".to_owned(),
        // lines joined
        "#mtree\n. type=dir\nf sha256=<F>\n..  g sha256=<Z>\n".to_owned(),
        "#mtree\nf sha256=<F>\n/unset uid  g size=4 sha256=<Z>\n".to_owned(),
        "%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n3,<F>,f\n%%%% 4,<Z>,g\n".to_owned(),
        "[[package]]\nfiles = [{file = 'f', hash = 'sha256:<F>'}]\n\n[[package]]\n\
         [package.dependencies]\nfiles = [{file = 'g', hash = 'sha256:<Z>'}]\n"
            .to_owned(),
        "Format: 1.8\nChecksums-Sha256:\n <F> 3 f\n: <Z> 4 g\n".to_owned(),
    ] {
        let ran = check(&scratch, &list, &["--strict"]);
        assert_eq!(ran.code, Some(1), "{list}: {ran:?}");
        let printed = ["1 line is improperly formatted", "no properly formatted"];
        assert!(printed.iter().any(|printed| ran.err().contains(printed)), "{list}: {ran:?}");
    }
    // the table of two lists
    let twice = [columns, &columns.replace("f\n", "./f\n")].concat();
    let ran = check(&scratch, &twice, &["--strict"]);
    assert_eq!((ran.out(), ran.code), ("f: OK\n./f: OK\n".to_owned(), Some(0)), "{ran:?}");
}
