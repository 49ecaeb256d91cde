//! j-pointers.

use std::task::{Context, Poll};

use jlanes::{
    Backend, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_256,
    multi::{MultiDigest, ReadSource, Source},
    tree::{JPointers, JPointersRaw},
};
use jlanes_testing::{Record, backends, corpus, message, model::lanes as model, paint};

use crate::jlanes::with_hash;

/// The parts of a record: messages of their own, or slices of one.
fn parts(record: &Record) -> Vec<Vec<u8>> {
    let lens: Vec<usize> = record.numbers("part_lens");
    if record.has("part_seeds") {
        let seeds = record.numbers("part_seeds");
        return seeds.into_iter().zip(lens).map(|(seed, len)| message(seed, len)).collect();
    }
    let whole = record.message();
    let mut rest = &whole[..];
    lens.into_iter().map(|len| rest.split_off(..len).expect("parts add up").to_vec()).collect()
}

fn slices(messages: &[Vec<u8>]) -> Vec<&[u8]> {
    messages.iter().map(Vec::as_slice).collect()
}

fn known<H: MultiDigest<Backend = Backend>>(record: &Record, v1: bool) {
    let parts = parts(record);
    for backend in backends::<Backend>() {
        let digest = if v1 {
            let mut list = JPointers::<H>::with_backend(backend);
            list.push_all(&slices(&parts));
            list.finalize()
        } else {
            let mut list = JPointersRaw::<H>::with_backend(backend);
            list.push_all(&slices(&parts));
            list.finalize()
        };
        assert_eq!(digest[..], record.hex("digest_hex"), "{} on {backend}", record.name());
    }
}

#[test]
fn known_answers_raw() {
    for record in corpus("jpointers") {
        with_hash!(record.text("hash"), known(&record, false));
    }
}

#[test]
fn known_answers_v1() {
    for record in corpus("jpointers_v1") {
        with_hash!(record.text("hash"), known(&record, true));
    }
}

/// Messages of mixed lengths, some empty.
fn mixed(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| paint(i * i * 13 % 700, i)).collect()
}

#[test]
fn lists_match_the_model_however_they_are_pushed() {
    for count in [0, 1, 2, 16, 40] {
        let messages = mixed(count);
        let expected = model::jpointers::<sha2::Sha256>(&messages, 4, 64);
        assert_eq!(JPointers::<Sha256>::digest(&slices(&messages)), expected);
        let mut one_by_one = JPointers::<Sha256>::new();
        messages.iter().for_each(|message| one_by_one.push(message));
        assert_eq!((one_by_one.len(), one_by_one.is_empty()), (count, count == 0));
        assert_eq!(one_by_one.finalize(), expected);
        let mut streamed = JPointers::<Sha256>::new();
        let sources = messages.iter().map(|message| ReadSource((), &message[..]));
        streamed.push_sources(sources).expect("slices can be read");
        assert_eq!(streamed.finalize(), expected);
        let raw = model::jpointers_raw::<sha2::Sha256>(&messages);
        assert_eq!(JPointersRaw::<Sha256>::digest(&slices(&messages)), raw);
    }
}

/// A message that fails after some bytes.
struct Broken<'a>(&'a [u8]);

impl Source for Broken<'_> {
    type Key = ();
    type Error = &'static str;
    type Buffer = ();

    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), &'static str>> {
        Poll::Ready(if self.0.is_empty() { Err("broken") } else { Ok(()) })
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        self.0
    }

    fn consume(&mut self, (): &mut (), n: usize) {
        self.0 = &self.0[n..];
    }

    fn into_key(self) {}
}

#[test]
fn a_source_that_fails_leaves_the_list_as_it_was() {
    let mut list = JPointers::<Sha256>::new();
    list.push(b"first");
    assert_eq!(list.push_sources([Broken(&[7; 1000])]), Err("broken"));
    list.push(b"second");
    assert_eq!(list.finalize(), JPointers::<Sha256>::digest(&[b"first", b"second"]));
}

/// BLAKE2 compresses a block only when it knows whether another follows, so a leaf's prefix waits.
#[cfg(feature = "blake2")]
#[test]
fn prefixes_that_wait_for_their_messages() {
    let messages: Vec<_> = (0..40).map(|i| message(i, (i * i * 61 % 599) as usize)).collect();
    for count in [1, 5, 9, 40] {
        let messages = &messages[..count];
        let expected = model::jpointers::<blake2::Blake2b512>(messages, 8, 128);
        for backend in backends::<Backend>() {
            let mut list = JPointers::<jlanes::Blake2b512>::with_backend(backend);
            list.push_all(&slices(messages));
            assert_eq!(list.finalize(), expected, "{count} messages on {backend}");
            let mut list = JPointers::<jlanes::Blake2b512>::with_backend(backend);
            let Ok(()) = list.push_sources(messages.iter().map(|message| ((), &message[..])));
            assert_eq!(list.finalize(), expected, "{count} sources on {backend}");
        }
    }
}
