//! S3's checksums: known answers, answers of S3 itself, and files compared with documents about objects.

use base64ct::{Base64, Encoding as _};
use jlanes::algorithm::{Kind, S3Checksum};
use jlanes_files::{
    Computation, Engine, FileResult, Input,
    lists::{Encoding, digest},
    s3::{self, Document, PartsError, Verdict},
};
use jlanes_testing::{Record, corpus, message};
use proptest::prelude::*;
use serde_json::{Value, json};
use sha2::Digest as _;

fn checksum(record: &Record) -> S3Checksum {
    let name = record.text("alg");
    S3Checksum::all().find(|it| it.name().eq_ignore_ascii_case(name)).unwrap()
}

/// The algorithm by this name of `data`, as lists have it.
fn printed(engine: &Engine, name: &str, data: &[u8]) -> String {
    let computation: Computation = name.parse().unwrap();
    let mut text = String::new();
    let inputs = [Input::reader("m", std::io::Cursor::new(data.to_vec()))];
    let each = |hashed: FileResult| {
        text = digest::text(&computation, &hashed.digests?[0], Encoding::Hex);
        Ok(())
    };
    engine.digests([computation.clone()], inputs, each).unwrap();
    let parsed = digest::parse(&computation, text.as_bytes()).unwrap();
    assert_eq!(digest::text(&computation, &parsed, Encoding::Base64), text);
    text
}

fn bytes(text: &Value) -> Vec<u8> {
    Base64::decode_vec(text.as_str().unwrap()).unwrap()
}

fn engines() -> [Engine; 2] {
    [
        Engine::new(),
        Engine::new().threads(std::num::NonZero::new(1)).on(jlanes::Backend::portable()),
    ]
}

#[test]
fn known_answers() {
    let mut kinds = [0; 4];
    for record in corpus("s3") {
        let name = record.name();
        let spec = |part: Option<u64>| match part {
            None => format!("s3-{}", checksum(&record)),
            Some(part) => format!("s3-{}:{part}", checksum(&record)),
        };
        match record.text("kind") {
            kind @ ("full" | "composite") => {
                let spec = spec((kind == "composite").then(|| record.number("part")));
                for engine in engines() {
                    let found = printed(&engine, &spec, &record.message());
                    assert_eq!(found, record.text("value"), "{name}: {spec}");
                }
                kinds[0] += 1;
            }
            "combine" | "real_full" => {
                let parts = record.value("parts").as_array().unwrap();
                let parts =
                    parts.iter().map(|part| (bytes(&part["value"]), part["len"].as_u64().unwrap()));
                let found = s3::combined(checksum(&record), parts).unwrap();
                assert_eq!(Base64::encode_string(&found), record.text("value"), "{name}");
                kinds[1] += 1;
            }
            "real_composite" => {
                let parts = record.value("part_values").as_array().unwrap();
                let parts: Vec<_> = parts.iter().map(bytes).collect();
                let found = s3::composite(checksum(&record), &parts).unwrap();
                assert_eq!(found, record.text("value"), "{name}");
                kinds[2] += 1;
            }
            "document" => {
                let text = record.value("json").to_string();
                let document = Document::parse(text.as_bytes()).unwrap();
                let sizes: Vec<_> = match record.has("part") {
                    true => document.checksums().map(|it| (it, record.number("part"))).collect(),
                    false => Vec::new(),
                };
                let data = record.message();
                for (engine, len) in engines().into_iter().zip([None, Some(data.len() as u64)]) {
                    let found = document.verify(&engine, &data[..], len, &sizes).unwrap();
                    assert_eq!(
                        format!("{:?}", found.verdict()).to_uppercase(),
                        record.text("verdict"),
                        "{name}: {found:?}"
                    );
                }
                kinds[3] += 1;
            }
            other => panic!("{name}: {other}"),
        }
    }
    assert!(kinds.iter().all(|count| *count > 0), "{kinds:?}");
}

/// The CRC of the catalogues, bit by bit: reflected, with ones before and after.
fn crc(bits: u32, polynomial: u64, data: &[u8]) -> Vec<u8> {
    let ones = u64::MAX >> (64 - bits);
    let crc = data.iter().fold(ones, |crc, byte| {
        (0..8).fold(crc ^ u64::from(*byte), |crc, _| (crc >> 1) ^ ((crc & 1) * polynomial))
    });
    (crc ^ ones).to_be_bytes()[8 - bits as usize / 8..].to_vec()
}

/// The checksum, by other implementations than the library's.
fn other(checksum: S3Checksum, data: &[u8]) -> Option<Vec<u8>> {
    Some(match checksum {
        S3Checksum::Crc32 => crc(32, 0xedb8_8320, data),
        S3Checksum::Crc32c => crc(32, 0x82f6_3b78, data),
        S3Checksum::Crc64Nvme => crc(64, 0x9a6c_9329_ac4b_c9b5, data),
        S3Checksum::Sha256 => sha2::Sha256::digest(data).to_vec(),
        S3Checksum::Sha512 => sha2::Sha512::digest(data).to_vec(),
        S3Checksum::XxHash64 => twox_hash::XxHash64::oneshot(0, data).to_be_bytes().to_vec(),
        S3Checksum::XxHash3 => twox_hash::XxHash3_64::oneshot(data).to_be_bytes().to_vec(),
        S3Checksum::XxHash128 => twox_hash::XxHash3_128::oneshot(data).to_be_bytes().to_vec(),
        _ => return None,
    })
}

/// Any cuts of a message.
fn pieces(data: &[u8], cuts: &[usize]) -> Vec<Vec<u8>> {
    let mut cuts: Vec<_> = cuts.iter().map(|cut| cut % (data.len() + 1)).collect();
    cuts.sort_unstable();
    let ends = cuts.iter().copied().chain([data.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    starts.zip(ends).map(|(start, end)| data[start..end].to_vec()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn composites_are_checksums_of_checksums(seed: u64, len in 0usize..5000, part in 1usize..2000) {
        let data = message(seed, len);
        for checksum in S3Checksum::all() {
            let Some(whole) = other(checksum, &data) else { continue };
            let engine = Engine::new();
            let found = printed(&engine, &format!("s3-{checksum}"), &data);
            prop_assert_eq!(found, Base64::encode_string(&whole));
            if !checksum.has_composite() {
                continue;
            }
            let mut parts: Vec<_> =
                data.chunks(part).map(|part| other(checksum, part).unwrap()).collect();
            if parts.is_empty() {
                parts.push(other(checksum, b"").unwrap());
            }
            let all = Base64::encode_string(&other(checksum, &parts.concat()).unwrap());
            let expected = format!("{all}-{}", parts.len());
            prop_assert_eq!(printed(&engine, &format!("s3-{checksum}:{part}"), &data), &expected[..]);
            prop_assert_eq!(s3::composite(checksum, &parts), Ok(expected));
        }
    }

    #[test]
    fn crcs_of_parts_make_that_of_the_object(
        seed: u64, len in 0usize..5000, cuts in prop::collection::vec(0usize..5000, 0..6),
    ) {
        let data = message(seed, len);
        for checksum in [S3Checksum::Crc32, S3Checksum::Crc32c, S3Checksum::Crc64Nvme] {
            let parts = pieces(&data, &cuts).into_iter();
            let parts = parts.map(|part| (other(checksum, &part).unwrap(), part.len() as u64));
            let found = s3::combined(checksum, parts).unwrap();
            prop_assert_eq!(found.to_vec(), other(checksum, &data).unwrap());
        }
    }

    #[test]
    fn documents_with_parts_of_any_size_are_compared(
        seed: u64, len in 0usize..3000, cuts in prop::collection::vec(0usize..3000, 0..6), flip: usize,
    ) {
        let data = message(seed, len);
        let parts = pieces(&data, &cuts);
        let digests: Vec<_> =
            parts.iter().map(|part| sha2::Sha512::digest(part).to_vec()).collect();
        let listed: Vec<_> = parts.iter().zip(&digests).enumerate().map(|(at, (part, digest))| json!({
            "PartNumber": 2 * at + 1, "Size": part.len(),
            "ChecksumSHA512": Base64::encode_string(digest),
        })).collect();
        let value = s3::composite(S3Checksum::Sha512, &digests).unwrap();
        let (value, _) = value.split_once('-').unwrap();
        let document = json!({
            "ObjectSize": len,
            "Checksum": { "ChecksumSHA512": value, "ChecksumType": "COMPOSITE" },
            "ObjectParts": { "TotalPartsCount": parts.len(), "Parts": listed },
        });
        let document = Document::parse(document.to_string().as_bytes()).unwrap();
        let verdict = |data: &[u8]| {
            document.verify(&Engine::new(), data, None, &[]).unwrap().verdict()
        };
        prop_assert_eq!(verdict(&data), Verdict::Ok);
        let mut wrong = data.clone();
        if len > 0 {
            wrong[flip % len] ^= 1;
            prop_assert_eq!(verdict(&wrong), Verdict::Failed);
        }
        wrong.push(0);
        prop_assert_eq!(verdict(&wrong), Verdict::Failed);
    }

    #[test]
    fn no_text_panics(parts in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "[", "]", ":", ",", "\"ChecksumCRC32\"", "\"ChecksumType\"", "\"COMPOSITE\"", "\"Checksum\"",
        "\"ObjectParts\"", "\"Parts\"", "\"AAAAAA==-2\"", "\"AAAAAA==\"", "0", "1", "null", "\"ContentLength\"",
        "18446744073709551615", "\"Size\"", "\"PartNumber\"", "\"TotalPartsCount\"", "\u{e9}",
    ]), 0..24)) {
        if let Ok(document) = Document::parse(parts.concat().as_bytes()) {
            document.verify(&Engine::new(), &b"abc"[..], None, &[]).unwrap();
        }
    }
}

#[test]
fn parts_of_many_files_share_the_lanes() {
    let part = 64 << 10;
    let lens = [0, 1, part - 1, part, part + 1, 2 * part, 3 * part + 7, 16 * part, 16 * part + 1];
    let lens: Vec<usize> = lens.into_iter().cycle().take(50).collect();
    let scratch = tempfile::tempdir().unwrap();
    let paths: Vec<_> = (0..=lens.len()).map(|at| scratch.path().join(at.to_string())).collect();
    for (path, len) in paths.iter().zip(&lens) {
        std::fs::write(path, message(*len as u64, *len)).unwrap();
    }
    let engine = Engine::new();
    let maps =
        Engine::new().mmap(jlanes_files::MapPolicy::Always).threads(std::num::NonZero::new(1));
    for name in ["s3-sha1", "s3-sha256", "s3-sha512", "s3-md5", "etag"] {
        let computation: Computation = format!("{name}:{part}").parse().unwrap();
        for engine in [&engine, &maps] {
            let mut found = Vec::new();
            let inputs = paths.iter().map(|path| Input::from(path.clone()));
            let each = |hashed: FileResult| {
                found.push((hashed.len, hashed.digests.map(|mut digests| digests.remove(0))));
                Ok(())
            };
            engine.digests([computation.clone()], inputs.collect::<Vec<_>>(), each).unwrap();
            // the last one does not exist
            assert_eq!(found.pop().unwrap().1.unwrap_err().kind(), std::io::ErrorKind::NotFound);
            for (len, (read, digest)) in lens.iter().zip(found) {
                let mut alone = computation.hasher(engine.backend(), false);
                alone.update(&message(*len as u64, *len));
                assert_eq!(digest.unwrap(), alone.finish().unwrap(), "{computation}: {len}");
                assert_eq!(read, *len as u64);
            }
        }
    }
}

#[test]
fn lengths_of_parts_have_no_limit() {
    // x^(8n) has the order of the polynomial: moving in two steps is moving by the sum
    for checksum in [S3Checksum::Crc32, S3Checksum::Crc32c, S3Checksum::Crc64Nvme] {
        let size = checksum.output_size();
        let (first, none) = (message(1, size), vec![0; size]);
        for (a, b) in [(1 << 46, 1 << 46), (5 << 30, 48 << 40), (1 << 62, (1 << 62) - 1), (0, 1)] {
            let moved = |steps: &[u64]| {
                let steps = steps.iter().map(|step| (none.clone(), *step));
                s3::combined(checksum, [(first.clone(), 7)].into_iter().chain(steps)).unwrap()
            };
            assert_eq!(moved(&[a, b]), moved(&[a + b]), "{checksum}: {a} + {b}");
        }
    }
}

#[test]
fn checksums_that_cannot_be_made_of_parts_are_typed_errors() {
    let parts = |len: usize| [vec![0; len]];
    for checksum in S3Checksum::all() {
        let size = checksum.output_size();
        let wrong = PartsError::Length { checksum, found: size + 1 };
        let combined = |len: usize| s3::combined(checksum, parts(len).map(|part| (part, 1)));
        match matches!(checksum.name(), "crc32" | "crc32c" | "crc64nvme") {
            true => assert_eq!(combined(size + 1), Err(wrong)),
            false => assert_eq!(combined(size), Err(PartsError::NotCombinable(checksum))),
        }
        let none: [Vec<u8>; 0] = [];
        assert_eq!(s3::composite(checksum, &none), Err(PartsError::NoParts));
        match checksum.has_composite() {
            true => assert_eq!(s3::composite(checksum, &parts(size + 1)), Err(wrong)),
            false => {
                let error = PartsError::NoComposite(checksum);
                assert_eq!(s3::composite(checksum, &parts(size)), Err(error));
            }
        }
        let kind = format!("s3-{checksum}").parse::<jlanes::Algorithm>().unwrap().kind();
        assert_eq!(kind, Kind::S3 { checksum, part: None });
    }
}

#[test]
fn part_sizes_are_guessed_from_the_length_and_the_number() {
    let mib = 1 << 20;
    for (len, part, expected) in [
        (16 * mib + 1, 8 * mib, Verdict::Ok),
        (16 * mib, 15 * mib, Verdict::Ok),
        (9 * mib, 5 * mib, Verdict::Ok),
        // no size that tools choose
        (16 * mib, 15 * mib + 1, Verdict::Unknown),
    ] {
        let data = message(9, len);
        let digests: Vec<_> =
            data.chunks(part).map(|part| sha2::Sha256::digest(part).to_vec()).collect();
        let value = s3::composite(S3Checksum::Sha256, &digests).unwrap();
        let document = json!({ "ChecksumSHA256": value, "ContentLength": len }).to_string();
        let document = Document::parse(document.as_bytes()).unwrap();
        let verify = |sizes: &[(S3Checksum, usize)]| {
            document.verify(&Engine::new(), &data[..], None, sizes).unwrap()
        };
        let found = verify(&[]);
        assert_eq!(found.verdict(), expected, "{len} in {part}");
        if expected == Verdict::Ok {
            assert_eq!(found.checked[0].algorithm.to_string(), format!("s3-sha256:{part}"));
            assert_eq!(found.checked[0].found.as_ref(), Some(&value));
        }
        assert_eq!(verify(&[(S3Checksum::Sha256, part)]).verdict(), Verdict::Ok);
        assert_eq!(verify(&[(S3Checksum::Sha256, part - 1)]).verdict(), Verdict::Failed);
    }
}
