//! Every line of a list is accounted for: it is verified, named by the list's format, or reported.

use jlanes_testing::{Record, corpus, message};
use serde_json::{Map, Value};

use crate::common::{Ran, Scratch, run, sha256};

/// The files `f`, which is right in lists with `F`, and `g`, which is wrong in those with `Z`.
pub(crate) fn files() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    scratch.write("g", "abcd");
    scratch
}

pub(crate) fn filled(list: &str) -> String {
    let short = &sha256(b"abc")[1..];
    let spelled = [("SHORT", short), ("F", &sha256(b"abc")), ("Z", &"0".repeat(64))];
    spelled
        .iter()
        .fold(list.to_owned(), |list, (word, digest)| list.replace(&format!("<{word}>"), digest))
}

pub(crate) fn check(scratch: &Scratch, list: &str, options: &[&str]) -> Ran {
    scratch.write("LIST", filled(list));
    scratch.sum(&[&["-c"], options, &["LIST"]].concat())
}

#[test]
fn a_first_line_loses_no_other_line() {
    let scratch = files();
    for first in
        ["Version: 1.2", "Origin: x", "MD5Sum: none", "Date: today", "/set type=dir", "d type=dir"]
    {
        let ran = check(&scratch, &format!("{first}\n<F>  f\n <Z>  g\n"), &[]);
        assert_eq!((ran.out(), ran.code), ("f: OK\ng: FAILED\n".to_owned(), Some(1)), "{first}");
        assert!(ran.err().contains("1 line is improperly formatted"), "{ran:?}");
        for options in [&["--strict"][..], &["--untrusted"]] {
            let ran = check(&scratch, &format!("{first}\n<F>  f\n<SHORT>  g\n"), options);
            assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(1)), "{first}");
            assert!(ran.err().contains("2 lines are improperly formatted"), "{ran:?}");
        }
    }
}

#[test]
fn lines_that_the_end_cuts_off_are_malformed() {
    let scratch = files();
    for (list, out) in [
        ("#mtree\n./f size=3 sha256=<F>\n./g type=file \\\n", "./f: OK\n"),
        ("#mtree\n./f size=3 sha256=<F>\n./g type=file \\", "./f: OK\n"),
        ("#mtree\n./f size=3 sha256=<F>\nd type=dir \\\n", "./f: OK\n"),
        ("SHA256 hash of f:\n<F>\nSHA256 hash of g:\n", "f: OK\n"),
        ("Algorithm : SHA256\nHash : <F>\nPath : f\n\nAlgorithm : SHA256\nHash : <Z>\n", "f: OK\n"),
    ] {
        let ran = check(&scratch, list, &["--strict"]);
        assert_eq!((ran.out(), ran.code), (out.to_owned(), Some(1)), "{list}");
        assert!(ran.err().contains("1 line is improperly formatted"), "{list}: {ran:?}");
    }
}

#[test]
fn prose_before_a_list_is_one_malformed_line() {
    let scratch = files();
    for prose in [
        "The sha256 checksums are:",
        "the size of files",
        "a type of list",
        "SHA256:",
        "Path: here",
        "SHA256 hash of all:",
        "; of today",
        "{ not JSON",
    ] {
        for [one, two] in [["<F>  f", "<Z>  g"], ["  <F>  f", "\t<Z>  g"], ["<F> f", "<Z> g"]] {
            let ran = check(&scratch, &format!("{prose}\n\n{one}\n{two}\n"), &[]);
            assert_eq!(ran.out(), "f: OK\ng: FAILED\n", "{prose} {one}");
            assert!(ran.err().contains("1 line is improperly formatted"), "{prose}: {ran:?}");
        }
    }
    // other formats have prose before them, too
    for list in [
        "The list of today.\nSHA256 hash of f:\n<F>\n",
        "PS C:\\> Get-FileHash f\n\nAlgorithm : SHA256\nHash      : <F>\nPath      : f\n",
        "PS C:\\> Get-FileHash f | ft Hash, Path\n\nHash Path\n---- ----\n<F> f\n",
        "From the archive\nSHA256:\n <F> 3 f\n",
    ] {
        let ran = check(&scratch, list, &[]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{list}");
        assert!(ran.err().contains("1 line is improperly formatted"), "{list}: {ran:?}");
    }
}

#[test]
fn tags_of_other_tools_are_read() {
    let scratch = files();
    let sum = |name: &str| {
        let ran = scratch.sum(&["-a", name, "--no-names", "f"]);
        ran.out().trim().to_owned()
    };
    for (tag, name) in [
        ("SHA512t224", "sha512-224"),
        ("SHA512t256", "sha512-256"),
        ("Skein256", "skein256"),
        ("Skein512", "skein512"),
        ("Skein1024", "skein1024"),
        ("RMD160", "ripemd160"),
        ("SHA1 ", "sha1"),
        ("SHA256   ", "sha256"),
        ("XXH3", "xxh3-64"),
        ("XXH128", "xxh128"),
    ] {
        let ran =
            check(&scratch, &format!("{tag} (f) = {}\n", sum(name)), &["--strict", "--min-bits=0"]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{tag}: {ran:?}");
    }
    let xxh3 = sum("xxh3-64");
    let reversed: Vec<u8> = hex::decode(&xxh3).unwrap().into_iter().rev().collect();
    for line in [format!("XXH3_{xxh3}  f\n"), format!("XXH3_LE (f) = {}\n", hex::encode(reversed))]
    {
        let ran = check(&scratch, &line, &["--strict", "--min-bits=0"]);
        assert_eq!((ran.out(), ran.code), ("f: OK\n".to_owned(), Some(0)), "{line}: {ran:?}");
        let ran = check(&scratch, &line, &["--strict", "--min-bits=65"]);
        assert_eq!((ran.out(), ran.code), (String::new(), Some(1)), "{line}");
    }
    // GNU's names read what GNU's tools read
    scratch.write("LIST", filled("SHA256  (f) = <F>\n"));
    assert_eq!(run(scratch.ours("cksum").args(["-c", "LIST"]), b"").code, Some(1));
}

#[test]
fn a_missing_file_that_is_optional_is_no_error() {
    let scratch = files();
    let list = "#mtree\n./f size=3 sha256=<F>\n./gone optional sha256=<Z>\n";
    let ran = check(&scratch, list, &["--strict"]);
    assert_eq!((ran.out(), ran.err(), ran.code), ("./f: OK\n".to_owned(), String::new(), Some(0)));
    let ran = scratch.sum(&["--audit", "LIST", "f"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = check(&scratch, &list.replace("gone", "g"), &[]);
    assert_eq!((ran.out(), ran.code), ("./f: OK\n./g: FAILED\n".to_owned(), Some(1)));
    let ran = check(&scratch, &list.replace("optional ", ""), &[]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

#[test]
fn escaped_names_of_rhash_are_names_here() {
    let scratch = files();
    scratch.write("d\\a\nb", "abc");
    let ran = check(
        &scratch,
        "; RHash\nf 352441C2\n\\d\\\\a\\nb 352441C2\n",
        &["--strict", "--min-bits=0"],
    );
    assert_eq!(
        (ran.out(), ran.code),
        ("f: OK\n'd\\a'$'\\n''b': OK\n".to_owned(), Some(0)),
        "{ran:?}"
    );
}

#[test]
fn short_digests_of_blake2b_in_base64_are_checked() {
    let scratch = files();
    let cksum = |args: &[&str]| run(scratch.ours("cksum").args(args), b"");
    for length in ["8", "16", "64", "256", "512"] {
        for form in [&["--base64"][..], &[]] {
            let make =
                [&["-a", "blake2b", "--length", length, "--untagged"], form, &["f"]].concat();
            scratch.write("l", cksum(&make).stdout);
            let ran = cksum(&["-a", "blake2b", "--length", length, "--check", "l"]);
            assert_eq!(
                (ran.out(), ran.code),
                ("f: OK\n".to_owned(), Some(0)),
                "{length} {form:?}: {ran:?}"
            );
        }
    }
}

#[test]
fn json_without_digests_is_not_replaced() {
    let scratch = files();
    let users = "{\"name\":\"ann\",\"age\":3}\n{\"name\":\"bob\",\"age\":4}\n";
    scratch.write("users.jsonl", users);
    let ran = scratch.sum(&["--json", "-o", "users.jsonl", "f"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(std::fs::read_to_string(scratch.at("users.jsonl")).unwrap(), users);
    for _ in 0..2 {
        assert_eq!(scratch.sum(&["--json", "-o", "ours.jsonl", "f", "gone"]).code, Some(1));
        assert_eq!(scratch.sum(&["--json", "--force", "-o", "ours.jsonl", "f"]).code, Some(0));
    }
}

/// The options that a list of the corpus needs, and its name.
fn needs(record: &Record) -> (Vec<String>, String) {
    let algorithm = match (record.text("dialect"), record.text("id")) {
        // nothing else tells 8, 16 and 32 digits
        ("xxhsum", "li004") => "-axxh32",
        ("xxhsum", "li005") => "-axxh64",
        ("xxhsum", "li006" | "li013") => "-axxh128",
        ("rhash", _) => "-amd5,sha1",
        _ => "--min-bits=0",
    };
    let name = match record.text("dialect") {
        "bagit" => record.value("options")["list_name"].as_str().unwrap(),
        _ => "LIST",
    };
    (vec![algorithm.to_owned(), "--min-bits=0".to_owned()], name.to_owned())
}

#[test]
fn lists_of_other_tools_are_read_line_by_line() {
    for record in &corpus("lists") {
        let scratch = Scratch::new();
        for file in record.value("files").as_array().unwrap() {
            let number = |field: &str| file[field].as_u64().unwrap();
            let content = message(number("msg_seed"), number("msg_len") as usize);
            scratch.write(file["name"].as_str().unwrap(), content);
        }
        let text = record.text("text");
        let (options, list_name) = needs(record);
        let (mut expected, mut refused) = (Vec::new(), 0);
        let all = record.value("files").as_array().unwrap();
        let files = || all.iter().map(|file| file["name"].as_str().unwrap());
        for entry in record.value("entries").as_array().unwrap() {
            let name = entry["name"].as_str().unwrap();
            let name =
                if name.starts_with("C:") { name.rsplit('\\').next().unwrap() } else { name };
            let mut digests = entry["digests"].as_object().unwrap().iter();
            let (algorithm, digest) = digests.next().unwrap();
            if algorithm == "h1" {
                // digests of modules are left to Go
                refused += 1;
                continue;
            }
            if !scratch.at(name).exists() {
                // the tool made this name up: the digest says which file it is
                let args: Vec<_> =
                    ["-a", algorithm, "--no-names"].into_iter().chain(files()).collect();
                let sums = scratch.sum(&args).out();
                let file = sums.lines().zip(files()).find(|(sum, _)| sum == digest).unwrap().1;
                scratch.write(name, std::fs::read(scratch.at(file)).unwrap());
            }
            expected.push((name.to_owned(), entry["digests"].as_object().unwrap()));
        }
        let wrong = |name: &str| match record.has("mismatch") {
            true => record.value("mismatch").as_array().unwrap().iter().any(|it| it == name),
            false => false,
        };
        let wrong = expected.iter().filter(|(name, _)| wrong(name)).count();
        let malformed = record.number::<u64>("malformed");
        let units = |text: &str, bytes: fn(u16) -> [u8; 2]| {
            text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>()
        };
        let marked = format!("\u{feff}{text}");
        for list in [
            text.into(),
            text.replace("\r\n", "\n").replace('\n', "\r\n").into(),
            units(text, u16::to_le_bytes),
            units(text, u16::to_be_bytes),
            units(&marked, u16::to_le_bytes),
            units(&marked, u16::to_be_bytes),
            marked.into_bytes(),
        ] {
            scratch.write(&list_name, &list);
            let mut args = vec!["-c", "--json", "-w", &list_name];
            args.extend(options.iter().map(String::as_str));
            let ran = scratch.sum(&args);
            let verdicts: Vec<Value> =
                ran.out().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            // of several digests that match one is told
            let is_told = |(verdict, (name, digests)): (&Value, &(String, &Map<String, Value>))| {
                verdict["name"] == **name && digests.values().any(|it| *it == verdict["expected"])
            };
            assert_eq!(verdicts.len(), expected.len(), "{}: {ran:?}", record.name());
            assert!(verdicts.iter().zip(&expected).all(is_told), "{}: {ran:?}", record.name());
            let failed = verdicts.iter().filter(|it| it["verdict"] != "OK").count();
            assert_eq!(ran.err().matches(": refused: ").count(), refused, "{}", record.name());
            let told = ran.err().matches("improperly formatted").count() as u64;
            // with -w a line for each, and one that counts them
            let told = if expected.is_empty() { told } else { told.saturating_sub(1) };
            assert_eq!((told, failed), (malformed, wrong), "{}: {ran:?}", record.name());
        }
        if let Some((name, _)) = expected.first() {
            scratch.write(name, "another");
            let mut args = vec!["-c", "--json", &list_name];
            args.extend(options.iter().map(String::as_str));
            let ran = scratch.sum(&args);
            let verdicts = ran.out();
            let of_it = verdicts.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            let mut of_it = of_it.filter(|it| it["name"] == **name);
            assert!(of_it.all(|it| it["verdict"] == "FAILED"), "{}: {ran:?}", record.name());
        }
    }
}

#[test]
fn a_name_of_bagit_that_nobody_encoded_is_read_as_it_is_written() {
    let scratch = Scratch::new();
    scratch.write("100% a", "abc");
    scratch.write("100%25 b", "abc");
    let list = filled("<F>  100%25 a\n<F>  100%25 b\n");
    scratch.write("manifest-sha256.txt", &list);
    let ran = scratch.sum(&["-c", "--strict", "manifest-sha256.txt"]);
    assert_eq!((ran.out(), ran.code), ("'100% a': OK\n'100%25 b': OK\n".to_owned(), Some(0)));
    let told = "manifest-sha256.txt: names are read as they are written where no file has the decoded one: '100%25 b'\n";
    assert_eq!(ran.err(), format!("jlanes-sum: {told}"));
    // a file of the decoded name is the one
    scratch.write("100% b", "abcd");
    let ran = scratch.sum(&["-c", "manifest-sha256.txt"]);
    assert_eq!((ran.out(), ran.code), ("'100% a': OK\n'100% b': FAILED\n".to_owned(), Some(1)));
    // elsewhere a percent sign is one
    scratch.write("LIST", &list);
    let ran = scratch.sum(&["-c", "LIST"]);
    assert!(ran.out().ends_with("'100%25 b': OK\n"), "{ran:?}");
    // another hash than the name tells
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
        // lists with tags are of these hashes, too
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
        // the end is missing
        (of(&[hash("f", "<F>"), hash("g", "<Z>")]).replace("\\\\g\"\n  }\n]\n", "\\"), "f: OK\n", 1),
        (of(&[hash("f", "<F>"), "  rubbish".to_owned(), hash("g", "<Z>")]), "f: OK\ng: FAILED\n", 1),
        // lines of our own, of which one is cut off
        ("{\"name\":\"f\",\"algorithm\":\"sha256\",\"digest\":\"<F>\"}\n{\"name\":\"f\",\n{\"name\":\"g\",\"algorithm\":\"sha256\",\"digest\":\"<Z>\"}\n".to_owned(), "f: OK\ng: FAILED\n", 1),
        ("[[package]]\nfiles = [\n  {file = \"f\", hash = \"sha256:<F>\"},\n  {file = \"g\"},\n]\n".to_owned(), "f: OK\n", 1),
        ("[[package]]\nfiles = [{file = \"f\", hash = \"sha256:<F>\"}]\n[[package]]\nfiles = [{file = \"g\", hash = \"sha256:<Z>\"}\n".to_owned(), "f: OK\n", 1),
    ] {
        let ran = check(&scratch, &list, &["-w"]);
        let told = ran.err().matches(": improperly formatted").count();
        assert_eq!((ran.out(), told), (out.to_owned(), malformed), "{list}: {ran:?}");
    }
}

#[test]
fn what_dialects_cannot_compare_is_refused() {
    let scratch = files();
    for (list, told) in [
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
        assert!((ran.out() + &ran.err()).contains(told), "{list}: {ran:?}");
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
        let told = "f: OK\ng: FAILED\n'a'$'\\n''b': OK\n";
        assert!(ran.out().ends_with(told) && ran.code == Some(1), "{name}: {ran:?}");
        assert!(!ran.err().contains("improperly formatted"), "{name}: {ran:?}");
    }
    // a digest is none, whatever its file is called
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
