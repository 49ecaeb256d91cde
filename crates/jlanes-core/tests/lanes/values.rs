//! Hash functions as values, with every job, and chains in which every step has its own tweak.

use std::{
    cell::Cell,
    convert::Infallible,
    ops::Range,
    task::{Context, Waker},
};

use jlanes_core::{
    function::{
        AnyFunction, Batch, Ended, Function as Value, InFlight, Progress, Start, filling,
        tweaked::TweakedChains,
    },
    hash::Output,
    jobs::CompiledWord,
    lanes::outputs::Slices,
};
use jlanes_testing::{message, paint};

use crate::{Function, Md5, backend, block, edges, expected, in_flight::Never};

for_every_function!(jobs, shorter_digests, batches, chains_with_tweaks);

/// Calls a function with the value of `H`, whatever the width of its words.
macro_rules! by_value {
    ($check:ident::<$h:ident>) => {
        match Start::<$h>::new().function(backend::<$h>()) {
            AnyFunction::U32(value) => $check::<$h, u32>(&value),
            AnyFunction::U64(value) => $check::<$h, u64>(&value),
        }
    };
}

/// The digests of messages, one after the other.
fn all<H: Function>(messages: &[Vec<u8>]) -> Vec<u8> {
    messages.iter().flat_map(|message| expected::<H>(message)).collect()
}

fn jobs<H: Function>() {
    by_value!(jobs_of::<H>);
}

fn jobs_of<H: Function, W: CompiledWord>(value: &Value<W>) {
    const COUNT: usize = 23;
    let (size, text) = (value.descriptor().digest_bytes, message(80, 700));
    for prefix in edges::<H>() {
        let prefix = &message(81, prefix)[..];
        let expected_of = |one: &dyn Fn(usize) -> Vec<u8>| {
            all::<H>(&(0..COUNT).map(|i| [prefix, &one(i)].concat()).collect::<Vec<_>>())
        };
        let mut out = vec![0; COUNT * size];
        let one = |i: usize| &text[i..][..i * i * 61 % 290];
        let slices: Vec<&[u8]> = (0..COUNT).map(|i| &text[2 * i..][..i * 7]).collect();
        let pair = |i: usize| [one(i), slices[i]];
        let record = |i: usize| &text[29 * i..][..29];
        let check = |list: &Batch<'_, '_>, message: &dyn Fn(usize) -> Vec<u8>, of: &str| {
            let (mut out, digests) = (vec![0; COUNT * size], expected_of(message));
            value.digest(prefix, list, &mut out);
            assert_eq!(out, digests, "{of}");
            value.double(prefix, list, &mut out);
            let inner = digests.chunks(size).map(<[u8]>::to_vec).collect::<Vec<_>>();
            assert_eq!(out, all::<H>(&inner), "digests of digests of {of}");
        };
        let (ones, pairs) = (filling(|i| [one(i)]), filling(pair));
        check(&Batch::filled(COUNT, &ones), &|i| one(i).to_vec(), "messages");
        check(&Batch::slices(&slices), &|i| slices[i].to_vec(), "slices");
        let records = Batch::records(COUNT, &text[..29 * COUNT], 29);
        check(&records, &|i| record(i).to_vec(), "records");
        check(&Batch::filled(COUNT, &pairs), &|i| pair(i).concat(), "pairs");

        let (after, rest) = value.after(prefix);
        assert!(rest.len() <= block::<H>() && prefix.ends_with(rest));
        after.digest_with(rest, |i| [one(i)], &mut out);
        assert_eq!(out, expected_of(&|i| one(i).to_vec()), "messages after a prefix");
    }
}

fn shorter_digests<H: Function>() {
    by_value!(shorter_digests_of::<H>);
}

/// Every job of a function with digests that are the start of another's.
fn shorter_digests_of<H: Function, W: CompiledWord>(value: &Value<W>) {
    const COUNT: usize = 19;
    let (text, block) = (message(84, 700), block::<H>());
    for size in [1, 7, 8, value.output_size() / 2, value.output_size() - 1] {
        let value = value.shortened(size);
        assert_eq!(value.output_size(), size);
        let one = |i: usize| &text[i..][..i * i * 61 % 290];
        let hash = |parts: &[&[u8]]| expected::<H>(&parts.concat())[..size].to_vec();
        let hmac = |key: &[u8], text: &[u8]| {
            let mut own = if key.len() > block { hash(&[key]) } else { key.to_vec() };
            own.resize(block, 0);
            let pad = |mask: u8| own.iter().map(|byte| byte ^ mask).collect::<Vec<_>>();
            hash(&[&pad(0x5c), &hash(&[&pad(0x36), text])])
        };
        let mut out = vec![0; COUNT * size];
        let check = |out: &[u8], expected: &dyn Fn(usize) -> Vec<u8>, job: &str| {
            let expected: Vec<u8> = (0..COUNT).flat_map(expected).collect();
            assert!(*out == expected, "{job} of {size} bytes");
        };
        for alike in [true, false] {
            let one = |i: usize| if alike { &text[i..][..100] } else { one(i) };
            let ones = filling(|i| [one(i)]);
            let messages = Batch::filled(COUNT, &ones);
            value.digest(b"prefix", &messages, &mut out);
            check(&out, &|i| hash(&[b"prefix", one(i)]), "digests");
            value.double(&[], &messages, &mut out);
            check(&out, &|i| hash(&[&hash(&[one(i)])]), "double digests");
            for key in [&text[..20], &text[..block + 9]] {
                value.hmac(key, &[], &messages, &mut out);
                check(&out, &|i| hmac(key, one(i)), "tags");
            }
            value.hmac_keyed(&messages, &[], &messages, &mut out);
            check(&out, &|i| hmac(one(i), one(i)), "tags under a key each");
            value.digest(&[], &messages, &mut out);
            value.chains(&[], &mut out, 3);
            check(&out, &|i| (0..4).fold(one(i).to_vec(), |d, _| hash(&[&d])), "chains");
            let mut keys: Vec<&mut [u8]> = out.chunks_mut(size).collect();
            value.pbkdf2(&messages, (&[], &messages), 3, &mut keys);
            let key = |i: usize| {
                let first = hmac(one(i), &[one(i), &[0, 0, 0, 1]].concat());
                let second = hmac(one(i), &first);
                let third = hmac(one(i), &second);
                (0..size).map(|k| first[k] ^ second[k] ^ third[k]).collect()
            };
            check(&out, &key, "keys");
        }
    }
}

fn batches<H: Function>() {
    by_value!(batches_of::<H>);
}

fn batches_of<H: Function, W: CompiledWord>(value: &Value<W>) {
    let (text, before) = (message(83, 700), paint(block::<H>() + 1, 3));
    let one = |i: usize| &text[i..][..i * i * 61 % 290];
    let mut batch = InFlight::<W, (usize, &[u8])>::new(value, &before);
    assert_eq!(batch.lanes(), value.kernels().lanes_to_fill());
    let mut waiting = (0..23).map(|i| (i, one(i)));
    let (mut submitted, mut ended) = (0, vec![false; waiting.len()]);
    let cx = &mut Context::from_waker(Waker::noop());
    loop {
        let mut next = |_: &mut [W]| waiting.next().inspect(|_| submitted += 1);
        let mut done = |(i, _): (usize, &[u8]), Ok(end): Result<Ended<'_, W>, Infallible>| {
            let (whole, mut digest) = ([&before[..], one(i)].concat(), Output::<H>::default());
            end.write(&mut digest);
            assert_eq!(digest, expected::<H>(&whole), "message {i}");
            assert!(!std::mem::replace(&mut ended[i], true), "message {i} ends twice");
        };
        let progress = batch.step(cx, &mut next, &mut done);
        let over = ended.iter().filter(|ended| **ended).count();
        assert_eq!(batch.live(), submitted - over);
        if progress == Progress::Idle {
            break;
        }
    }
    assert!(ended.iter().all(|ended| *ended));
    let (_, rest) = value.after(&before);
    let blocks = (0..23).map(|i| value.descriptor().blocks(rest.len() + one(i).len()) as u64);
    assert_eq!(batch.usage().blocks, blocks.sum::<u64>());
}

#[test]
fn messages_that_wait_are_live() {
    fn live_of<H: Function, W: CompiledWord>(value: &Value<W>) {
        let asked = Cell::new(0);
        let mut sources = (0..9).map(|_| Never(&asked));
        let mut batch = InFlight::<W, Never<'_>>::new(value, &[]);
        let cx = &mut Context::from_waker(Waker::noop());
        assert_eq!(batch.step(cx, &mut |_| sources.next(), &mut |_, _| ()), Progress::Waiting);
        assert_eq!((batch.live(), asked.get()), (9, 9));
    }
    by_value!(live_of::<Md5>);
}

/// Chains of equal and of unequal lengths, some without steps.
fn chains_with_tweaks<H: Function>() {
    const TWEAK: usize = 7;
    let size = H::DESCRIPTOR.digest_bytes;
    let tweak = |chain: usize, step: u64, out: &mut [u8]| {
        out.copy_from_slice(&(1000 * chain as u64 + step).to_le_bytes()[..TWEAK]);
    };
    let unequal = |chain: usize| (chain as u64 % 3)..(chain as u64 * 7 % 11);
    let equal = |_: usize| 2..6;
    let steps: [&(dyn Fn(usize) -> Range<u64> + Sync); 2] = [&unequal, &equal];
    for (steps, count) in steps.into_iter().flat_map(|steps| [0, 1, 9, 300].map(|n| (steps, n))) {
        let chains = TweakedChains { steps, size: TWEAK, tweak: &tweak };
        for (prefix, len) in [(0, size), (5, 1), (block::<H>() + 3, size / 2 + 1)] {
            let prefix = paint(prefix, 9);
            let first: Vec<_> = (0..count).map(|i| message(i as u64, len)).collect();
            let end = |chain: usize| {
                steps(chain).fold(first[chain].clone(), |value, step| {
                    let mut tweaked = [0; TWEAK];
                    tweak(chain, step, &mut tweaked);
                    expected::<H>(&[&prefix, &tweaked[..], &value].concat())[..len].to_vec()
                })
            };
            let expected: Vec<_> = (0..count).map(end).collect();
            let mut values = first.clone();
            let value = Value::of::<H, _>(backend::<H>());
            value.tweaked_chains(&prefix, &chains, count, &mut Slices(&mut values));
            assert_eq!(values, expected, "{count} chains");

            values = first.clone();
            let skipped = count / 3;
            chains.skip(skipped, &mut |chains| {
                let to = &mut Slices(&mut values[skipped..]);
                value.tweaked_chains(&prefix, chains, count - skipped, to);
            });
            assert_eq!(values[..skipped], first[..skipped]);
            assert_eq!(values[skipped..], expected[skipped..], "all but the first {skipped}");
        }
        let all = (0..count).map(|chain| chains.count(chain));
        let counted = (0..count).map(|chain| steps(chain).count() as u64);
        assert!(all.eq(counted));
    }
}

/// Chains on a stand-in for a hash: their steps are counted, and values of wrong lengths refused.
#[test]
fn chains_share_the_calls() {
    let chains =
        TweakedChains { steps: &|chain| 0..chain as u64, size: 2, tweak: &|_, _, out| out.fill(1) };
    let mut values = vec![[0; 3]; 20];
    let mut calls = Vec::new();
    chains.run(20, &mut Slices(&mut values), 5, &mut |records, width, out| {
        assert_eq!((width, records.len() / 5), (5, out.len() / 5));
        calls.push(out.len() / 5);
        for (record, out) in records.chunks(5).zip(out.chunks_mut(5)) {
            assert_eq!(record[..2], [1, 1]);
            out[0] = record[2] + 1;
        }
    });
    // all have room, and each call advances the chains that are not at their ends
    assert_eq!(calls, (1..20).rev().collect::<Vec<_>>());
    assert!(values.iter().enumerate().all(|(chain, value)| usize::from(value[0]) == chain));
}

#[test]
#[should_panic(expected = "a value is 1 to 5 bytes")]
fn values_are_no_longer_than_digests() {
    let chains = TweakedChains { steps: &|_| 0..1, size: 2, tweak: &|_, _, _| {} };
    chains.run(1, &mut Slices(&mut [[0; 6]]), 5, &mut |_, _, _| {});
}

#[test]
#[should_panic(expected = "all values have the same length")]
fn values_have_one_length() {
    let chains = TweakedChains { steps: &|_| 0..1, size: 2, tweak: &|_, _, _| {} };
    chains.run(2, &mut Slices(&mut [vec![0; 2], vec![0; 3]]), 5, &mut |_, _, _| {});
}

#[test]
#[should_panic(expected = "as many digests as messages")]
fn parts_of_digests_are_refused() {
    by_value!(parts_of::<Md5>);

    fn parts_of<H: Function, W: CompiledWord>(value: &Value<W>) {
        value.digest_with(b"", |_| [b""], &mut [0; 17]);
    }
}
