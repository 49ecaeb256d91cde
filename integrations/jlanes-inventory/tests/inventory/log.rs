//! Manifests that are damaged, old, or changed by several processes, some of which are killed.

use std::{
    collections::BTreeMap,
    env,
    fs::{self, File},
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    thread::sleep,
    time::Duration,
};

use arrow::{
    array::{
        ArrayRef, BinaryArray, DictionaryArray, RecordBatch, StringArray,
        TimestampMillisecondArray, UInt64Array, new_null_array,
    },
    datatypes::{DataType, Field, Int32Type, Schema, TimeUnit},
};
use parquet::{
    arrow::ArrowWriter,
    basic::Compression,
    file::{metadata::KeyValue, properties::WriterProperties},
};
use sha2::{Digest, Sha256};
use url::Url;

use crate::{age, content, program, rows, run, scratch};

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % end
    }
}

/// The files of a manifest: its tables, and its log.
fn files(out: &Path) -> Vec<PathBuf> {
    let of = |directory: &Path| fs::read_dir(directory).unwrap().map(|it| it.unwrap().path());
    let mut files: Vec<_> = of(out).chain(of(&out.join("log"))).collect();
    files.retain(|path| path.is_file() && !path.ends_with(".lock"));
    files.sort();
    files
}

/// Files below a directory, some of them empty.
fn tree(root: &Path, number: usize) {
    for i in 0..number {
        let path = root.join(format!("d{}/f{i:05}", i % 50));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content(i, i % 20)).unwrap();
        age(&path);
    }
}

/// The digests of a directory's files by URL.
fn truth(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for directory in fs::read_dir(root).unwrap() {
        for file in fs::read_dir(directory.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let url = Url::from_file_path(&path).unwrap().to_string();
            all.insert(url, Sha256::digest(fs::read(path).unwrap()).to_vec());
        }
    }
    all
}

fn digests(out: &Path) -> BTreeMap<String, Vec<u8>> {
    rows(out).into_iter().map(|((url, _), (_, digest))| (url, digest.unwrap())).collect()
}

#[test]
fn damage_is_noticed() {
    let (_folder, root, out) = scratch();
    tree(&root, 300);
    let (root_, out_) = (root.to_str().unwrap(), out.to_str().unwrap());
    let create = ["create", root_, "--out", out_];
    run(&create, 0);
    let export = ["export", out_, "--format", "sha256sum"];
    let commands =
        [&create[..], &export, &["verify", out_], &["diff", out_, out_], &["update", out_]];
    let mut random = Random(7);
    for i in 0..150 {
        let all = files(&out);
        let path = &all[i % all.len()];
        let good = fs::read(path).unwrap();
        let mut bad = good.clone();
        bad[random.below(good.len())] ^= 1 << random.below(8);
        fs::write(path, bad).unwrap();
        let output = run(commands[i / all.len() % commands.len()], 2);
        assert!(String::from_utf8_lossy(&output.stderr).contains("it is damaged"), "{output:?}");
        assert!(output.stdout.is_empty());
        fs::write(path, good).unwrap();
    }
    let without = |path: PathBuf| {
        let aside = out.with_file_name("aside");
        fs::rename(&path, &aside).unwrap();
        for command in commands {
            let output = run(command, 2);
            assert!(String::from_utf8_lossy(&output.stderr).contains("missing"), "{output:?}");
        }
        fs::rename(&aside, &path).unwrap();
    };
    files(&out).into_iter().chain([out.join("log")]).for_each(without);
    run(&["update", out_], 0);
    without(out.join("log/0002-000000"));
    run(&["update", out_], 0);
    assert_eq!(digests(&out), truth(&root));
}

#[test]
fn versions_can_be_read() {
    let (folder, root, out) = scratch();
    // enough objects for a file that is kept, and for one that is not
    tree(&root, 1000);
    let (root_, out_) = (root.to_str().unwrap(), out.to_str().unwrap());
    let names = "sha256,md5,sha1,sha512,sha384,sha224,blake3,crc32,crc32c,crc64nvme,sha3-256,blake2b,\
        blake2s,sha512-256,sha3-512,xxh64,xxh32,keccak256";
    let once = ["--checkpoint", "3600"]; // a slow machine would write more files
    run(&[&["create", root_, "--out", out_, "--algorithms", names], &once[..]].concat(), 0);
    let first = files(&out);
    fs::create_dir(root.join("late")).unwrap();
    for number in 0..3 {
        fs::write(root.join(format!("late/{number}")), "late").unwrap();
        run(&["update", out_], 0);
    }
    assert!(out.join(first[0].file_name().unwrap()).exists(), "a file without changes stays");
    assert_eq!(files(&out).iter().filter(|it| it.extension().is_some()).count(), 2);
    let versions = String::from_utf8(run(&["versions", out_], 0).stdout).unwrap();
    let lines: Vec<_> = versions.lines().collect();
    assert_eq!(lines.len(), 4);
    for (i, line) in lines.iter().enumerate() {
        assert!(
            line.starts_with(&format!("{}  20", i + 1)) && line.ends_with("complete"),
            "{line}"
        );
    }
    let lines_of = |args: &[&str], status| {
        let text = String::from_utf8(run(args, status).stdout).unwrap();
        text.lines().filter(|line| line.contains(" sha256 ")).map(String::from).collect::<Vec<_>>()
    };
    assert_eq!(lines_of(&["diff", out_, "--from", "2"], 1).len(), 2);
    assert_eq!(lines_of(&["diff", out_, "--from", "1", "--to", "3"], 1).len(), 2);
    assert!(lines_of(&["diff", out_, out_, "--from", "4"], 0).is_empty());
    run(&["diff", out_, "--from", "5"], 2);
    run(&["diff", out_], 2);
    // the log is a list for sha256sum, too
    let mut sums = Command::new("sha256sum");
    sums.arg("-c").arg("--strict").arg("log/0004-000000").current_dir(&out);
    assert!(sums.output().unwrap().status.success());

    // the user may remove earlier versions
    fs::remove_dir_all(out.join("old")).unwrap();
    run(&["verify", out_, "--status"], 0);
    run(&["diff", out_, "--from", "3"], 2);
    drop(folder);
}

/// A manifest in the format of version 0.3.
fn old_manifest(out: &Path, root: &Path, generation: usize, files: &BTreeMap<String, Vec<u8>>) {
    let time = || DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    let schema = Schema::new(vec![
        Field::new("url", DataType::Utf8, false),
        Field::new("size", DataType::UInt64, true),
        Field::new("mtime", time(), true),
        Field::new("etag", DataType::Utf8, true),
        Field::new("version_id", DataType::Utf8, true),
        Field::new("algorithm", DataType::Utf8, false),
        Field::new("digest", DataType::Binary, true),
        Field::new("error", DataType::Utf8, true),
        Field::new("checked_at", time(), false),
    ]);
    fs::create_dir_all(out).unwrap();
    for (i, (url, digest)) in files.iter().enumerate() {
        let path = Url::parse(url).unwrap().to_file_path().unwrap();
        let found = fs::metadata(path).unwrap();
        let since = found.modified().unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
        let times = |time| {
            let array = TimestampMillisecondArray::from(vec![time]);
            Arc::new(array.with_timezone("UTC")) as ArrayRef
        };
        let nothing = || Arc::new(StringArray::from(vec![None::<&str>])) as ArrayRef;
        let text = |text: &str| Arc::new(StringArray::from(vec![text])) as ArrayRef;
        let columns = vec![
            text(url),
            Arc::new(UInt64Array::from(vec![found.len()])),
            times(since.as_millis() as i64),
            nothing(),
            nothing(),
            text("sha256"),
            Arc::new(BinaryArray::from(vec![&digest[..]])),
            nothing(),
            times(since.as_millis() as i64 + 3000),
        ];
        let batch = RecordBatch::try_new(Arc::new(schema.clone()), columns).unwrap();
        let pair = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
        let location = Url::from_directory_path(root).unwrap().to_string();
        let about =
            vec![pair("jlanes.locations", location), pair("jlanes.algorithms", "sha256".into())];
        let properties = WriterProperties::builder().set_key_value_metadata(Some(about)).build();
        let file = File::create(out.join(format!("{generation:04}-{i:06}.parquet"))).unwrap();
        let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }
}

#[test]
fn manifests_of_version_0_3() {
    let (_folder, root, out) = scratch();
    tree(&root, 5);
    let (root_, out_) = (root.to_str().unwrap(), out.to_str().unwrap());
    let all = truth(&root);
    // a process was killed in the middle of a commit
    old_manifest(
        &out,
        &root,
        3,
        &all.iter().take(1).map(|(a, b)| (a.clone(), b.clone())).collect(),
    );
    old_manifest(&out, &root, 4, &all);
    fs::create_dir(out.join(".complete")).unwrap();
    for i in [1, 4] {
        let name = format!("0004-{i:06}.parquet");
        fs::rename(out.join(&name), out.join(".complete").join(name)).unwrap();
    }
    // reading changes no file
    run(&["verify", out_, "--status"], 0);
    let list = run(&["export", out_, "--format", "sha256sum"], 0).stdout;
    assert_eq!(String::from_utf8(list).unwrap().lines().count(), 5);
    assert!(!out.join("log").exists());

    let again = String::from_utf8(run(&["create", root_, "--out", out_], 0).stderr).unwrap();
    assert!(again.contains("5 objects are in"), "{again}");
    assert_eq!(digests(&out), all);
    fs::write(root.join("d0/new"), "new").unwrap();
    let printed = String::from_utf8(run(&["update", out_], 0).stderr).unwrap();
    assert!(printed.contains("5 objects kept, 1 read: 1 added, 0 changed, 0 removed"), "{printed}");
    assert_eq!(digests(&out), truth(&root));
    let changes = run(&["diff", out_, "--from", "4"], 1).stdout;
    assert_eq!(changes.iter().filter(|byte| **byte == b'\n').count(), 1);
}

#[test]
fn places_that_are_written_in_other_ways() {
    let (folder, root, out) = scratch();
    let here = folder.path().join("here");
    tree(&root, 60);
    fs::create_dir(&here).unwrap();
    fs::create_dir_all(folder.path().join("far/inner")).unwrap();
    fs::write(folder.path().join("far/f"), "far").unwrap();
    age(&folder.path().join("far/f"));
    fs::write(folder.path().join("f"), "near").unwrap();
    symlink(folder.path().join("far/inner"), folder.path().join("link")).unwrap();
    let out_ = out.to_str().unwrap();
    let within = |args: &[&str], status| {
        let mut command = program(args);
        command.current_dir(&here);
        crate::check(command, status)
    };
    within(&["create", "../root", "../link/../f", "--out", out_], 0);
    let mut all = truth(&root);
    let far = Url::from_file_path(folder.path().join("far/f").canonicalize().unwrap()).unwrap();
    all.insert(far.into(), Sha256::digest("far").to_vec());
    assert_eq!(digests(&out), all);
    // bit rot: another content with the same time
    let rotten = root.join("d1/f00001");
    let time = fs::metadata(&rotten).unwrap().modified().unwrap();
    fs::write(&rotten, "!").unwrap();
    File::options().write(true).open(&rotten).unwrap().set_modified(time).unwrap();
    let printed = String::from_utf8(within(&["update", out_], 0).stderr).unwrap();
    assert!(printed.contains("61 objects kept, 0 read"), "{printed}");
    let printed = String::from_utf8(within(&["verify", out_, "--quiet"], 1).stdout).unwrap();
    assert!(printed.lines().eq([format!("{}: FAILED", Url::from_file_path(&rotten).unwrap())]));
    // a manifest inside the directory that it describes
    let within_root = root.join("d0/out");
    let args = [root.to_str().unwrap(), "--out", "../root/d0/out"];
    within(&[&["create"], &args[..]].concat(), 0);
    within(&["update", "../root/d0/out"], 0);
    assert_eq!(rows(&within_root).len(), 60);
    fs::remove_dir_all(within_root).unwrap();
    // URLs as other programs write them
    for (url, status) in [("file://localhost", 0), ("file://elsewhere", 2), ("FILE://", 0)] {
        let out = folder.path().join("other");
        drop(fs::remove_dir_all(&out));
        let url = format!("{url}{}", root.to_str().unwrap().replace("root", "%72oot"));
        run(&["create", &url, "--out", out.to_str().unwrap()], status);
    }
}

/// Links that another user puts into a manifest's directory do not make the program write elsewhere.
#[test]
fn links_are_not_followed() {
    let (folder, root, out) = scratch();
    tree(&root, 10);
    let (root_, out_) = (root.to_str().unwrap(), out.to_str().unwrap());
    let own = folder.path().join("own");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("file"), "own").unwrap();
    run(&["create", root_, "--out", out_], 0);
    fs::remove_file(out.join(".lock")).unwrap();
    symlink(own.join("file"), out.join(".lock")).unwrap();
    fs::write(out.join(".new/another"), "another").unwrap();
    fs::write(out.join(".new/0001-abc.parquet"), "left behind").unwrap();
    run(&["update", out_], 0);
    assert!(!out.join(".new/0001-abc.parquet").exists());
    assert_eq!(fs::read(out.join(".new/another")).unwrap(), b"another");
    for place in [".new", "old", ".complete"] {
        drop(fs::remove_dir_all(out.join(place)));
        symlink(&own, out.join(place)).unwrap();
        let printed = String::from_utf8(run(&["update", out_], 2).stderr).unwrap();
        assert!(printed.contains(&format!("'{place}' is a link")), "{printed}");
        fs::remove_file(out.join(place)).unwrap();
    }
    assert_eq!(fs::read(own.join("file")).unwrap(), b"own");
    // a file that an entry lists is a link
    let table = files(&out).into_iter().find(|path| path.extension().is_some()).unwrap();
    let name = table.file_name().unwrap().to_str().unwrap().to_owned();
    fs::rename(&table, own.join(&name)).unwrap();
    for entry in fs::read_dir(out.join("log")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap().replace(&name, &format!("../own/{name}"));
        let (lines, _) = text.rsplit_once("# sha256 of all above: ").unwrap();
        let digest = hex::encode(Sha256::digest(lines));
        fs::write(&path, format!("{lines}# sha256 of all above: {digest}\n")).unwrap();
    }
    let printed = String::from_utf8(run(&["verify", out_], 2).stderr).unwrap();
    assert!(printed.contains("it is damaged"), "{printed}");
}

/// A part with rows of one object, in which every column repeats its value.
fn repeated(url: &str, error: Option<&str>, rows: usize, codec: Compression) -> Vec<u8> {
    let text = |text: &str| {
        let values = Arc::new(StringArray::from(vec![text]));
        Arc::new(DictionaryArray::<Int32Type>::new(vec![0; rows].into(), values)) as ArrayRef
    };
    let none = |of: &DataType| new_null_array(of, rows);
    let time = || {
        let times = TimestampMillisecondArray::from(vec![1; rows]).with_timezone("UTC");
        Arc::new(times) as ArrayRef
    };
    let batch = RecordBatch::try_from_iter_with_nullable([
        ("url", text(url), false),
        ("size", Arc::new(UInt64Array::from(vec![1; rows])) as ArrayRef, true),
        ("mtime", time(), true),
        ("etag", none(&DataType::Utf8), true),
        ("version_id", none(&DataType::Utf8), true),
        ("algorithm", text("sha256"), false),
        ("digest", none(&DataType::Binary), true),
        ("error", error.map_or_else(|| none(&DataType::Utf8), text), true),
        ("checked_at", time(), false),
        ("listed_mtime", time(), true),
        ("listed_etag", none(&DataType::Utf8), true),
    ]);
    let batch = batch.unwrap();
    let properties = WriterProperties::builder().set_compression(codec).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

/// Makes a manifest of one part, which is in its log `times` times. Returns the part's path.
fn manifest(out: &Path, part: &[u8], times: usize) -> PathBuf {
    drop(fs::remove_dir_all(out));
    fs::create_dir_all(out.join("log")).unwrap();
    let digest = hex::encode(Sha256::digest(part));
    let name = format!("0001-{}.parquet", &digest[..32]);
    let head =
        "# jlanes-inventory 1\n# at 1\n# location file:///a\n# algorithm sha256\n# complete 1\n";
    let text = head.to_owned() + &format!("{digest}  {name}\n").repeat(times);
    let last = hex::encode(Sha256::digest(&text));
    let text = format!("{text}# sha256 of all above: {last}\n");
    fs::write(out.join("log/0001-000000"), text).unwrap();
    fs::write(out.join(&name), part).unwrap();
    out.join(name)
}

#[test]
fn parts_that_are_made_to_harm() {
    let (_folder, _, out) = scratch();
    let errors = |reason: &str| {
        let printed = run(&["errors", out.to_str().unwrap()], 2).stderr;
        let printed = String::from_utf8_lossy(&printed).into_owned();
        assert!(printed.contains(reason), "{printed}");
    };
    let snappy = Compression::SNAPPY;
    let good = repeated("file:///a", Some("gone"), 2, snappy);
    for part in [&good, &repeated("file:///a", None, 2, snappy)] {
        manifest(&out, part, 1);
        run(&["errors", out.to_str().unwrap()], 3);
    }
    // libraries of a cluster, in the same program, have this codec
    let codec = Compression::ZSTD(Default::default());
    if cfg!(feature = "cluster") {
        manifest(&out, &repeated(&"a".repeat(1 << 20), Some("gone"), 2, codec), 1);
        errors("a page is too large");
    }
    // and a page that says so
    let mut bad = good.clone();
    let page = bad.windows(3).position(|window| window == [0x15, 4, 0x15]).unwrap() + 3;
    bad[page..page + 2].copy_from_slice(&[0xff, 0x7f]);
    manifest(&out, &bad, 1);
    errors("a page is too large");

    // few bytes that are gigabytes as rows
    let large = format!("file:///{}", "a".repeat(1 << 19));
    let large = repeated(&large, Some("gone"), 700, snappy);
    assert!(large.len() < 1 << 20);
    manifest(&out, &large, 1);
    errors("more rows than");
    manifest(&out, &good, 2);
    errors("has a file twice");

    // a column of a negative size
    let mut bad = good.clone();
    let name = b"\x06digest\x15";
    let mut at =
        bad.windows(name.len()).rposition(|window| window == name).unwrap() + name.len() + 1;
    let varint = |at: usize| bad[at..].iter().position(|byte| *byte < 0x80).unwrap() + at + 1;
    at = varint(varint(at + 1) + 1) + 1;
    bad[at] |= 1;
    manifest(&out, &bad, 1);
    errors("it is damaged");

    // nothing to compute
    manifest(&out, &good, 1);
    let entry = out.join("log/0001-000000");
    let text = fs::read_to_string(&entry).unwrap().replace("# algorithm sha256\n", "");
    let (lines, _) = text.rsplit_once("# sha256 of all above: ").unwrap();
    let digest = hex::encode(Sha256::digest(lines));
    fs::write(&entry, format!("{lines}# sha256 of all above: {digest}\n")).unwrap();
    errors("no algorithm");

    // pipes without a writer
    let part = manifest(&out, &good, 1);
    for path in [part, out.join("log/0001-000000")] {
        fs::remove_file(&path).unwrap();
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
        errors("it is no file");
    }
}

/// Starts a command with no output.
fn start(args: &[&str]) -> Child {
    let mut command = program(args);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// The number of pairs is `JLANES_KILLS`.
#[test]
fn pairs_of_commands_that_are_killed() {
    let number = env::var("JLANES_KILLS").map_or(25, |number| number.parse().unwrap());
    let (folder, root, out) = scratch();
    tree(&root, 400);
    let (root_, out_) = (root.to_str().unwrap(), out.to_str().unwrap());
    let create = ["create", root_, "--out", out_, "--checkpoint", "1"];
    let update = ["update", out_, "--allow-removals"];
    let mut random = Random(0x5eed);
    let mut ended = [0; 2];
    for i in 0..number {
        let path = root.join(format!("d{}/f{:05}", i % 50, i % 400));
        match random.below(3) {
            0 => drop(fs::remove_file(path)),
            _ => fs::write(path, content(i, 30 + i % 7)).unwrap(),
        }
        if random.below(10) == 0 {
            drop(fs::remove_dir_all(&out));
        }
        let exists = out.join("log/0001-000000").exists();
        let before = exists.then(|| digests_of(out_));
        let pair =
            [0, 1].map(|_| start(if exists && random.below(3) > 0 { &update } else { &create }));
        let mut statuses = Vec::new();
        for mut child in pair {
            // machines differ in when they are in the middle of a commit
            let most = 2 << random.below(18);
            sleep(Duration::from_micros(random.below(most) as u64));
            if random.below(3) > 0 {
                drop(child.kill());
            }
            statuses.push(child.wait().unwrap().code());
        }
        // killed, refused because of the other process, or done
        assert!(
            statuses.iter().all(|status| [None, Some(0), Some(2)].contains(status)),
            "{statuses:?}"
        );
        ended[0] += statuses.iter().filter(|status| **status == Some(0)).count();
        ended[1] += statuses.iter().filter(|status| status.is_none()).count();
        let Some(before) = before.filter(|_| out.join("log").exists()) else { continue };
        // each object has one row, and unchanged objects have their digests
        let after = digests_of(out_);
        let now = truth(&root);
        for (url, digest) in &before {
            if now.get(url) == Some(digest) {
                assert_eq!(after.get(url), Some(digest), "{url} in round {i}");
            }
        }
    }
    println!("{} commands came to their end, {} were killed", ended[0], ended[1]);
    run(&create, 0);
    run(&update, 0);
    assert_eq!(digests(&out), truth(&root));
    run(&["verify", out_, "--status"], 0);
    drop(folder);
}

/// The digests that the program reads from a manifest, while other processes change it.
fn digests_of(out: &str) -> BTreeMap<String, Vec<u8>> {
    let list = program(&["export", out, "--format", "sha256sum", "--absolute"]).output().unwrap();
    let status = list.status.code();
    assert!([Some(0), Some(4)].contains(&status), "{}", String::from_utf8_lossy(&list.stderr));
    let list = String::from_utf8(list.stdout).unwrap();
    let mut digests = BTreeMap::new();
    for line in list.lines() {
        let (digest, path) = line.split_once("  ").unwrap();
        let url = Url::from_file_path(path).unwrap().to_string();
        assert!(digests.insert(url, hex::decode(digest).unwrap()).is_none(), "{path} twice");
    }
    digests
}
