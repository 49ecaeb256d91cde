//! Every algorithm's known answers, through files, names and options.

use std::fs;

use jlanes_testing::{Record, corpus, message};

use crate::common::Scratch;

/// Checks that `args` on the file `m`, or on `files`, print the digest in `field`.
#[track_caller]
fn check(scratch: &Scratch, record: &Record, args: &[&str], files: &[String], expected: &[u8]) {
    let files = files.iter().map(String::as_str);
    let args: Vec<&str> = args.iter().copied().chain(files).collect();
    let ran = scratch.sum(&args);
    let name = record.name();
    assert_eq!(ran.code, Some(0), "{name}: {args:?}: {ran:?}");
    let digest = ran.out().split(' ').next().unwrap().to_owned();
    let expected = hex::encode(expected);
    assert_eq!(digest.get(..expected.len()), Some(&*expected), "{name}: {args:?}");
}

fn one(scratch: &Scratch) -> [String; 1] {
    [scratch.at("m").to_str().unwrap().to_owned()]
}

/// Runs all records of a corpus with one file as the message.
fn each(name: &str, args: impl Fn(&Record) -> Vec<String>, field: &str) {
    let scratch = Scratch::new();
    for record in corpus(name) {
        scratch.write("m", record.message());
        let args = args(&record);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        check(&scratch, &record, &args, &one(&scratch), &record.hex(field));
    }
}

fn words(text: String) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn lanes() {
    for (name, raw) in [("jlanes", "-raw"), ("jlanes_v1", "")] {
        let spec = |record: &Record| {
            let (j, hash) = (record.number::<u64>("j"), record.text("hash"));
            words(format!("-a jlanes{j}-{hash}{raw}"))
        };
        each(name, spec, "digest_hex");
    }
}

#[test]
fn pointers_over_files_and_over_a_directory() {
    for (name, raw) in [("jpointers", "-raw"), ("jpointers_v1", "")] {
        for record in corpus(name) {
            let scratch = Scratch::new();
            let lens: Vec<usize> = record.numbers("part_lens");
            let parts: Vec<Vec<u8>> = if record.has("part_seeds") {
                let seeds: Vec<u64> = record.numbers("part_seeds");
                seeds.into_iter().zip(lens).map(|(seed, len)| message(seed, len)).collect()
            } else {
                let mut rest = record.message().into_iter();
                lens.into_iter().map(|len| rest.by_ref().take(len).collect()).collect()
            };
            fs::create_dir(scratch.at("d")).unwrap();
            let names: Vec<_> = (0..parts.len()).map(|i| format!("d/{i:04}")).collect();
            for (name, part) in names.iter().zip(&parts) {
                scratch.write(name, part);
            }
            let spec = format!("jpointers-{}{raw}", record.text("hash"));
            let expected = record.hex("digest_hex");
            if !parts.is_empty() {
                check(&scratch, &record, &["-a", &spec], &names, &expected);
            }
            check(&scratch, &record, &["-r", "-a", &spec], &["d".to_owned()], &expected);
        }
    }
}

#[test]
fn skein_with_its_arguments_and_trees() {
    let scratch = Scratch::new();
    let options = [
        ("pers_hex", "--personalization-hex"),
        ("pk_hex", "--public-key-hex"),
        ("kdf_hex", "--key-id-hex"),
        ("nonce_hex", "--nonce-hex"),
    ];
    for record in corpus("skein") {
        let (bits, out) = (record.number::<usize>("msg_bits"), record.number::<u64>("out_bits"));
        if bits % 8 != 0 || out % 8 != 0 {
            continue; // files and printed digests have whole bytes only
        }
        scratch.write("m", message(record.number("msg_seed"), bits / 8));
        let mut spec = format!("skein{}-{out}", record.number::<u64>("state"));
        if record.has("tree") {
            let tree = record.record("tree");
            let [yl, yf, ym] = ["yl", "yf", "ym"].map(|name| tree.number::<u64>(name));
            spec += &format!("-tree:{yl}.{yf}.{ym}");
        }
        let mut args = words(format!("-a {spec}"));
        if let Some(key) = record.optional_hex("key_hex") {
            scratch.write("key", key);
            args.extend(words("--key-file key".to_owned()));
        }
        for (field, option) in options {
            if record.has(field) {
                args.push(format!("{option}={}", record.text(field)));
            }
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        check(&scratch, &record, &args, &one(&scratch), &record.hex("digest_hex"));
    }
}

#[test]
fn skein_tells_empty_arguments_from_none() {
    let scratch = Scratch::new();
    for record in corpus("skein_emptyarg") {
        scratch.write("m", record.message());
        let spec =
            format!("skein{}-{}", record.number::<u64>("state"), record.number::<u64>("out_bits"));
        let mut args = vec!["-a".to_owned(), spec];
        if let Some(key) = record.optional_hex("key_hex") {
            scratch.write("key", key);
            args.extend(words("--key-file key".to_owned()));
        }
        args.push(match record.text("empty_arg") {
            "pers" => "--personalization-hex=".to_owned(),
            "pk" => "--public-key-hex=".to_owned(),
            "kdf" => "--key-id-hex=".to_owned(),
            "nonce" => "--nonce-hex=".to_owned(),
            other => panic!("{}: {other}", record.name()),
        });
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        check(&scratch, &record, &args, &one(&scratch), &record.hex("digest_hex"));
    }
}

#[test]
fn sponges_and_their_trees() {
    let spec = |record: &Record| record.text("alg").replace('_', "-");
    each("sha3", |record| words(format!("-a {}", spec(record))), "digest_hex");
    let scratch = Scratch::new();
    for record in ["shake", "kt", "parallelhash", "sp800_185"].into_iter().flat_map(corpus) {
        let len = |field| if record.has(field) { record.number(field) } else { 0 };
        // the system limits the length of an argument
        let fits = len("msg_len") < 1 << 20 && len("custom_len") < 1 << 15;
        let has_name = !["cshake", "tuplehash"].iter().any(|it| record.text("alg").starts_with(it));
        if !fits || !record.has("out_hex") || !has_name {
            continue;
        }
        scratch.write("m", record.message());
        let bits = 8 * record.number::<u64>("out_len");
        let block = match record.has("block_size") {
            true => format!(":{}", record.number::<u64>("block_size")),
            false => String::new(),
        };
        let mut args = words(format!("-a {}-{bits}{block}", spec(&record)));
        if record.has("key_hex") {
            scratch.write("key", record.hex("key_hex"));
            args.extend(words("--key-file key".to_owned()));
        }
        if !record.text("alg").starts_with("shake") {
            args.push(format!("--customization-hex={}", hex::encode(record.input("custom"))));
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        check(&scratch, &record, &args, &one(&scratch), &record.hex("out_hex"));
    }
}

#[test]
fn trees_of_others() {
    let multi_hash = |record: &Record| words(format!("-a {}", record.text("alg")));
    each("mh", multi_hash, "digest_hex");
    each("btv2", |_| words("-a btv2".to_owned()), "pieces_root_hex");
    each("sha256tree", |_| words("-a sha256tree".to_owned()), "digest_hex");
    each("glacier", |_| words("-a glacier".to_owned()), "digest_hex");
    let fsverity = |record: &Record| {
        let (hash, block) = (record.text("hash"), record.number::<u64>("block_size"));
        let salt = record.text("salt_hex");
        words(format!("-a fsverity-{hash} --block-size {block} --salt={salt}"))
    };
    each("fsverity", fsverity, "file_digest_hex");
    let dmverity = |record: &Record| {
        let (hash, format) = (record.text("hash"), record.number::<u64>("format"));
        let data = record.number::<u64>("data_block_size");
        let nodes = record.number::<u64>("hash_block_size");
        let salt = record.text("salt_hex");
        words(format!(
            "-a dmverity-{hash} --block-size {data} --hash-block-size {nodes} \
             --dmverity-format {format} --salt={salt}"
        ))
    };
    each("dmverity", dmverity, "root_hash_hex");
}

#[test]
fn rfc6962_over_chunks() {
    let scratch = Scratch::new();
    for record in corpus("rfc6962").into_iter().filter(|record| record.has("msg_seed")) {
        scratch.write("m", record.message());
        let spec = format!("rfc6962-sha256:{}", record.number::<u64>("leaf_size"));
        check(&scratch, &record, &["-a", &spec], &one(&scratch), &record.hex("root_hex"));
    }
}

#[test]
fn hmac() {
    let scratch = Scratch::new();
    for record in corpus("hmac") {
        let content = match record.has("msg_hex") {
            true => record.hex("msg_hex"),
            false => record.message(),
        };
        let key = match record.has("key_hex") {
            true => record.hex("key_hex"),
            false => message(record.number("key_seed"), record.number("key_len")),
        };
        if key.is_empty() {
            continue; // an empty key file is an error
        }
        scratch.write("m", content);
        scratch.write("key", key);
        let args = ["-a", record.text("hash"), "--hmac-key-file", "key"];
        check(&scratch, &record, &args, &one(&scratch), &record.hex("tag_hex"));
    }
}
