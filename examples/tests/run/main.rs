//! Runs every example on data with a known result.

mod acvp;
mod consumers;
mod git_pack;
mod programs;

use std::{fs, path::Path};

use sha2::{Digest, Sha256};

use programs::{directory, printed, run};

#[test]
fn dedup_finds_the_copies() {
    let text: Vec<u8> = (0..300_000u32).flat_map(|i| i.wrapping_mul(i | 1).to_le_bytes()).collect();
    let files = directory(&[("one", &text), ("two", &text)]);
    let printed = printed("dedup", &["one", "two"], files.path(), "");
    assert!(printed.ends_with(&format!("{} bytes, {} to store\n", 2 * text.len(), text.len())));
}

#[test]
fn a_boot_manifest_tells_which_files_changed() {
    let line = |name: &str, text: &[u8]| format!("{}  {name}\n", hex::encode(Sha256::digest(text)));
    let manifest = line("kernel", b"vmlinuz") + &line("initrd", b"ramdisk");
    let files = directory(&[
        ("SHA256SUMS", manifest.as_bytes()),
        ("kernel", b"vmlinuz"),
        ("initrd", b"ramdisk"),
    ]);
    let good = printed("boot_manifest", &["SHA256SUMS"], files.path(), "");
    assert_eq!(good, "2 files, 0 not as listed\n");

    fs::write(files.path().join("initrd"), b"another").unwrap();
    let output = run("boot_manifest", &["SHA256SUMS"], files.path(), "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"initrd: not as listed\n2 files, 1 not as listed\n");
}

/// The digest of the empty file is in the documentation of fs-verity's tools.
#[test]
fn fsverity_digests_come_as_the_tool_prints_them() {
    let files = directory(&[("image/etc/empty", b""), ("image/zeros", &[0; 10_000])]);
    let printed = printed("fsverity_image", &["image"], files.path(), "");
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(
        lines[0],
        "sha256:3d248ca542a24fc62d1c43b916eae5016878e2533c88238480b26128a1f1af95 image/etc/empty"
    );
    let block = Sha256::digest([0; 4096]);
    let mut root = [block, block, block].concat();
    root.resize(4096, 0);
    let mut descriptor = [&[1, 1, 12, 0, 0, 0, 0, 0][..], &10_000u64.to_le_bytes()].concat();
    descriptor.extend(Sha256::digest(root));
    descriptor.resize(256, 0);
    assert_eq!(lines[1], format!("sha256:{} image/zeros", hex::encode(Sha256::digest(descriptor))));
}

#[test]
fn a_sealed_log_shows_what_was_changed() {
    let files = directory(&[("key", &[7; 32])]);
    let sealed = printed("log_hmac", &["seal", "key"], files.path(), "boot\nlogin\nlogout\n");
    let good = printed("log_hmac", &["verify", "key"], files.path(), &sealed);
    assert_eq!(good, "3 lines, 0 bad\n");

    let mut lines: Vec<_> = sealed.lines().collect();
    lines.swap(0, 1);
    let output = run("log_hmac", &["verify", "key"], files.path(), &lines.join("\n"));
    assert_eq!(output.status.code(), Some(1));
    let verdict = "line 1: not as it was sealed\nline 2: not as it was sealed\n3 lines, 2 bad\n";
    assert_eq!(output.stdout, verdict.as_bytes());
}

#[test]
fn the_sum_of_a_directory_follows_names_and_contents() {
    let sum = |files: &[(&str, &[u8])]| {
        let files = directory(files);
        printed("sum_directory", &["."], files.path(), "")
    };
    let long = vec![1; 200_000];
    let first = sum(&[("a", b"text"), ("b/c", &long)]);
    assert!(first.ends_with(" 2 files\n"));
    assert_eq!(first, sum(&[("b/c", &long), ("a", b"text")]));
    assert_ne!(first, sum(&[("a", b"text"), ("b/d", &long)]));
    assert_ne!(first, sum(&[("a", b"Text"), ("b/c", &long)]));
}

#[test]
fn a_transparency_log_proves_what_it_says() {
    let files = directory(&[("log", b"one\ntwo\nthree\nfour\nfive\n")]);
    let printed = printed("transparency_log", &["log", "2", "3", "static"], files.path(), "");
    let hash = |parts: &[&[u8]]| Sha256::digest(parts.concat());
    let leaf = |text: &str| hash(&[&[0], text.as_bytes()]);
    let node = |left: &[u8], right: &[u8]| hash(&[&[1], left, right]);
    let four = node(&node(&leaf("one"), &leaf("two")), &node(&leaf("three"), &leaf("four")));
    let root = hex::encode(node(&four, &leaf("five")));
    assert_eq!(
        printed,
        format!(
            "5 entries, root {root}\n\
             it extends the log of 3 entries: 4 digests prove it\n\
             entry 2 is in it: 3 digests prove it\n\
             1 tiles written\n"
        )
    );
    let read = |name: &str| fs::read(files.path().join("static").join(name)).expect(name);
    let leaves = ["one", "two", "three", "four", "five"].map(leaf);
    assert_eq!(read("tile/0/000.p/5"), leaves.concat());
    assert_eq!(read("root"), format!("5\n{root}\n").into_bytes());
    let changed = run("transparency_log", &["log", "2", "9"], files.path(), "");
    assert!(!changed.status.success(), "the log was never so long");
}

#[test]
fn one_hasher_drops_in_for_another() {
    let printed = printed("drop_in", &["password", "message"], Path::new("."), "");
    assert_eq!(printed.len(), 65, "a tag of 32 bytes in hex: {printed}");
}
