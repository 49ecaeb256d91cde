//! Manifests of local files.

use std::{
    ffi::OsStr,
    fs,
    os::unix::ffi::OsStrExt,
    path::Path,
    process::Command,
    time::{Duration, SystemTime},
};

use jlanes::merkle::{Format as _, FsVerity};
use sha2::{Digest, Sha256, Sha512};
use url::Url;

use crate::{CRCS, age, content, crc, program, rows, run, scratch};

/// A directory of files of many sizes and odd names, with their contents.
fn tree(root: &Path) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut files: Vec<(Vec<u8>, Vec<u8>)> =
        (0..200).map(|i| (format!("d{}/f{i}", i % 7).into_bytes(), content(i, i * i))).collect();
    let names: [&[u8]; 8] = [
        b"empty",
        b"a b",
        b"100%",
        b"line\nfeed",
        b"back\\slash",
        b"#x?y",
        b"\xff\xfe",
        "ü".as_bytes(),
    ];
    files.extend(names.iter().enumerate().map(|(i, name)| (name.to_vec(), content(i, i * 1000))));
    files.push((b"large".to_vec(), content(1, 5_000_000)));
    for (name, content) in &files {
        let path = root.join(OsStr::from_bytes(name));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        age(&path);
    }
    std::os::unix::fs::symlink("large", root.join("link")).unwrap();
    files
}

fn url(root: &Path, name: &[u8]) -> String {
    Url::from_file_path(root.join(OsStr::from_bytes(name))).unwrap().into()
}

#[test]
fn every_file_has_its_digests() {
    let (_folder, root, out) = scratch();
    let files = tree(&root);
    let (place, out_) = (root.to_str().unwrap(), out.to_str().unwrap());
    // little memory, and a file with two names
    let large = root.join("large");
    run(
        &[
            "create",
            place,
            large.to_str().unwrap(),
            "--out",
            out_,
            "--algorithms",
            "sha256,SHA512,fsverity-sha256",
            "--memory",
            "300K",
            "--in-flight",
            "7",
        ],
        0,
    );
    let rows = rows(&out);
    assert_eq!(rows.len(), 3 * files.len());
    for (name, content) in &files {
        let entry = |algorithm: &str| rows[&(url(&root, name), algorithm.to_owned())].clone();
        let size = Some(content.len() as u64);
        assert_eq!(entry("sha256"), (size, Ok(Sha256::digest(content).to_vec())));
        assert_eq!(entry("sha512"), (size, Ok(Sha512::digest(content).to_vec())));
        let fsverity = FsVerity::sha256(4096, b"").unwrap().digest(content).unwrap();
        assert_eq!(entry("fsverity-sha256").1, Ok(fsverity.to_vec()));
    }
}

#[test]
fn checksums_of_s3_next_to_digests() {
    let (_folder, root, out) = scratch();
    let files = tree(&root);
    let (place, out_) = (root.to_str().unwrap(), out.to_str().unwrap());
    let names = "sha256,crc32,CRC32C,blake3,crc64nvme";
    run(&["create", place, "--out", out_, "--algorithms", names], 0);
    let rows = rows(&out);
    assert_eq!(rows.len(), 5 * files.len());
    for (name, content) in &files {
        let entry = |algorithm: &str| rows[&(url(&root, name), algorithm.to_owned())].clone();
        assert_eq!(entry("sha256").1, Ok(Sha256::digest(content).to_vec()));
        for (algorithm, polynomial, width) in CRCS {
            let sum = crc(polynomial, width, content);
            assert_eq!(entry(algorithm), (Some(content.len() as u64), Ok(sum)));
        }
    }
    run(&["verify", out_, "--status"], 0);
    // a line of `sum` has a checksum that lists do not have
    let refused = run(&["create", place, "--out", out_, "--algorithms", "bsd"], 2).stderr;
    assert!(String::from_utf8_lossy(&refused).contains("'bsd'"));
    let list = run(&["export", out_, "--format", "sha256sum", "--algorithm", "crc64nvme"], 0);
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    assert!(list.contains("\n0000000000000000  empty\n"), "{list}");

    // another content
    fs::write(root.join("a b"), content(3, 1000)).unwrap();
    let verified = run(&["verify", out_], 1).stdout;
    assert!(String::from_utf8_lossy(&verified).contains("FAILED"));
}

#[test]
fn lists_for_other_programs() {
    let (folder, root, out) = scratch();
    let files = tree(&root);
    let out_ = out.to_str().unwrap();
    let place = Url::from_directory_path(&root).unwrap();
    run(&["create", place.as_str(), "--out", out_, "--algorithms", "sha256,md5"], 0);

    let sums = folder.path().join("SUMS");
    for (algorithm, program) in [("sha256", "sha256sum"), ("md5", "md5sum")] {
        let list = run(&["export", out_, "--format", "sha256sum", "--algorithm", algorithm], 0);
        fs::write(&sums, &list.stdout).unwrap();
        let mut check = Command::new(program);
        let checked =
            check.arg("--strict").arg("-c").arg(&sums).current_dir(&root).output().unwrap();
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
        assert_eq!(checked.stdout.split(|b| *b == b'\n').count() - 1, files.len());
    }
    run(&["export", out_, "--format", "sha256sum"], 2); // which of the two

    let bag = run(&["export", out_, "--format", "bagit", "--algorithm", "sha256"], 0);
    let bag = bag.stdout;
    let contains = |line: &[u8]| bag.windows(line.len()).any(|window| window == line);
    let empty = hex::encode(Sha256::digest(b""));
    assert!(contains(format!("{empty}  data/empty\n").as_bytes()));
    assert!(contains(b"  data/100%25\n") && contains(b"  data/line%0Afeed\n"));

    // all but the name with a line feed
    let deep = run(&["export", out_, "--format", "hashdeep"], 3).stdout;
    let text = String::from_utf8_lossy(&deep);
    assert!(text.starts_with("%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n"), "{text}");
    assert!(text.contains(&format!("\n0,d41d8cd98f00b204e9800998ecf8427e,{empty},empty\n")));
    assert_eq!(deep.split(|byte| *byte == b'\n').count(), files.len() - 1 + 3);
}

#[test]
fn changed_objects_are_found() {
    let (folder, root, out) = scratch();
    let files = tree(&root);
    let out_ = out.to_str().unwrap();
    let place = root.to_str().unwrap();
    run(&["create", place, "--out", out_], 0);
    let before = folder.path().join("before");
    run(&["create", place, "--out", before.to_str().unwrap()], 0);
    let diff = ["diff", before.to_str().unwrap(), out_];
    assert!(run(&diff, 0).stdout.is_empty());

    let verified = run(&["verify", out_], 0).stdout;
    let verified = String::from_utf8(verified).unwrap();
    assert_eq!(verified.lines().filter(|line| line.ends_with(": OK")).count(), files.len());
    assert!(run(&["verify", out_, "--quiet"], 0).stdout.is_empty());

    fs::write(root.join("a b"), "something else").unwrap();
    fs::remove_file(root.join("empty")).unwrap();
    fs::write(root.join("new"), "new").unwrap();
    let (changed, gone, new) = (url(&root, b"a b"), url(&root, b"empty"), url(&root, b"new"));
    let output = run(&["verify", out_, "--quiet"], 1);
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, [format!("{changed}: FAILED"), format!("{gone}: FAILED open or read")]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("did NOT match: 1"));
    let silent = run(&["verify", out_, "--status"], 1);
    assert!(silent.stdout.is_empty() && silent.stderr.is_empty());

    let updated = run(&["update", out_], 0);
    let text = String::from_utf8(updated.stderr).unwrap();
    assert!(text.contains(&format!("{} objects kept, 2 read", files.len() - 2)), "{text}");
    run(&["verify", out_, "--status"], 0);
    assert_eq!(rows(&out).len(), files.len());
    let text = String::from_utf8(run(&diff, 1).stdout).unwrap();
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [format!("~ sha256 {changed}"), format!("- sha256 {gone}"), format!("+ sha256 {new}")]
    );

    // a copy elsewhere
    let copy = folder.path().join("copy");
    assert!(Command::new("cp").arg("-r").arg(&root).arg(&copy).status().unwrap().success());
    let other = folder.path().join("other");
    run(&["create", copy.to_str().unwrap(), "--out", other.to_str().unwrap()], 0);
    run(&["diff", out_, other.to_str().unwrap()], 1);
    assert!(run(&["diff", "--relative", out_, other.to_str().unwrap()], 0).stdout.is_empty());
}

#[test]
fn nothing_is_lost() {
    let (_folder, root, out) = scratch();
    fs::create_dir(&root).unwrap();
    fs::write(root.join("there"), "there").unwrap();
    let missing = root.join("missing");
    let out_ = out.to_str().unwrap();
    let places = [root.join("there"), missing.clone()];
    let places = places.each_ref().map(|path| path.to_str().unwrap());
    let create = ["create", places[0], places[1], "--out", out_, "--algorithms", "md5,sha1"];
    run(&create, 4);
    let all = rows(&out);
    assert_eq!(all.len(), 4);
    let key = (url(&root, b"missing"), "md5".to_owned());
    assert!(all[&key].1.as_ref().is_err_and(|reason| reason.contains("No such file")));

    // resuming reads nothing again, and still knows the error
    let again = run(&create, 4);
    let text = String::from_utf8(again.stderr).unwrap();
    assert!(text.contains("2 objects are in"), "{text}");
    assert_eq!(rows(&out), all);
    run(&["create", places[0], "--out", out_], 2); // other locations
    run(&["verify", out_], 4);
    run(&["export", out_, "--format", "sha256sum", "--algorithm", "md5"], 4);

    // an update reads objects with errors
    fs::write(&missing, "no more").unwrap();
    run(&["update", out_], 0);
    assert!(rows(&out).values().all(|(_, digest)| digest.is_ok()));
    run(&["verify", out_, "--status"], 0);
}

#[test]
fn wrong_usage() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    for args in [
        &["create", "x"][..],
        &["create", "--out", out],
        &["create", "x", "--out", out, "--algorithms", "no-such"],
        &["create", "x", "--out", out, "--algorithms", "dmverity-sha256"],
        &["create", "x", "--out", out, "--memory", "0"],
        &["create", "gs://bucket/", "--out", out],
        &["verify", out],
        &["diff", out, out],
        &["update", out],
        &["export", out, "--format", "sha256sum"],
        &["nothing"],
    ] {
        assert!(!run(args, 2).stderr.is_empty(), "{args:?}");
    }
    assert!(program(&["--help"]).output().unwrap().status.success());
}

#[test]
fn an_empty_directory() {
    let (_folder, root, out) = scratch();
    fs::create_dir(&root).unwrap();
    run(&["create", root.to_str().unwrap(), "--out", out.to_str().unwrap()], 0);
    assert!(rows(&out).is_empty());
    for command in ["verify", "update"] {
        run(&[command, out.to_str().unwrap()], 0);
    }
}

/// The names in an export.
fn exported(out: &str) -> Vec<String> {
    let list = run(&["export", out, "--format", "sha256sum"], 0).stdout;
    let list = String::from_utf8(list).unwrap();
    list.lines().map(|line| line.split_once("  ").unwrap().1.to_owned()).collect()
}

#[test]
fn a_manifest_below_a_link_to_its_location_is_left_out() {
    let (folder, root, _) = scratch();
    fs::create_dir_all(root.join("data")).unwrap();
    fs::write(root.join("data/file"), "x").unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&root, &link).unwrap();
    let (link, out, root) = (link.to_str().unwrap(), root.join("out"), root.to_str().unwrap());
    let out = out.to_str().unwrap();
    run(&["create", link, "--out", out], 0);
    run(&["update", out], 0);
    assert_eq!(exported(out), ["data/file"]);
    // a location in the manifest's directory is read, but that itself has nothing else
    run(&["create", &format!("{root}/data"), "--out", root], 0);
    assert_eq!(exported(root), ["file"]);
    // also next to a location above, where only what it names is read
    let both = format!("{root}/out2");
    fs::create_dir_all(format!("{both}/mine")).unwrap();
    fs::write(format!("{both}/mine/note"), "mine").unwrap();
    run(&["create", &format!("{root}/data"), root, &format!("{both}/mine"), "--out", &both], 0);
    let notes = |out| rows(Path::new(out)).keys().filter(|key| key.0.ends_with("/note")).count();
    assert_eq!(notes(&both), 1);
    run(&["update", &both], 0);
    assert_eq!(notes(&both), 1);
    fs::remove_dir_all(&both).unwrap();
    run(&["create", link, "--out", &format!("{root}/.")], 2);
    let data = format!("{root}/data");
    run(&["create", &data, "--out", &data], 2);
    assert_eq!(fs::read_dir(&data).unwrap().count(), 1, "nothing is left there");
}

#[test]
fn pipes_are_read_if_they_are_named() {
    let (_folder, root, out) = scratch();
    fs::create_dir(&root).unwrap();
    let (file, other) = (root.join("file"), root.join("other"));
    fs::write(&file, "x").unwrap();
    fs::write(&other, "y").unwrap();
    let out = out.to_str().unwrap();
    run(&["create", root.to_str().unwrap(), "--out", out], 0);
    let pipe = || assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    fs::remove_file(&file).unwrap();
    pipe();
    // without a writer, a pipe does not end
    let verified = String::from_utf8(run(&["verify", out, "--quiet"], 3).stdout).unwrap();
    assert_eq!(verified, format!("{}: FAILED open or read\n", url(&root, b"file")));
    let writer = std::thread::spawn({
        let file = file.clone();
        move || fs::write(file, "z").unwrap()
    });
    let named = format!("{out}2");
    run(&["create", file.to_str().unwrap(), "--out", &named], 0);
    writer.join().unwrap();
    let digests: Vec<_> = rows(Path::new(&named)).into_values().collect();
    assert_eq!(digests, [(Some(1), Ok(Sha256::digest("z").to_vec()))]);
}

/// Times may be whole seconds, and clocks ahead: a change after the reading can leave the time as it is.
#[test]
fn a_change_that_the_time_does_not_show() {
    let (_folder, root, out) = scratch();
    fs::create_dir(&root).unwrap();
    let [old, new] = ["old", "new"].map(|name| root.join(name));
    let time = SystemTime::now() + Duration::from_secs(60);
    let write = |text: &str| {
        fs::write(&new, text).unwrap();
        fs::File::options().write(true).open(&new).unwrap().set_modified(time).unwrap();
    };
    write("one");
    fs::write(&old, "old").unwrap();
    age(&old);
    let out_ = out.to_str().unwrap();
    run(&["create", root.to_str().unwrap(), "--out", out_], 0);
    write("two");
    let updated = String::from_utf8(run(&["update", out_], 0).stderr).unwrap();
    let counts = "1 objects kept, 1 read: 0 added, 0 changed, 1 too new to tell, 0 removed";
    assert!(updated.contains(counts), "{updated}");
    run(&["verify", out_, "--status"], 0);
}

/// The time of a device is not that of its content.
#[test]
fn a_pipe_is_read_again() {
    let (_folder, root, out) = scratch();
    assert!(Command::new("mkfifo").arg(&root).status().unwrap().success());
    let (root_, out_) = (root.to_str().unwrap(), out.to_str().unwrap());
    for (command, content) in
        [(vec!["create", root_, "--out", out_], ""), (vec!["update", out_], "later")]
    {
        let writer = std::thread::spawn({
            let root = root.clone();
            move || fs::write(root, content).unwrap()
        });
        run(&command, 0);
        let digests: Vec<_> = rows(&out).into_values().collect();
        assert_eq!(digests, [(Some(content.len() as u64), Ok(Sha256::digest(content).to_vec()))]);
        writer.join().unwrap();
    }
}

/// A link to an endless device takes a file's place and leaves it again, all the time.
#[test]
fn a_device_that_takes_a_file_s_place_is_not_read() {
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        thread,
        time::{Duration, Instant},
    };
    let (folder, root, out) = scratch();
    fs::create_dir(&root).unwrap();
    let (file, link, aside) = (root.join("file"), folder.path().join("link"), root.join("aside"));
    fs::write(&file, "x").unwrap();
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    run(&["create", root.to_str().unwrap(), "--out", out.to_str().unwrap()], 0);
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                fs::hard_link(&file, &aside).unwrap();
                fs::rename(&link, &file).unwrap();
                fs::hard_link(&file, &link).unwrap();
                fs::rename(&aside, &file).unwrap();
            }
        });
        let mut endless = false;
        for _ in 0..300 {
            let mut verify = program(&["verify", out.to_str().unwrap(), "--status"]);
            let mut verify = verify.spawn().unwrap();
            let begin = Instant::now();
            while !endless && verify.try_wait().unwrap().is_none() {
                thread::sleep(Duration::from_millis(5));
                endless = begin.elapsed() > Duration::from_secs(20);
            }
            if endless {
                verify.kill().unwrap();
                verify.wait().unwrap();
                break;
            }
        }
        is_over.store(true, Ordering::Relaxed);
        assert!(!endless, "it reads the device");
    });
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_for_results_and_messages() {
    let (_folder, root, out) = scratch();
    tree(&root);
    let (place, out) = (root.to_str().unwrap(), out.to_str().unwrap());
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let created = program(&["create", place, "--out", out]).stderr(full()).status().unwrap();
    assert_eq!(created.code(), Some(0));
    fs::write(root.join("a b"), "other").unwrap();
    let updated = program(&["update", out]).stderr(full()).status().unwrap();
    assert_eq!(updated.code(), Some(0));
    for command in [&["verify", out][..], &["versions", out], &["diff", out, "--from", "1"]] {
        let status = program(command).stdout(full()).status().unwrap();
        assert_eq!(status.code(), Some(2), "{command:?}");
        let status = program(command).stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(status.code(), Some(2), "{command:?}");
    }
}
