//! Objects of an S3 server, through a proxy with faults.

use std::{
    fs,
    path::Path,
    process::{Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use base64ct::{Base64, Base64UrlUnpadded, Encoding};
use sha2::{Digest, Sha256};

use crate::{
    CRCS, check, content, crc, program, rows, scratch,
    server::{Fault, Server},
};

/// Objects of a bucket: keys, and their contents.
pub(crate) fn bucket(root: &Path) -> Vec<(String, Vec<u8>)> {
    let mut objects: Vec<(String, Vec<u8>)> =
        (0..150).map(|i| (format!("d{}/k{i}", i % 3), content(i, i * 37))).collect();
    for (i, key) in ["empty", "a b", "plus+", "ü", "100%"].into_iter().enumerate() {
        objects.push((key.into(), content(i, i * 5000)));
    }
    objects.push(("large".into(), content(5, 3_000_000)));
    for (key, content) in &objects {
        let path = root.join("bucket").join(key);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    objects
}

/// Runs the program without blocking the server.
pub(crate) async fn run(server: &Server, args: &[&str], status: i32) -> Output {
    let command = server.environment(program(args));
    tokio::task::spawn_blocking(move || check(command, status)).await.unwrap()
}

/// Checks that a manifest has the right digests, except for one key.
pub(crate) fn compare(
    out: &Path,
    objects: &[(String, Vec<u8>)],
    except: Option<&str>,
) -> Option<String> {
    let rows = rows(out);
    assert_eq!(rows.len(), objects.len());
    let mut reason = None;
    for (key, content) in objects {
        let mut url = url::Url::parse("s3://bucket/").unwrap();
        url.path_segments_mut().unwrap().clear().extend(key.split('/'));
        let (size, digest) = rows[&(String::from(url), "sha256".to_owned())].clone();
        if except == Some(key) {
            reason = digest.err();
            continue;
        }
        assert_eq!(digest, Ok(Sha256::digest(content).to_vec()), "{key}");
        assert_eq!(size, Some(content.len() as u64), "{key}");
    }
    reason
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket() {
    let (folder, root, out) = scratch();
    let objects = bucket(&root);
    let server = Server::start(&root, |_, _| Fault::None).await;
    let out_ = out.to_str().unwrap();
    run(&server, &["create", "s3://bucket/", "--out", out_], 0).await;
    compare(&out, &objects, None);
    run(&server, &["verify", out_, "--status"], 0).await;

    // the names are keys
    let list = run(&server, &["export", out_, "--format", "sha256sum"], 0).await;
    let list = String::from_utf8(list.stdout).unwrap();
    let line =
        |content: &[u8], key: &str| format!("{}  {key}\n", hex::encode(Sha256::digest(content)));
    for (key, content) in &objects {
        assert!(list.contains(&line(content, key)), "{key}");
    }

    let part = folder.path().join("part");
    run(
        &server,
        &["create", "s3://bucket/d1/", "s3://bucket/large", "--out", part.to_str().unwrap()],
        0,
    )
    .await;
    assert_eq!(rows(&part).len(), 51);

    fs::write(root.join("bucket/d1/k1"), "another").unwrap();
    let verified = run(&server, &["verify", out_, "--quiet"], 1).await;
    assert_eq!(String::from_utf8(verified.stdout).unwrap(), "s3://bucket/d1/k1: FAILED\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn checksums_of_a_bucket() {
    let (_folder, root, out) = scratch();
    let objects = bucket(&root);
    let server = Server::start(&root, |_, _| Fault::None).await;
    let out_ = out.to_str().unwrap();
    let names = "sha256,blake3,crc32,crc32c,crc64nvme";
    run(&server, &["create", "s3://bucket/", "--out", out_, "--algorithms", names], 0).await;
    let rows = rows(&out);
    assert_eq!(rows.len(), 5 * objects.len());
    let large = &objects.last().unwrap().1;
    for (algorithm, polynomial, width) in CRCS {
        let (_, sum) = rows[&("s3://bucket/large".to_owned(), algorithm.to_owned())].clone();
        assert_eq!(sum, Ok(crc(polynomial, width, large)), "{algorithm}");
    }
    let (_, digest) = rows[&("s3://bucket/large".to_owned(), "blake3".to_owned())].clone();
    assert_eq!(digest, Ok(jlanes::Blake3::digest(large).to_vec()));
    run(&server, &["verify", out_, "--status"], 0).await;
}

/// Keeps a checksum of an object in the server, as an upload with one does.
fn keep(root: &Path, key: &str, name: &str, value: &str) {
    let encode = |text: &str| Base64UrlUnpadded::encode_string(text.as_bytes());
    let path = format!(".bucket-{}.object-{}.internal.json", encode("bucket"), encode(key));
    fs::write(root.join(path), format!(r#"{{"checksum_{name}": "{value}"}}"#)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_with_another_checksum_than_the_store_keeps_is_an_error() {
    let (_folder, root, out) = scratch();
    let mut objects = bucket(&root);
    objects.push(("in parts".into(), content(6, 17 << 20)));
    fs::write(root.join("bucket/in parts"), &objects.last().unwrap().1).unwrap();
    for (key, content) in &objects {
        keep(&root, key, "sha256", &Base64::encode_string(&Sha256::digest(content)));
    }
    keep(&root, "d0/k0", "sha256", "ICy5YqxZB1uWSwcVLSNLcA==-2"); // a composite
    let server = Server::start(&root, |_, _| Fault::None).await;
    let out_ = out.to_str().unwrap();
    run(&server, &["create", "s3://bucket/", "--out", out_], 0).await;
    compare(&out, &objects, None);

    for key in ["d1/k1", "in parts"] {
        let path = root.join("bucket").join(key);
        let mut content = fs::read(&path).unwrap();
        *content.last_mut().unwrap() ^= 1;
        fs::write(path, content).unwrap();
    }
    let again = root.join("again");
    let again = again.to_str().unwrap();
    run(&server, &["create", "s3://bucket/", "--out", again], 3).await;
    let errors = run(&server, &["errors", again], 3).await;
    let reason = "its sha256 is not the one that the store keeps";
    let expected = format!("s3://bucket/d1/k1: {reason}\ns3://bucket/in%20parts: {reason}\n");
    assert_eq!(String::from_utf8(errors.stdout).unwrap(), expected);
    // without a computation of the same kind there is nothing to compare
    let other = root.join("other");
    let create = ["create", "s3://bucket/", "--out", other.to_str().unwrap()];
    run(&server, &[&create[..], &["--algorithms", "crc64nvme"]].concat(), 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_of_a_collision_attack_is_an_error() {
    let (_folder, root, out) = scratch();
    bucket(&root);
    let known = include_str!("../../../../tests/data/sha1_collisions.jsonl");
    let shattered = known.split("\"msg_hex\":\"").nth(1).unwrap().split('"').next().unwrap();
    fs::write(root.join("bucket/shattered"), hex::decode(shattered).unwrap()).unwrap();
    let server = Server::start(&root, |_, _| Fault::None).await;
    let out_ = out.to_str().unwrap();
    run(&server, &["create", "s3://bucket/", "--out", out_, "--algorithms", "sha1,sha1dc"], 3)
        .await;
    let rows = rows(&out);
    let digest = |key: &str, algorithm: &str| {
        rows[&(format!("s3://bucket/{key}"), algorithm.into())].clone().1
    };
    let reason = "the message is part of a collision attack on SHA-1";
    assert_eq!(digest("shattered", "sha1dc"), Err(reason.to_owned()));
    assert_eq!(digest("large", "sha1dc"), digest("large", "sha1"));
    assert!(digest("large", "sha1dc").is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_that_fail_are_sent_again() {
    let (_folder, root, out) = scratch();
    let objects = bucket(&root);
    let server = Server::start(&root, |key, before| match (key.len() % 3, before) {
        (0, 0) => Fault::Unavailable,
        (1, 0) => Fault::Cut(700),
        (1, 1) => Fault::Unavailable,
        (2, 0) if key == "large" => Fault::Cut(1_000_000),
        (2, 1) if key == "large" => Fault::Cut(100_000),
        _ => Fault::None,
    })
    .await;
    run(&server, &["create", "s3://bucket/", "--out", out.to_str().unwrap()], 0).await;
    compare(&out, &objects, None);
    assert_eq!(server.gets("large"), 3);
    assert_eq!(server.gets("d1/k100"), 3);
    assert_eq!(server.gets("d2/k2"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_never_comes() {
    let (_folder, root, out) = scratch();
    let objects = bucket(&root);
    let server = Server::start(&root, |key, _| match key {
        "d0/k30" => Fault::Unavailable,
        _ => Fault::None,
    })
    .await;
    let args = ["create", "s3://bucket/", "--out", out.to_str().unwrap(), "--retries", "2"];
    run(&server, &args, 3).await;
    let reason = compare(&out, &objects, Some("d0/k30")).unwrap();
    assert!(reason.contains("503"), "{reason}");
    assert_eq!(server.gets("d0/k30"), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_object_that_changes_meanwhile() {
    let (_folder, root, out) = scratch();
    let objects = bucket(&root);
    let changing = root.join("bucket/large");
    let server = Server::start(&root, move |key, before| match (key, before) {
        ("large", 0) => Fault::Cut(1_000_000),
        ("large", 1) => {
            fs::write(&changing, content(9, 3_000_000)).unwrap();
            Fault::None
        }
        _ => Fault::None,
    })
    .await;
    run(&server, &["create", "s3://bucket/", "--out", out.to_str().unwrap()], 3).await;
    let reason = compare(&out, &objects, Some("large"));
    assert_eq!(reason.as_deref(), Some("it changed while it was read"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_killed() {
    let (_folder, root, out) = scratch();
    let objects = bucket(&root);
    let server = Server::start(&root, |key, before| match (key, before) {
        ("large" | "d2/k149", 0) => Fault::Hang,
        _ => Fault::None,
    })
    .await;
    let args = ["create", "s3://bucket/", "--out", out.to_str().unwrap(), "--checkpoint", "1"];
    let mut child = server.environment(program(&args)).stderr(Stdio::null()).spawn().unwrap();
    let out_ = out.clone();
    let expected = objects.len() - 2;
    let killed = tokio::task::spawn_blocking(move || {
        let begin = Instant::now();
        while !out_.exists() || rows(&out_).len() < expected {
            assert!(begin.elapsed() < Duration::from_secs(60), "no rows come");
            sleep(Duration::from_millis(50));
        }
        child.kill().unwrap();
        child.wait().unwrap()
    });
    assert!(!killed.await.unwrap().success());
    // a remnant of a process that was killed while writing
    fs::write(out.join("0000-000001.parquet.tmp"), "half a file").unwrap();

    let output = run(&server, &args, 0).await;
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains(&format!("{expected} objects are in")), "{text}");
    compare(&out, &objects, None);
    for (key, _) in &objects {
        let hung = ["large", "d2/k149"].contains(&&**key);
        assert_eq!(server.gets(key), 1 + usize::from(hung), "{key}");
    }
}
