//! Batches of messages on all that the CPU has, compared with message after message and with other
//! batches; MACs, passwords and chains; a stalled source; algorithms by name.

mod stalled;

use digest::{Digest, KeyInit, Mac};
use jlanes::{
    Sha1, Sha256, Sha512,
    multi::{Lanes, Messages, TweakedChains},
};

use crate::{
    contest::Contest,
    cpu::target,
    method::{Method, many, one_by_one, outputs, tape},
    peers::{Function, peer},
    workload::{KIB, Workload},
};

/// The lines of the table, each with the ratio to the crate that is meant to be reached.
pub(crate) fn contests() -> Vec<Contest> {
    let jobs = [hmac(), pbkdf2(), double_digests(), chains(), tweaked_chains(), stalled::contest()];
    sha256().chain(others()).chain(jobs).chain(chosen()).collect()
}

fn sha256() -> impl Iterator<Item = Contest> {
    let equal = [
        (64, 64, target(3.0, 2.6, 3.4)),
        (1024, 64, target(3.4, 2.8, 4.5)),
        (1024, 32, target(3.4, 2.8, 4.5)),
        (64, KIB, target(2.1, 1.9, 3.0)),
        (64, 4 * KIB, target(2.25, 2.0, 3.6)),
        (20, 4 * KIB, target(1.9, 1.9, 1.9)),
        (16, 64 * KIB, target(2.3, 2.0, 3.6)),
        (32, 64 * KIB, target(2.35, 2.0, 3.9)),
    ]
    .map(|(count, length, target)| (Workload::equal(count, length), target));
    let few = (1..=16).map(|count| (Workload::equal(count, 4 * KIB), Some(1.0)));
    let unequal = [
        (Workload::log_normal(256, 8 * KIB), target(2.1, 1.9, 2.6)),
        (Workload::log_normal(4000, 300), target(2.2, 1.9, 2.8)),
        (Workload::uniform(8192, 0, 55), target(2.6, 2.2, 3.2)),
        (Workload::uniform(8192, 1, 119), target(2.4, 2.0, 2.8)),
        (Workload::uniform(8192, 20, 300), target(2.2, 1.9, 2.6)),
        (Workload::uniform(8192, 100, 1000), target(2.1, 1.9, 2.6)),
        (Workload::with_straggler(15, KIB, 100 * KIB), Some(1.05)),
        (Workload::with_straggler(255, KIB, 100 * KIB), Some(1.6)),
    ];
    let single = [0, 64, KIB, 64 * KIB].map(|length| (Workload::equal(1, length), Some(1.0)));
    equal.into_iter().chain(few).chain(unequal).chain(single).map(|(workload, target)| {
        Contest::new("SHA-256 batch", workload, many::<Sha256>())
            .against(one_by_one::<sha2::Sha256>("sha2"), target)
            .against_all([tape(), peer("stringzilla", Function::Sha256)], 1.0)
            .beside([peer("BLAKE3", Function::Own)])
    })
}

/// The other functions: a batch each of short, unequal and long messages.
fn others() -> impl Iterator<Item = Contest> {
    let workloads = || {
        let long = [(16, target(5.0, 4.8, 7.0)), (64, target(5.0, 4.8, 7.0))];
        let long = long.map(|(count, target)| (Workload::equal(count, 64 * KIB), target));
        let short = [Workload::equal(64, 64), Workload::log_normal(256, 8 * KIB)];
        short.map(|workload| (workload, None)).into_iter().chain(long)
    };
    let sha1 = workloads().map(|(workload, _)| {
        Contest::new("SHA-1 batch", workload, many::<Sha1>())
            .beside([one_by_one::<sha1::Sha1>("sha1")])
    });
    let sha512 = workloads().map(|(workload, target)| {
        Contest::new("SHA-512 batch", workload, many::<Sha512>())
            .against(one_by_one::<sha2::Sha512>("sha2"), target)
    });
    sha1.chain(sha512)
}

const KEY: &[u8] = b"a key";

/// Tags of short messages under one key.
fn hmac() -> Contest {
    let ours = Method::plain("jlanes", 32, |messages, tags| {
        Lanes::<Sha256>::new().hmac(KEY, messages, outputs::<Sha256>(tags));
    });
    let theirs = Method::prepared("hmac + sha2", 32, |messages| {
        let keyed = hmac::Hmac::<sha2::Sha256>::new_from_slice(KEY).expect("any length will do");
        Box::new(move |tags| {
            for (message, tag) in messages.iter().zip(outputs::<Sha256>(tags)) {
                *tag = keyed.clone().chain_update(message).finalize().into_bytes();
            }
        })
    });
    Contest::new("HMAC-SHA-256", Workload::equal(100_000, 100), ours).against(theirs, 2.5)
}

const SALT: &[u8] = b"sixteen bytes...";
const ROUNDS: u32 = 1000;

/// Keys of 16 passwords.
fn pbkdf2() -> Contest {
    let ours = Method::prepared("jlanes", 32, |passwords| {
        let salts = vec![SALT; passwords.len()];
        Box::new(move |keys| {
            let mut keys: Vec<&mut [u8]> = keys.chunks_mut(32).collect();
            Lanes::<Sha256>::new().pbkdf2(passwords, &salts, ROUNDS, &mut keys);
        })
    });
    let theirs = Method::each("pbkdf2 + sha2", 32, |password, key| {
        pbkdf2::pbkdf2_hmac::<sha2::Sha256>(password, SALT, ROUNDS, key);
    });
    Contest::new("PBKDF2, 1000 rounds", Workload::equal(16, 12), ours).against(theirs, 2.0)
}

fn double_digests() -> Contest {
    let ours = Method::plain("jlanes", 32, |messages, digests| {
        Lanes::<Sha256>::new().double(messages, outputs::<Sha256>(digests));
    });
    let theirs = Method::each("sha2", 32, |message, digest| {
        digest.copy_from_slice(&sha2::Sha256::digest(sha2::Sha256::digest(message)));
    });
    Contest::new("SHA-256 of SHA-256", Workload::log_normal(256, 250), ours).beside([theirs])
}

const STEPS: u64 = 1000;

/// Chains of digests, as hash-based signatures have them.
fn chains() -> Contest {
    let ours = Method::plain("jlanes", 32, |seeds, ends| {
        ends.copy_from_slice(&seeds.concat());
        Lanes::<Sha256>::new().chains(outputs::<Sha256>(ends), STEPS);
    });
    let sha2 = Method::each("sha2", 32, |seed, end| {
        end.copy_from_slice(seed);
        for _ in 0..STEPS {
            let next = sha2::Sha256::digest(&*end);
            end.copy_from_slice(&next);
        }
    });
    let tape = Method::plain("tape-sha256", 32, |seeds, ends| {
        let seeds = seeds.concat();
        let lengths = vec![STEPS; seeds.len() / 32];
        tape_sha256::hash_chains(seeds.as_chunks().0, &lengths, ends.as_chunks_mut().0);
    });
    Contest::new("chains of 1000 digests", Workload::equal(32, 32), ours)
        .beside([sha2])
        .against(tape, target(1.05, 1.0, 1.3))
}

/// Steps of a chain of WOTS+, bytes of its values and of their addresses.
const WOTS: (u64, usize, usize) = (15, 16, 22);

/// Chains with a tweak for every step behind a block that all share, as in SLH-DSA's one-time keys.
fn tweaked_chains() -> Contest {
    let (steps, value, size) = WOTS;
    let tweak = move |chain: usize, step: u64, tweak: &mut [u8]| {
        tweak.fill(chain as u8);
        tweak[size - 1] = step as u8;
    };
    let ours = Method::plain("jlanes", value, move |seeds, ends| {
        ends.copy_from_slice(&seeds.concat());
        let chains = TweakedChains { steps: &|_| 0..steps, size, tweak: &tweak };
        let lanes = Lanes::<Sha256>::new().prefix(&[0; 64]);
        lanes.tweaked_chains(&chains, &mut ends.chunks_mut(value).collect::<Vec<_>>());
    });
    let theirs = Method::plain("sha2", value, move |seeds, ends| {
        let start = sha2::Sha256::new_with_prefix([0; 64]);
        for (chain, (seed, end)) in seeds.iter().zip(ends.chunks_mut(value)).enumerate() {
            end.copy_from_slice(seed);
            for step in 0..steps {
                let mut text = [0; WOTS.2 + WOTS.1];
                tweak(chain, step, &mut text[..size]);
                text[size..].copy_from_slice(end);
                let digest = start.clone().chain_update(text).finalize();
                end.copy_from_slice(&digest[..value]);
            }
        }
    });
    Contest::new("chains of 15 tweaked steps", Workload::equal(35 * 32, value), ours)
        .against(theirs, 3.0)
}

/// The cost of an algorithm that is chosen at run time: calls of all sizes.
fn chosen() -> impl Iterator<Item = Contest> {
    let workloads = [(1, 32), (2, 32), (16, 32), (64, 64), (1, 64 * KIB), (16, 64 * KIB)];
    workloads.into_iter().map(|(count, length)| {
        // a name costs some nanoseconds a call, which show if a call hashes little
        let target = if count * length <= 64 { 0.85 } else { 0.97 };
        Contest::new(
            "SHA-256 by name",
            Workload::equal(count, length),
            super::single::by_name("sha256", 32),
        )
        .against(by_type(), target)
    })
}

fn by_type() -> Method {
    Method::plain("Lanes", 32, |messages, digests| {
        Lanes::<Sha256>::new().digest_all(Messages::slices(messages), outputs::<Sha256>(digests));
    })
}
