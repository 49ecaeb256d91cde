//! Lists of hashdeep and mtree, written and read.

use std::fs;

use crate::common::{Scratch, paint, sha256};

/// Files with names that formats have to escape.
fn files() -> Scratch {
    let scratch = Scratch::new();
    for (i, name) in ["d/plain", "d/a,b", "d/a b#=\\", "d/sub/[x]*", "d/\u{e9}"].iter().enumerate()
    {
        scratch.write(name, paint(i * 1000));
    }
    scratch
}

#[test]
fn hashdeeps_lists_are_written_and_read() {
    let scratch = files();
    let ran = scratch.sum(&["--format=hashdeep", "-a", "sha1,sha256", "-r", "d"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    let out = ran.out();
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[..2], ["%%%% HASHDEEP-1.0", "%%%% size,sha1,sha256,filename"]);
    assert!(lines[3].starts_with("1000,"), "{out}");
    assert!(lines[3].ends_with(&format!(",{},d/a,b", sha256(&paint(1000)))), "{out}");
    scratch.write("LIST", &out);
    let ran = scratch.sum(&["-c", "--quiet", "--strict", "--require=5", "LIST"]);
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
    scratch.write("d/plain", "changed");
    fs::remove_file(scratch.at("d/a,b")).unwrap();
    let ran = scratch.sum(&["--audit=LIST", "--quiet", "d"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "d/plain: CHANGED\nd/a,b: MISSING\n".to_owned()));
}

#[test]
fn columns_of_hashdeep_that_are_not_known_are_passed_over() {
    let scratch = files();
    let digest = sha256(&paint(1000));
    let tiger = "0".repeat(48);
    let list = |columns: &str, row: &str| {
        scratch.write(
            "LIST",
            format!(
                "%%%% HASHDEEP-1.0\n%%%% {columns}\n## Invoked from: /\n## $ hashdeep\n## \n{row}\n"
            ),
        );
        scratch.sum(&["-c", "--strict", "LIST"])
    };
    let ran = list("size,tiger,sha256,filename", &format!("1000,{tiger},{digest},d/a,b"));
    assert_eq!(
        (ran.code, ran.out(), ran.err()),
        (Some(0), "d/a,b: OK\n".to_owned(), String::new())
    );
    for (columns, row) in [
        ("size,tiger,filename", format!("1000,{tiger},d/a,b")),
        ("size,sha256,filename", format!("1000,{digest}")),
        ("size,sha256,filename", format!("1000,{digest},")),
        ("size,sha256,filename", format!("1000,{digest},d/a,b\0")),
        ("size,sha256,filename", format!("1000,{tiger},d/a,b")),
        ("filename,size,sha256", format!("d/plain,0,{digest}")),
    ] {
        let ran = list(columns, &row);
        assert_eq!(ran.code, Some(1), "{columns}");
        assert!(ran.err().contains("no properly formatted checksum lines found"), "{ran:?}");
    }
}

#[test]
fn the_size_and_every_digest_of_a_line_are_compared() {
    let scratch = Scratch::new();
    scratch.write("f", "abc");
    let sum = |spec: &str| scratch.sum(&["-a", spec, "--no-names", "f"]).out().trim().to_owned();
    let (sha1, sha256) = (sum("sha1"), sum("sha256"));
    let zeros = "0".repeat(40);
    let hashdeep = |size: &str, sha1: &str| {
        format!("%%%% HASHDEEP-1.0\n%%%% size,sha1,sha256,filename\n{size},{sha1},{sha256},f\n")
    };
    let mtree = |size: &str, sha1: &str| {
        format!("#mtree\n./f type=file size={size} sha1={sha1} sha256={sha256}\n")
    };
    for is_mtree in [false, true] {
        let list = |size: &str, sha1: &str| match is_mtree {
            true => mtree(size, sha1),
            false => hashdeep(size, sha1),
        };
        for (size, digest, verdict) in [
            ("3", &sha1, Some("OK")),
            ("4", &sha1, Some("FAILED")),
            ("3", &zeros, Some("FAILED")),
            ("x", &sha1, None),
        ] {
            scratch.write("LIST", list(size, digest));
            let ran = scratch.sum(&["-c", "LIST"]);
            let name = if is_mtree { "./f" } else { "f" };
            let out = verdict.map_or(String::new(), |verdict| format!("{name}: {verdict}\n"));
            assert_eq!(ran.out(), out, "{}", list(size, digest));
            assert_eq!(ran.code, Some(i32::from(verdict != Some("OK"))));
        }
        // without the requested digest, a line counts as structure
        scratch.write("LIST", list("3", &zeros));
        assert_eq!(scratch.sum(&["-c", "-a", "sha256", "LIST"]).code, Some(0));
    }
}

#[test]
fn mtrees_lists_are_written_and_read() {
    let scratch = files();
    scratch.write("d/new\nline", "x");
    let ran = scratch.sum(&["--format=mtree", "-r", "d"]);
    let out = ran.out();
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines[..3], ["#mtree", ". type=dir", "./d type=dir"]);
    assert_eq!(lines.iter().filter(|line| line.ends_with("type=dir")).count(), 3, "{out}");
    let digest = sha256(&paint(2000));
    let row = format!("./d/a\\040b\\043\\075\\134 type=file size=2000 sha256digest={digest}");
    assert!(lines.contains(&&row[..]), "{out}");
    scratch.write("LIST", &out);
    let ran = scratch.sum(&["-c", "--quiet", "--strict", "--require=6", "LIST"]);
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(0), String::new(), String::new()));
    let absolute = scratch.at("d/plain").into_os_string().into_string().unwrap();
    let ran = scratch.sum(&["--format=mtree", &absolute, "d/../d/plain", "d//plain"]);
    let rest: String = ran
        .out()
        .lines()
        .map(|line| format!("{}\n", line.split(" size").next().unwrap()))
        .collect();
    assert_eq!(
        rest,
        format!(
            "#mtree\n{absolute} type=file\nd/../d/plain type=file\n. type=dir\n./d type=dir\n./d/plain type=file\n"
        )
    );
    let ran = scratch.sum(&["--format=hashdeep", "d/new\nline"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err().ends_with("such a name does not fit the format\n"), "{ran:?}");
}

#[test]
fn hierarchies_of_mtree_are_gone_through() {
    let scratch = files();
    let [plain, comma, deep] = [0, 1000, 3000].map(|len| sha256(&paint(len)));
    let list = format!(
        "#\t   user: root\n\n/set type=file uid=0\n. type=dir\n    d type=dir\n        plain \\\n  \
         size=0 sha256={plain}\n        a,b sha256digest={comma}\n        sub type=dir\n            \
         \\133x\\135\\052 sha256digest={deep}\n        ..\n        l type=link link=x\n    ..\n..\n"
    );
    scratch.write("LIST", list);
    let ran = scratch.sum(&["-c", "--strict", "LIST"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    assert_eq!(ran.out(), "./d/plain: OK\n./d/a,b: OK\n'./d/sub/[x]*': OK\n");
    scratch.write(b"d/\xc3\xbc \x7f", "");
    scratch.write("LIST", format!("#mtree\nd/\\M-C\\M-<\\s\\^? type=file sha256={plain}\n"));
    let ran = scratch.sum(&["-c", "--strict", "LIST"]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
    // the types that entries inherit
    scratch.write("LIST", format!("/set type=dir\n.\nd\n/unset type\nplain sha256={plain}\n"));
    assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "./d/plain: OK\n");
    scratch.write("LIST", format!(". type=dir\nd/plain sha256={plain}\nd/x\\9 sha256={plain}\n"));
    let ran = scratch.sum(&["-c", "LIST"]);
    assert_eq!((ran.code, ran.out()), (Some(0), "d/plain: OK\n".to_owned()));
    assert_eq!(ran.err(), "jlanes-sum: WARNING: 1 line is improperly formatted\n");
}

#[test]
fn formats_have_only_their_digests() {
    let scratch = files();
    let ran = scratch.sum(&["--format=mtree", "-a", "skein512", "d/plain"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.err().starts_with("jlanes-sum: the format has no digests of skein512\n"),
        "{ran:?}"
    );
}

#[test]
fn specifications_say_where_links_lead() {
    let scratch = Scratch::new();
    scratch.write("d/f", "abc");
    std::os::unix::fs::symlink("a name", scratch.at("d/l")).unwrap();
    let ran = scratch.sum(&["--format=mtree", "--hash-links", "-r", "d"]);
    let expected = format!(
        "#mtree\n. type=dir\n./d type=dir\n./d/f type=file size=3 sha256digest={}\n\
         ./d/l type=link link=a\\040name\n",
        sha256(b"abc")
    );
    assert_eq!((ran.code, ran.out()), (Some(0), expected));
    scratch.write("LIST", &ran.stdout);
    assert_eq!(scratch.sum(&["-c", "--strict", "--quiet", "LIST"]).code, Some(0));
}
