//! `--untrusted`: a hundred kinds of hostile lists, which must verify nothing, block nobody, and open
//! no file outside of the base.

use std::{
    env, fs,
    io::Read,
    os::unix::fs::symlink,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

mod hostile;

use crate::common::{Ran, Scratch, run, sha256};

const H1: &str = "h1:zfnjV891yKYYbtB2zZFnx/hwZKEMosZP5aJhWjZirb4=";
const SECRET: &[u8] = b"secret";

/// A directory with files of all kinds, next to a file that must not be opened.
fn base() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("out", SECRET);
    scratch.write("base/f", "abc");
    scratch.write("base/d/g", "abc");
    fs::File::create(scratch.at("base/big")).unwrap().set_len(16 << 20).unwrap();
    scratch.fifo("base/fifo");
    for (link, to) in [
        ("base/inside", "d/g"),
        ("base/d/inside", "../f"),
        ("base/to-out", "../out"),
        ("base/d/to-out", "../../out"),
        ("base/absolute", "/etc/passwd"),
        ("base/root", "/"),
        ("base/parent", ".."),
        ("base/again", "../base/f"),
        ("base/loop", "loop"),
        ("base/to-fifo", "fifo"),
        ("base/zero", "/dev/zero"),
        ("base/stdin", "/dev/stdin"),
        ("base/self", "/proc/self/fd/0"),
        ("base/nothing", "none"),
    ] {
        symlink(to, scratch.at(link)).unwrap();
    }
    let _socket = std::os::unix::net::UnixListener::bind(scratch.at("base/socket"));
    scratch
}

fn untrusted(scratch: &Scratch) -> Command {
    let mut command = scratch.ours("jlanes-sum");
    command.current_dir(scratch.at("base")).args(["-c", "--untrusted"]);
    command
}

fn check(scratch: &Scratch, list: impl AsRef<[u8]>, args: &[&str]) -> Ran {
    run(untrusted(scratch).args(args), list.as_ref())
}

#[test]
fn honest_lists_are_as_good_as_ever() {
    let scratch = base();
    let sum = sha256(b"abc");
    for list in [
        format!("{sum}  f\n{sum}  ./d/g\n"),
        format!("{sum}  inside\n{sum}  d/inside\n"),
        format!("SHA256 (f) = {sum}\n# comment\n\n"),
        format!("%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n3,{sum},f\n"),
        format!("#mtree\n. type=dir\n./f type=file size=3 sha256digest={sum}\n"),
    ] {
        let ran = check(&scratch, &list, &[]);
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{list}: {ran:?}");
    }
    let ran = check(&scratch, format!("{sum}  g\n"), &["--base-dir=d"]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(0), "g: OK\n"));
    let ran = check(&scratch, format!("{sum}  g\n"), &["--base-dir=none"]);
    assert_eq!(
        (ran.code, ran.err().as_str()),
        (Some(1), "jlanes-sum: 'none': No such file or directory\n")
    );
    let ran = scratch.sum(&["--untrusted", "out"]);
    assert!(ran.err().contains("--untrusted option is meaningful only when verifying"), "{ran:?}");
    let ran = check(&scratch, "", &["--min-bits=64"]);
    assert!(ran.err().contains("--untrusted accepts no digests of less than 128 bits"), "{ran:?}");
}

#[test]
fn an_untrusted_list_gets_as_much_as_the_limits_say_and_no_more() {
    let scratch = base();
    scratch.write("base/most", [b'x'; 10_000]);
    scratch.write("base/more", [b'x'; 10_001]);
    let tagged = |algorithm: &str, name: &str| {
        let mut command = scratch.ours("jlanes-sum");
        command.current_dir(scratch.at("base")).args(["--tag", "-a", algorithm, name]);
        run(&mut command, b"").out()
    };
    for (algorithm, name) in [("s3-sha256:1", "most"), ("shake128-4096", "f")] {
        let ran = check(&scratch, tagged(algorithm, name), &[]);
        assert_eq!((ran.code, ran.out()), (Some(0), format!("{name}: OK\n")), "{ran:?}");
    }
    for (algorithm, name, why) in [
        ("s3-sha256:1", "more", "more than 10000 parts"),
        ("shake128-4104", "f", "has more than 4096 bits"),
    ] {
        let ran = check(&scratch, tagged(algorithm, name), &[]);
        assert!(ran.code == Some(1) && ran.err().contains(why), "{algorithm}: {ran:?}");
    }
    let sum = sha256(b"abc");
    for (name, is_long) in
        [(format!(".//{}f", "./".repeat(2046)), false), (format!("{}f", "./".repeat(2048)), true)]
    {
        let ran = check(&scratch, format!("{sum}  {name}\n"), &[]);
        assert_eq!(ran.err().contains("the name is too long"), is_long, "{}: {ran:?}", name.len());
    }
    // the maximum length of lines is lower, too
    let ran = check(&scratch, format!("{sum}  {}\n", "x".repeat(1 << 18)), &[]);
    assert!(ran.err().contains("no properly formatted"), "{ran:?}");
    assert!(!ran.err().contains("the name is too long"), "{ran:?}");
}

#[test]
fn hashes_with_known_collisions_are_refused() {
    let scratch = base();
    let tagged = |algorithm: &str| {
        let args = ["--tag", "--algorithm", algorithm, "f"];
        let mut command = scratch.ours("jlanes-sum");
        run(command.current_dir(scratch.at("base")).args(args), b"").out()
    };
    for algorithm in ["md5", "sha1", "sha1dc", "mh-sha1", "jlanes4-md5", "etag:8"] {
        let (list, why) =
            (tagged(algorithm), "is broken: files that differ may have equal digests");
        let ran = check(&scratch, &list, &[]);
        assert!(ran.code == Some(1) && ran.err().contains(why), "{algorithm}: {ran:?}");
        assert_eq!(ran.out(), "", "{algorithm}");
        let ran = check(&scratch, &list, &["-a", algorithm]);
        let printed = format!("jlanes-sum: --untrusted refuses {algorithm}, which {why}");
        assert!(ran.err().starts_with(&printed), "{ran:?}");
    }
    let ran = check(&scratch, tagged("xxh128"), &["-a", "xxh128"]);
    assert!(ran.err().contains("refuses xxh128, which is a checksum, which anybody"), "{ran:?}");
    // all digests of a line are compared, so one strong digest is enough
    let (md5, sum) = ("900150983cd24fb0d6963f7d28e17f72", sha256(b"abc"));
    let list = |digests: &str, names: &str| {
        format!("%%%% HASHDEEP-1.0\n%%%% size,{names},filename\n3,{digests},f\n")
    };
    let ran = check(&scratch, list(&format!("{md5},{sum}"), "md5,sha256"), &[]);
    assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{ran:?}");
    let ran = check(&scratch, list(md5, "md5"), &[]);
    assert!(ran.code == Some(1) && ran.err().contains("MD5 is broken"), "{ran:?}");
    // without the key, nobody can make this MAC
    scratch.write("base/key", "key");
    let keyed = ["--hmac-key-file=key", "-a", "md5"];
    let mut command = scratch.ours("jlanes-sum");
    let list = run(command.current_dir(scratch.at("base")).args(["f", "--tag"]).args(keyed), b"");
    let ran = check(&scratch, list.stdout, &keyed[..1]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(0), "f: OK\n"), "{ran:?}");
}

#[test]
fn a_hundred_hostile_lists_verify_nothing() {
    let scratch = base();
    let lists = hostile::lists();
    assert!(lists.len() >= 100, "{}", lists.len());
    let good = format!("{}  f\n", sha256(b"abc"));
    let program = env!("CARGO_BIN_EXE_jlanes-sum");
    for (number, list) in lists.iter().enumerate() {
        let shown = list[..list.len().min(120)].escape_ascii().to_string();
        scratch.write("LIST", list);
        // with limits of memory and time
        let mut command = scratch.command("sh", "sh");
        command.current_dir(scratch.at("base"));
        command.args(["-c", &format!("ulimit -v 400000; exec {program} -c --untrusted ../LIST")]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut printed = child.stderr.take().unwrap();
        let reader = thread::spawn(move || {
            let mut text = Vec::new();
            printed.read_to_end(&mut text).unwrap();
            text
        });
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(120) {
            thread::sleep(Duration::from_millis(3));
        }
        let _ = child.kill();
        let ran = child.wait_with_output().unwrap();
        let printed = reader.join().unwrap();
        let out = String::from_utf8_lossy(&ran.stdout);
        assert_eq!(ran.status.code(), Some(1), "{number}: {shown}: {}", printed.escape_ascii());
        assert!(!out.contains(": OK"), "{number}: {shown}: {out}");
        // next to an honest line, it fails as well
        if !list.is_empty() && !list.starts_with(b"#") && !list.starts_with(b"\n") {
            let both = check(&scratch, [good.as_bytes(), list].concat(), &[]);
            assert_eq!(both.code, Some(1), "{number}: {shown}: {both:?}");
        }
    }
}

/// The opened files, with the system's resolution of paths and with ours.
#[test]
fn nothing_outside_is_looked_at() {
    let scratch = base();
    if !scratch.can_trace("what an untrusted list has opened") {
        return;
    }
    let secret = sha256(SECRET);
    let names =
        ["to-out", "d/to-out", "absolute", "root/etc/passwd", "parent/out", "again", "../out"];
    let list: String = names.iter().map(|name| format!("{secret}  {name}\n")).collect();
    scratch.write("LIST", format!("{list}{}  inside\n{}  f\n", sha256(b"abc"), sha256(b"abc")));
    for inject in
        [&[][..], &["-e", "inject=openat2:error=ENOSYS"], &["-e", "inject=openat2:error=EPERM"]]
    {
        let mut command = scratch.command("strace", "strace");
        command.current_dir(scratch.at("base"));
        command
            .args(["-f", "-y", "--quiet=all", "-o", "../TRACE", "-e", "trace=file"])
            .args(inject);
        command.args([env!("CARGO_BIN_EXE_jlanes-sum"), "-c", "--untrusted", "../LIST"]);
        let ran = run(&mut command, b"");
        assert_eq!(ran.code, Some(1));
        assert!(ran.out().ends_with("inside: OK\nf: OK\n"), "{inject:?}: {ran:?}");
        let trace = fs::read_to_string(scratch.at("TRACE")).unwrap();
        for line in trace.lines().filter(|line| !line.contains(" = -1 ")) {
            let outside = line.contains("/out>") || line.contains("passwd>");
            assert!(!outside, "{inject:?}: {line}");
        }
    }
}

/// A link that leads in and out alternately while it is resolved.
#[test]
fn links_that_change_meanwhile_do_not_lead_out() {
    let scratch = base();
    let list = format!("{}  race\n", sha256(SECRET)).repeat(200);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut number = 0;
            while !stop.load(Ordering::Relaxed) {
                let to = if number % 2 == 0 { "f" } else { "../out" };
                let aside = scratch.at("base/aside");
                symlink(to, &aside).unwrap();
                fs::rename(&aside, scratch.at("base/race")).unwrap();
                number += 1;
            }
        });
        for _ in 0..10 {
            let ran = check(&scratch, &list, &[]);
            assert!(ran.code == Some(1) && !ran.out().contains(": OK"), "{ran:?}");
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn names_cannot_paint_the_terminal() {
    let scratch = Scratch::new();
    let sum = sha256(b"abc");
    let names =
        ["\x1b]0;title\x07", "a\rb: OK", "\u{202e}gpj.exe", "\u{200b}", "\u{9b}31m", "\u{2066}x"];
    for name in names {
        scratch.write(format!("base/{name}"), "abc");
        let escaped = name.replace('\r', "\\r");
        let begin = if name == escaped { "" } else { "\\" };
        let list = format!(
            "{begin}{sum}  {escaped}\n{begin}{sum}  {escaped}x\n{sum}  ../{}\n",
            name.replace('\r', "")
        );
        for locale in ["C", "C.UTF-8"] {
            let mut command = untrusted(&scratch);
            let ran = run(command.env("LC_ALL", locale), list.as_bytes());
            assert_eq!(ran.code, Some(1));
            for text in [ran.out(), ran.err()] {
                let wild = |c: char| {
                    (c.is_control() && c != '\n')
                        || matches!(c, '\u{200b}' | '\u{202e}' | '\u{2066}')
                };
                assert!(!text.contains(wild), "{locale}: {}", text.escape_debug());
            }
        }
    }
    // under GNU's names, characters are shown as GNU's tools show them
    scratch.write("\u{202e}x", "abc");
    scratch.write("LIST", format!("{sum}  \u{202e}x\n"));
    let mut command = scratch.ours("sha256sum");
    let ran = run(command.env("LC_ALL", "C.UTF-8").args(["-c", "LIST"]), b"");
    assert_eq!(ran.out(), "\u{202e}x: OK\n");
}
