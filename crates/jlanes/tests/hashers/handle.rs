//! Tests of `Lanes`: the effect of its settings on every job, and its jobs without a shortcut.

use hmac::{Hmac, KeyInit, Mac};
use jlanes::{
    Algorithm, Backend, Digest, Sha256,
    digest::Output,
    multi::{Lanes, LayoutError, Messages, MultiDigest},
};
use jlanes_testing::{backends, message};

use crate::{chains::COUNTS, table::Hasher};

for_every_hasher!(prefixes_reach_every_job, chains_of_unequal_lengths, parallel_agrees,);

fn tag<H: Hasher>(key: &[u8], text: &[u8]) -> Output<H> {
    let mac = Hmac::<H::Peer>::new_from_slice(key).expect("keys of any length");
    let mut tag = Output::<H>::default();
    tag.copy_from_slice(mac.chain_update(text).finalize().as_bytes());
    tag
}

fn texts(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| message(i as u64, i * 53 % 400)).collect()
}

fn prefixes_reach_every_job<H: Hasher>() {
    let block = H::block_size();
    for len in [0, 1, block - 1, block, block + 1, 2 * block, 300] {
        let prefix = message(99, len);
        let whole = |text: &[u8]| [&prefix[..], text].concat();
        let texts = texts(19);
        for backend in backends::<Backend>() {
            let lanes = Lanes::<H>::new().on(backend).prefix(&prefix);
            let mut out = vec![Output::<H>::default(); texts.len()];

            lanes.digest(&texts, &mut out);
            let agree = |(text, out): (&Vec<u8>, &Output<H>)| *out == H::Peer::digest(whole(text));
            assert!(texts.iter().zip(&out).all(agree), "{backend}: digests, {len} bytes");

            lanes.hmac(b"key", &texts, &mut out);
            let agree =
                |(text, out): (&Vec<u8>, &Output<H>)| *out == tag::<H>(b"key", &whole(text));
            assert!(texts.iter().zip(&out).all(agree), "{backend}: tags, {len} bytes");

            lanes.hmac_keyed(&[b"another key"; 19], &texts, &mut out);
            let another = |(text, out): (&Vec<u8>, &Output<H>)| {
                *out == tag::<H>(b"another key", &whole(text))
            };
            assert!(texts.iter().zip(&out).all(another), "{backend}: keyed tags, {len} bytes");

            lanes.double(&texts, &mut out);
            let twice = |(text, out): (&Vec<u8>, &Output<H>)| {
                *out == H::Peer::digest(H::Peer::digest(whole(text)))
            };
            assert!(texts.iter().zip(&out).all(twice), "{backend}: double digests, {len} bytes");

            lanes.pairs(&texts, &texts, &mut out);
            let pair = |(text, out): (&Vec<u8>, &Output<H>)| {
                *out == H::Peer::digest([&whole(text)[..], text].concat())
            };
            assert!(texts.iter().zip(&out).all(pair), "{backend}: pairs, {len} bytes");

            let nodes = message(5, 19 * 48);
            lanes.nodes(&nodes, 48, &mut out);
            let node = |(node, out): (&[u8], &Output<H>)| *out == H::Peer::digest(whole(node));
            assert!(nodes.chunks(48).zip(&out).all(node), "{backend}: nodes, {len} bytes");

            let mut key = [0; 50];
            lanes.pbkdf2(&[b"password"], &[b"salt"], 3, &mut [&mut key]);
            let mut expected = [0; 50];
            pbkdf2::pbkdf2_hmac::<H::Peer>(b"password", &whole(b"salt"), 3, &mut expected);
            assert_eq!(key, expected, "{backend}: a derived key, {len} bytes");
        }
    }
}

fn chains_of_unequal_lengths<H: Hasher>() {
    for count in COUNTS {
        let first: Vec<Output<H>> = (0..count).map(|i| H::Peer::digest([i as u8])).collect();
        let steps: Vec<u64> = (0..count as u64).map(|i| i * 7 % 16).collect();
        let mut digests = first.clone();
        Lanes::<H>::new().prefix(b"step").chains_of(&mut digests, &steps);
        for (i, digest) in digests.into_iter().enumerate() {
            let step = |digest: Output<H>, _| H::Peer::digest([b"step", &digest[..]].concat());
            assert_eq!(digest, (0..steps[i]).fold(first[i].clone(), step), "chain {i} of {count}");
        }
    }
}

/// With enough work for several parts on a thread of the pool.
fn parallel_agrees<H: Hasher>() {
    #[cfg(feature = "rayon")]
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("two threads");
    #[cfg(feature = "rayon")]
    pool.install(|| {
        let texts: Vec<Vec<u8>> = (0..700).map(|i| message(i as u64, 300 + i * i % 900)).collect();
        let (one, all) = (Lanes::<H>::new(), Lanes::<H>::new().parallel());
        let outs = || vec![Output::<H>::default(); texts.len()];
        let (mut left, mut right) = (outs(), outs());
        one.digest(&texts, &mut left);
        all.digest(&texts, &mut right);
        assert_eq!(left, right, "digests");
        one.hmac(b"key", &texts, &mut left);
        all.hmac(b"key", &texts, &mut right);
        assert_eq!(left, right, "tags");
        let keys: Vec<&[u8]> = texts.iter().map(|text| &text[..40]).collect();
        one.hmac_keyed(&keys, &texts, &mut left);
        all.hmac_keyed(&keys, &texts, &mut right);
        assert_eq!(left, right, "keyed tags");
        one.pairs(&texts, &texts, &mut left);
        all.pairs(&texts, &texts, &mut right);
        assert_eq!(left, right, "pairs");
        one.double(&texts, &mut left);
        all.double(&texts, &mut right);
        assert_eq!(left, right, "double digests");
        let nodes = message(3, 700 * 400);
        one.nodes(&nodes, 400, &mut left);
        all.nodes(&nodes, 400, &mut right);
        assert_eq!(left, right, "nodes");
        one.chains(&mut left, 40);
        all.chains(&mut right, 40);
        assert_eq!(left, right, "chains");
        let derive = |lanes: Lanes<'_, H>| {
            let mut keys = vec![[0; 70]; 40];
            let mut outs: Vec<&mut [u8]> = keys.iter_mut().map(|key| &mut key[..]).collect();
            lanes.pbkdf2(&[b"password"; 40], &[b"salt"; 40], 100, &mut outs);
            keys
        };
        assert_eq!(derive(one), derive(all), "derived keys");
    });
}

#[test]
fn wrong_tags_are_found() {
    let texts = texts(40);
    let lanes = Lanes::<Sha256>::new();
    let mut tags = vec![Default::default(); 40];
    lanes.hmac(b"key", &texts, &mut tags);
    assert!(lanes.hmac_mismatches(b"key", &texts, &tags).is_empty());
    tags[39][31] ^= 1;
    tags[3][0] ^= 0x80;
    assert_eq!(lanes.hmac_mismatches(b"key", &texts, &tags), [3, 39]);
    assert_eq!(lanes.hmac_mismatches(b"other", &texts, &tags).len(), 40);
}

/// Every algorithm's lanes agree with its hasher, in every layout.
#[test]
fn lanes_by_name_agree_with_hashers() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = message(1, 4000);
    let offsets: Vec<i32> = (0..41).map(|i| i * i * 4000 / 1600).collect();
    let large: Vec<i64> = offsets.iter().map(|offset| i64::from(*offset)).collect();
    let slices: Vec<&[u8]> =
        offsets.windows(2).map(|pair| &bytes[pair[0] as usize..pair[1] as usize]).collect();
    let records: Vec<&[u8]> = bytes.chunks(100).collect();
    let layouts = [
        (Messages::slices(&slices), &slices[..]),
        (Messages::offsets(&bytes, &offsets)?, &slices),
        (Messages::large_offsets(&bytes, &large)?, &slices),
        (Messages::records(&bytes, 100)?, &records),
        (Messages::slices(&[]), &[]),
    ];
    for name in [
        "sha1",
        "sha256",
        "sha512-224",
        "skein256",
        "skein512-256",
        "skein512-40",
        "jlanes8-sha256",
    ] {
        let algorithm: Algorithm = name.parse()?;
        for backend in [Backend::detect(), Backend::portable()] {
            let lanes = algorithm.lanes()?.on(backend).prefix(b"prefix");
            for (messages, slices) in layouts {
                assert_eq!(messages.len(), slices.len());
                let mut out = vec![0; slices.len() * lanes.output_size()];
                lanes.digest(messages, &mut out);
                for (i, digest) in out.chunks(lanes.output_size()).enumerate() {
                    let mut hasher = algorithm.hasher()?;
                    hasher.update(b"prefix");
                    hasher.update(slices[i]);
                    assert_eq!(digest, &*hasher.finalize(), "{name}, message {i}");
                }
            }
        }
    }
    assert!("jpointers-sha256".parse::<Algorithm>()?.lanes().is_err());
    Ok(())
}

#[test]
fn keyed_jobs_by_name_agree_with_those_by_type() -> Result<(), Box<dyn std::error::Error>> {
    let texts = texts(20);
    let slices: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    let messages = Messages::slices(&slices);
    let lanes = "sha256".parse::<Algorithm>()?.lanes()?;
    let typed = Lanes::<Sha256>::new();
    let mut expected = vec![Output::<Sha256>::default(); 20];
    let mut out = vec![0; 20 * 32];

    lanes.hmac(b"key", messages, &mut out)?;
    typed.hmac(b"key", &texts, &mut expected);
    assert_eq!(out, expected.concat());
    lanes.hmac_keyed(messages, messages, &mut out)?;
    typed.hmac_keyed(&slices, &texts, &mut expected);
    assert_eq!(out, expected.concat());
    lanes.pbkdf2(messages, messages, 5, 32, &mut out)?;
    let mut outs: Vec<&mut [u8]> = expected.iter_mut().map(|out| &mut out[..]).collect();
    typed.pbkdf2(&slices, &slices, 5, &mut outs);
    assert_eq!(out, expected.concat());
    lanes.pbkdf2(messages, messages, 5, 0, &mut [])?;

    let tree = "mh-sha256".parse::<Algorithm>()?.lanes()?;
    assert!(tree.hmac(b"key", messages, &mut out).is_err());
    assert!(tree.pbkdf2(messages, messages, 1, 32, &mut out).is_err());
    Ok(())
}

/// Code as a user of the facade alone writes it: a batch, tags and a scheduler, over any hash.
#[test]
fn generic_callers_need_one_bound() {
    fn all<H: MultiDigest>(lanes: Lanes<'_, H>, texts: &[Vec<u8>]) -> [Vec<Output<H>>; 3] {
        let mut tags = vec![Output::<H>::default(); texts.len()];
        lanes.hmac(b"key", texts, &mut tags);
        let mut scheduler = lanes.scheduler();
        texts.iter().enumerate().for_each(|text| scheduler.submit((text.0, &text.1[..])));
        let mut streamed: Vec<_> = scheduler.drain().collect();
        streamed.sort_by_key(|(i, _)| *i);
        let streamed = streamed.into_iter().map(|(_, Ok(digest))| digest).collect();
        [lanes.digests(texts), streamed, tags]
    }
    let texts = texts(50);
    let lanes = Lanes::<Sha256>::new();
    let prefixes = [5, 64, 100, 128].map(|len| lanes.prefix(&[7; 128][..len]));
    for lanes in [lanes, lanes.on(Backend::portable())].into_iter().chain(prefixes) {
        let [digests, streamed, tags] = all(lanes, &texts);
        assert_eq!(digests, streamed);
        assert!(lanes.hmac_mismatches(b"key", &texts, &tags).is_empty());
    }
}

#[test]
fn offsets_that_do_not_rise_within_the_bytes_are_errors() {
    let bytes = b"abcdef";
    for offsets in [&[0, 7][..], &[-1, 2], &[3, 2], &[0, 4, 3, 6], &[7]] {
        assert_eq!(Messages::offsets(bytes, offsets).err(), Some(LayoutError::Offsets));
        let large: Vec<i64> = offsets.iter().map(|x| i64::from(*x)).collect();
        assert_eq!(Messages::large_offsets(bytes, &large).err(), Some(LayoutError::Offsets));
    }
    assert!(Messages::large_offsets(bytes, &[0, i64::MAX]).is_err());
    for (offsets, count) in [(&[][..], 0), (&[6], 0), (&[2, 2], 1), (&[0, 0, 6, 6], 3)] {
        let messages = Messages::offsets(bytes, offsets).map(|x| (x.len(), x.is_empty()));
        assert_eq!(messages, Ok((count, count == 0)));
    }
}

#[test]
fn records_are_whole() {
    assert_eq!(Messages::records(b"abc", 2).err(), Some(LayoutError::Records));
    assert_eq!(Messages::records(b"", 0).err(), Some(LayoutError::Records));
    assert_eq!(Messages::records(b"", 4).map(|x| x.len()), Ok(0));
}
