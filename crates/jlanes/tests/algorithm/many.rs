//! Tests of `AnyLanes`: many messages under algorithms that are chosen at run time.

use std::io::{self, ErrorKind, Read};

use jlanes::{
    Algorithm, Backend, Sha1, Sha256, Sha384,
    algorithm::Key,
    digest::Output,
    multi::{Lanes, Messages, MultiDigest, TweakedChains},
    skein::Skein512,
};
use jlanes_testing::{backends, message};

#[test]
fn readers_have_the_digests_of_what_they_read() {
    struct Slow<'a>(&'a [u8], usize);
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.1 += 1;
            match self.1 % 5 {
                0 => Err(ErrorKind::Interrupted.into()),
                1 => Err(ErrorKind::WouldBlock.into()),
                _ if self.0.is_empty() && self.1 > 1_000_000 => Err(ErrorKind::TimedOut.into()),
                _ => {
                    let len = buffer.len().min(777);
                    self.0.read(&mut buffer[..len])
                }
            }
        }
    }
    let messages: Vec<_> = (0..60).map(|i| message(i, 1500 * i as usize % 40_009)).collect();
    for name in ["sha1", "sha512", "skein512-136", "jlanes2-sha256", "glacier"] {
        for backend in backends::<Backend>() {
            let algorithm: Algorithm = name.parse().unwrap();
            let lanes = algorithm.lanes().unwrap().on(backend).prefix(b"leaf:");
            // the last one fails
            let readers = messages.iter().map(|m| Slow(m, 0)).chain([Slow(b"", 1_000_000)]);
            let mut digests = vec![None; messages.len() + 1];
            lanes.digest_readers(readers.map(|reader| Box::new(reader) as _), |i, digest| {
                let digest = digest.map(<[u8]>::to_vec).map_err(|error| error.kind());
                assert_eq!(digests[i].replace(digest), None, "{name}: twice");
            });
            assert_eq!(digests.pop().unwrap(), Some(Err(ErrorKind::TimedOut)));
            for (message, digest) in messages.iter().zip(digests) {
                let mut hasher = algorithm.hasher_on(Backend::portable()).unwrap();
                hasher.update(b"leaf:");
                hasher.update(message);
                assert_eq!(digest.unwrap().unwrap(), *hasher.finalize(), "{name} on {backend}");
            }
        }
    }
}

/// Algorithms without a type that has lanes: lengths of output that are unusual, XOFs, trees.
const OTHERS: [&str; 13] = [
    "blake2b-8",
    "blake2b-160",
    "blake2s-128",
    "blake3",
    "blake3-80",
    "blake3-4000",
    "shake128-256",
    "shake256-4000",
    "kt128",
    "kt256-80",
    "skein512-160",
    "skein1024-2048",
    "jlanes3-sha256",
];

#[test]
fn many_messages_have_their_own_digests() {
    let texts: Vec<_> = (0..150).map(|i| message(i, 977 * i as usize % 1201)).collect();
    let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    for name in OTHERS {
        let algorithm: Algorithm = name.parse().unwrap();
        for prefix in [&b""[..], b"prefix"] {
            let expected: Vec<_> = texts
                .iter()
                .flat_map(|text| {
                    let mut hasher = algorithm.hasher_on(Backend::portable()).unwrap();
                    hasher.update(prefix);
                    hasher.update(text);
                    hasher.finalize()
                })
                .collect();
            for backend in backends::<Backend>() {
                let lanes = algorithm.lanes().unwrap().on(backend).prefix(prefix);
                let mut digests = vec![0; expected.len()];
                lanes.digest(Messages::slices(&texts), &mut digests);
                assert!(digests == expected, "{name} on {backend}");
                #[cfg(feature = "rayon")]
                {
                    digests.fill(0);
                    // on a thread of the pool, where less work is split
                    rayon::scope(|_| {
                        lanes.parallel().digest(Messages::slices(&texts), &mut digests);
                    });
                    assert!(digests == expected, "{name} on {backend}, parallel");
                }
            }
        }
    }
}

/// PBKDF2 written out, by HMAC on one message at a time.
#[test]
fn keys_are_derived_with_outputs_of_any_length() {
    for name in ["skein256-160", "skein512-512"] {
        let algorithm: Algorithm = name.parse().unwrap();
        let (lanes, size) = (algorithm.lanes().unwrap(), algorithm.output_size());
        let hmac = |password: &[u8], text: &[u8]| {
            let mut tag = vec![0; size];
            lanes.hmac(password, Messages::slices(&[text]), &mut tag).unwrap();
            tag
        };
        let (passwords, salts) = ([&b"one"[..], b"", &[7; 200]], [&b"salt"[..], b"pepper", b""]);
        let width = size + 3;
        let mut keys = vec![0; 3 * width];
        let [all_passwords, all_salts] = [&passwords, &salts].map(|all| Messages::slices(all));
        lanes.pbkdf2(all_passwords, all_salts, 3, width, &mut keys).unwrap();
        for ((password, salt), key) in passwords.iter().zip(salts).zip(keys.chunks(width)) {
            for (number, part) in (1u32..).zip(key.chunks(size)) {
                let first = hmac(password, &[salt, &number.to_be_bytes()].concat());
                let second = hmac(password, &first);
                let third = hmac(password, &second);
                let sum = (0..size).map(|i| first[i] ^ second[i] ^ third[i]);
                assert!(sum.zip(part).all(|(sum, byte)| sum == *byte), "{name}, part {number}");
            }
        }
    }
}

#[test]
fn blake2_has_a_key_of_its_own() {
    let texts: Vec<_> = (0..100).map(|i| message(i, 13 * i as usize)).collect();
    let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    for (name, longest) in
        [("blake2b", 64), ("blake2b-200", 64), ("blake2s", 32), ("blake2s-8", 32)]
    {
        let algorithm: Algorithm = name.parse().unwrap();
        let size = algorithm.output_size();
        for key_len in [1, longest] {
            let key = message(5, key_len);
            let hash = algorithm.with(Key::Own(key.clone())).unwrap();
            for backend in backends::<Backend>() {
                let lanes = hash.lanes().unwrap().on(backend).prefix(b"prefix");
                let mut tags = vec![0; size * texts.len()];
                lanes.digest(Messages::slices(&texts), &mut tags);
                for (text, tag) in texts.iter().zip(tags.chunks(size)) {
                    let mut hasher = hash.hasher_on(Backend::portable()).unwrap();
                    hasher.update(b"prefix");
                    hasher.update(text);
                    assert_eq!(tag, &*hasher.finalize(), "{name} on {backend}");
                }
                lanes.digest_readers([Box::new(texts[9]) as _].into_iter(), |_, tag| {
                    let mut hasher = hash.hasher_on(Backend::portable()).unwrap();
                    hasher.update(b"prefix");
                    hasher.update(texts[9]);
                    assert_eq!(tag.unwrap(), &*hasher.finalize(), "{name} on {backend}");
                });
                assert!(lanes.hmac(&key, Messages::slices(&texts), &mut tags).is_err());
            }
        }
        assert!(algorithm.with(Key::Own(Vec::new())).is_err());
        let error = algorithm.with(Key::Own(vec![0; longest + 1])).unwrap_err().to_string();
        let expected = format!("a key of 1 to {longest} bytes, not of {}", longest + 1);
        assert!(error.ends_with(&expected), "{error}");
    }
    let error = Algorithm::SHA256.with(Key::Own(b"key".to_vec())).unwrap_err();
    assert_eq!(error.to_string(), "sha256 has no keyed mode");
}

/// The rows of the table in the documentation of `AnyLanes`, and the jobs that this test does.
const JOBS: [&str; 13] = [
    "digest",
    "digests",
    "nodes",
    "pairs",
    "double",
    "chains",
    "tweaked_chains",
    "hmac",
    "hmac_keyed",
    "hmac_mismatches",
    "pbkdf2",
    "scheduler",
    "xofs",
];

#[test]
fn the_run_time_handle_has_every_job_of_the_typed_one() {
    fn agree<H: MultiDigest<Backend = Backend>>(name: &str) {
        let texts: Vec<_> = (0..40).map(|i| message(i, 977 * i as usize % 301)).collect();
        let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
        let (all, size) = (Messages::slices(&texts), Output::<H>::default().len());
        let flat = |out: &[Output<H>]| out.concat();
        for backend in backends::<Backend>() {
            let typed = Lanes::<H>::new().on(backend).prefix(b"prefix");
            let any = name.parse::<Algorithm>().unwrap().lanes().unwrap();
            let any = any.on(backend).prefix(b"prefix");
            let (mut expected, mut out) = (vec![Output::<H>::default(); 40], vec![0; 40 * size]);
            for job in JOBS {
                match job {
                    "digest" => {
                        typed.digest(&texts, &mut expected);
                        any.digest(all, &mut out);
                    }
                    "digests" => {
                        expected = typed.digests(&texts);
                        out = any.digests(all);
                    }
                    "nodes" => {
                        let records = message(3, 40 * 64);
                        typed.nodes(&records, 64, &mut expected);
                        any.nodes(&records, 64, &mut out);
                        typed.nodes(&[], 0, &mut expected[..2]);
                        any.nodes(&[], 0, &mut out[..2 * size]);
                    }
                    "pairs" => {
                        let right: Vec<&[u8]> = texts.iter().rev().copied().collect();
                        typed.pairs(&texts, &right, &mut expected);
                        any.pairs(all, Messages::slices(&right), &mut out);
                    }
                    "double" => {
                        typed.double(&texts, &mut expected);
                        any.double(all, &mut out);
                    }
                    "chains" => {
                        typed.chains(&mut expected, 5);
                        any.chains(&mut out, 5);
                    }
                    "tweaked_chains" => {
                        let chains = TweakedChains {
                            steps: &|chain| chain as u64 % 3..chain as u64 % 7,
                            size: 9,
                            tweak: &|chain, step, tweak| tweak.fill(chain as u8 ^ step as u8),
                        };
                        typed.tweaked_chains(&chains, &mut expected);
                        let mut values: Vec<_> = out.chunks_mut(size).collect();
                        any.tweaked_chains(&chains, &mut values);
                    }
                    "hmac" => {
                        typed.hmac(b"key", &texts, &mut expected);
                        any.hmac(b"key", all, &mut out).unwrap();
                    }
                    "hmac_keyed" => {
                        typed.hmac_keyed(&texts, &texts, &mut expected);
                        any.hmac_keyed(all, all, &mut out).unwrap();
                    }
                    "hmac_mismatches" => {
                        any.hmac(b"key", all, &mut out).unwrap();
                        out[3 * size] ^= 1;
                        out[9 * size - 1] ^= 0x80;
                        for (tag, bytes) in expected.iter_mut().zip(out.chunks(size)) {
                            tag.copy_from_slice(bytes);
                        }
                        assert_eq!(typed.hmac_mismatches(b"key", &texts, &expected), [3, 8]);
                        assert_eq!(any.hmac_mismatches(b"key", all, &out).unwrap(), [3, 8]);
                    }
                    "pbkdf2" => {
                        let mut outs: Vec<&mut [u8]> =
                            expected.iter_mut().map(|key| &mut key[..]).collect();
                        typed.pbkdf2(&texts, &texts, 2, &mut outs);
                        any.pbkdf2(all, all, 2, size, &mut out).unwrap();
                    }
                    "scheduler" => {
                        typed.digest(&texts, &mut expected);
                        out.fill(0);
                        let mut scheduler = any.scheduler();
                        texts.iter().enumerate().for_each(|(i, text)| scheduler.submit((i, *text)));
                        while !scheduler.is_empty() {
                            for (i, digest) in scheduler.step() {
                                out[i * size..][..size].copy_from_slice(&digest.unwrap());
                            }
                        }
                    }
                    // these hashes have none; the tests of SHAKE and BLAKE3 compare theirs
                    "xofs" => assert!(any.xofs(all).is_err()),
                    _ => unreachable!("{job}"),
                }
                assert!(out == flat(&expected), "{job} of {name} on {backend}");
            }
        }
    }
    agree::<Sha1>("sha1");
    agree::<Sha256>("sha256");
    agree::<Sha384>("sha384");
    agree::<Skein512>("skein512");
}

#[test]
fn the_table_of_jobs_is_what_the_test_does() {
    let source = include_str!("../../src/algorithm/lanes.rs");
    let rows = source.lines().filter_map(|line| line.strip_prefix("/// | `"));
    let rows = rows.filter_map(|row| row.split_once("| [`")?.1.split('`').next());
    assert!(rows.eq(JOBS));
}

/// Algorithms with messages that do not share lanes have these jobs too.
#[test]
fn pairs_double_digests_and_chains_of_other_algorithms() {
    let texts: Vec<_> = (0..9).map(|i| message(i, 97 * i as usize)).collect();
    let texts: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    let all = Messages::slices(&texts);
    for name in OTHERS {
        let algorithm: Algorithm = name.parse().unwrap();
        let digest = |parts: &[&[u8]]| {
            let mut hasher = algorithm.hasher_on(Backend::portable()).unwrap();
            parts.iter().for_each(|part| hasher.update(part));
            hasher.finalize()
        };
        let lanes = algorithm.lanes().unwrap().prefix(b"prefix");
        let mut out = vec![0; texts.len() * algorithm.output_size()];
        lanes.pairs(all, all, &mut out);
        let pair = |text: &&[u8]| digest(&[b"prefix", text, text]);
        assert_eq!(out, texts.iter().flat_map(pair).collect::<Vec<_>>(), "{name}");
        lanes.double(all, &mut out);
        let double = |text: &&[u8]| digest(&[&digest(&[b"prefix", text])]);
        let doubled: Vec<_> = texts.iter().flat_map(double).collect();
        assert_eq!(out, doubled, "{name}");
        lanes.chains(&mut out, 2);
        let step = |d: &[u8]| digest(&[b"prefix", &digest(&[b"prefix", d])]);
        let chained = doubled.chunks(algorithm.output_size()).flat_map(step);
        assert_eq!(out, chained.collect::<Vec<_>>(), "{name}");
    }
}

/// Digests of any length are on lanes in every job, and those of messages one by one.
#[test]
fn lengths_without_a_type() {
    let lengths = |longest: usize| [1, 2, 7, 8, 20, 31, longest / 2, longest - 1, longest];
    let blake2b = lengths(64).map(|n| format!("blake2b-{}", 8 * n));
    let blake2s = lengths(32).map(|n| format!("blake2s-{}", 8 * n));
    let skein = lengths(64).map(|n| format!("skein512-{}", 8 * n));
    let long = [65, 100, 129, 300].into_iter();
    let long = long.flat_map(|n| [256, 512, 1024].map(|state| format!("skein{state}-{}", 8 * n)));
    let text = message(9, 600);
    for name in blake2b.into_iter().chain(blake2s).chain(skein).chain(long) {
        let algorithm: Algorithm = name.parse().unwrap();
        let size = algorithm.output_size();
        for alike in [true, false] {
            let len = |i: usize| if alike { 100 } else { i * i * 61 % 290 };
            let texts: Vec<&[u8]> = (0..19).map(|i| &text[i..][..len(i)]).collect();
            let messages = Messages::slices(&texts);
            let digest = |text: &[u8]| {
                let mut hasher = algorithm.hasher_on(Backend::portable()).unwrap();
                hasher.update(text);
                hasher.finalize()
            };
            let tag = |key: &[u8], text: &[u8]| {
                let hmac = algorithm.with(Key::Hmac(key.to_vec())).unwrap();
                let mut hasher = hmac.hasher_on(Backend::portable()).unwrap();
                hasher.update(text);
                hasher.finalize()
            };
            for backend in backends::<Backend>() {
                let lanes = algorithm.lanes().unwrap().on(backend);
                let mut out = vec![0; 19 * size];
                let check = |out: &[u8], expected: &dyn Fn(&[u8]) -> Box<[u8]>, job: &str| {
                    let mut pairs = out.chunks(size).zip(&texts);
                    assert!(pairs.all(|(own, text)| *own == *expected(text)), "{name}: {job}");
                };
                lanes.digest(messages, &mut out);
                check(&out, &|text| digest(text), "digests");
                lanes.chains(&mut out, 2);
                check(&out, &|text| digest(&digest(&digest(text))), "chains");
                lanes.double(messages, &mut out);
                check(&out, &|text| digest(&digest(text)), "double digests");
                lanes.hmac(b"key", messages, &mut out).unwrap();
                check(&out, &|text| tag(b"key", text), "tags");
                lanes.hmac_keyed(messages, messages, &mut out).unwrap();
                check(&out, &|text| tag(text, text), "tags under a key each");
                lanes.pbkdf2(messages, messages, 2, size, &mut out).unwrap();
                let key = |text: &[u8]| {
                    let first = tag(text, &[text, &[0, 0, 0, 1]].concat());
                    let second = tag(text, &first);
                    first.iter().zip(&second).map(|(one, other)| one ^ other).collect()
                };
                check(&out, &key, "keys");
            }
        }
    }
}

/// On threads, the length of the digests alone would decide how many messages are hashed.
#[test]
#[should_panic(expected = "as many digests as messages")]
fn threads_refuse_too_few_digests() {
    let lanes = Algorithm::SHA256.lanes().unwrap();
    let texts = [&b"a"[..], b"b", b"c"];
    #[cfg(feature = "rayon")]
    let lanes = lanes.parallel();
    lanes.digest(Messages::slices(&texts), &mut [0; 64]);
}
