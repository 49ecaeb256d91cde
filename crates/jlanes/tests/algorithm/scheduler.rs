//! Messages in pieces under algorithms that are chosen at run time: their digests are those of the
//! messages in one piece, however they come.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll, Wake, Waker},
};

use jlanes::{
    Algorithm, Backend, Sha256,
    algorithm::{AnyScheduler, BaseHash, Fixed, Key, Parameters, Skein},
    multi::{Lanes, Messages},
    skein::{Skein512, SkeinConfig},
};
use jlanes_testing::{backends, message};

use crate::late::{Arrival, Late, READY};

/// Every hash, and some of every other kind that has digests of messages.
fn algorithms() -> Vec<Algorithm> {
    let named = [
        "skein256",
        "skein512",
        "skein512-1000",
        "skein1024-264",
        "skein512-tree:1.2.255",
        "blake2b",
        "blake2b-160",
        "blake2s",
        "blake2s-8",
        "shake128-256",
        "kt128",
        "parallelhash128:64",
        "jlanes8-sha256",
        "jlanes3-skein512-raw",
        "mh-sha1",
        "fsverity-sha256",
        "sha256tree",
        "glacier",
        "rfc6962-sha256:100",
    ];
    let fixed = Fixed::all().map(|fixed| BaseHash::Fixed(fixed).into());
    fixed.chain(named.iter().map(|name| name.parse().unwrap())).collect()
}

fn messages() -> Vec<Vec<u8>> {
    (0..37).map(|i| message(i as u64, i * i * 37 % 1000)).collect()
}

/// The digest of a message in one piece.
fn digest(algorithm: Algorithm, parts: &[&[u8]]) -> Box<[u8]> {
    let mut hasher = algorithm.hasher_on(Backend::portable()).unwrap();
    hasher.update(&parts.concat());
    hasher.finalize()
}

/// Sends the messages through, every fifth of which fails, if any do, and checks what comes out.
fn check<'m>(
    mut scheduler: AnyScheduler<Late<'m>>,
    messages: &'m [Vec<u8>],
    arrival: Arrival,
    expected: &[Box<[u8]>],
    context: &str,
) {
    let fails = |i: usize| arrival.fails && i.is_multiple_of(5);
    for (i, message) in messages.iter().enumerate() {
        // every third is always ready
        let arrival = if i.is_multiple_of(3) { Arrival { stalls: 0, ..arrival } } else { arrival };
        scheduler.submit(Late::new(i, message, Arrival { fails: fails(i), ..arrival }));
    }
    assert_eq!(scheduler.len(), messages.len(), "{context}");
    let mut seen = vec![0; messages.len()];
    let mut ended = |(key, digest): (usize, Result<Box<[u8]>, _>)| {
        seen[key] += 1;
        let expected = if fails(key) { Err("broken") } else { Ok(expected[key].clone()) };
        assert_eq!(digest, expected, "message {key}, {context}");
    };
    for _ in 0..5 {
        scheduler.step().for_each(&mut ended);
    }
    scheduler.drain().for_each(&mut ended);
    assert!(scheduler.is_empty(), "{context}");
    assert!(seen.iter().all(|times| *times == 1), "{seen:?}, {context}");
}

const ARRIVALS: [Arrival; 4] = [
    READY,
    Arrival { portion: 64, stalls: 1, fails: false },
    Arrival { portion: 7, stalls: 3, fails: true },
    Arrival { portion: 130, stalls: 0, fails: true },
];

#[test]
fn every_algorithm_with_and_without_a_prefix() {
    let messages = &messages()[..];
    for algorithm in algorithms() {
        for prefix in [0, 5, 64, 200].map(|len| message(99, len)) {
            let expected: Vec<_> =
                messages.iter().map(|message| digest(algorithm, &[&prefix, message])).collect();
            for backend in backends::<Backend>() {
                for arrival in ARRIVALS {
                    let context = format!("{algorithm} on {backend}, prefix of {}", prefix.len());
                    let scheduler =
                        algorithm.lanes().unwrap().on(backend).prefix(&prefix).scheduler();
                    check(scheduler, messages, arrival, &expected, &context);
                }
            }
        }
    }
}

#[test]
fn tags_under_hmac() {
    let messages = &messages()[..];
    let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
    let plain = Fixed::all().map(|fixed| BaseHash::Fixed(fixed).into());
    let others = ["skein512", "skein256-1000", "blake2b", "blake2s-160"];
    let algorithms = plain.chain(others.map(|name| name.parse().unwrap()));
    for algorithm in algorithms.collect::<Vec<Algorithm>>() {
        for key in [0, 20, 64, 300].map(|len| message(7, len)) {
            let lanes = algorithm.lanes().unwrap();
            let mut tags = vec![0; messages.len() * algorithm.output_size()];
            lanes.hmac(&key, Messages::slices(&slices), &mut tags).unwrap();
            let expected: Vec<Box<[u8]>> =
                tags.chunks(algorithm.output_size()).map(Into::into).collect();
            for backend in backends::<Backend>() {
                let context = format!("{algorithm} on {backend}, key of {}", key.len());
                let hmac = algorithm.with(Key::Hmac(key.clone())).unwrap();
                let scheduler = hmac.lanes().unwrap().on(backend).scheduler();
                check(scheduler, messages, ARRIVALS[2], &expected, &context);
            }
        }
    }
    let tree: Algorithm = "kt128".parse().unwrap();
    let error = tree.with(Key::Hmac(Vec::new())).unwrap_err();
    assert_eq!(error.to_string(), "HMAC is not defined for kt128");
}

#[test]
fn blake2s_own_keys() {
    let messages = &messages()[..];
    for (name, longest) in
        [("blake2b", 64), ("blake2b-160", 64), ("blake2s", 32), ("blake2s-8", 32)]
    {
        let algorithm: Algorithm = name.parse().unwrap();
        for key in [1, 20, longest].map(|len| message(7, len)) {
            let slices: Vec<&[u8]> = messages.iter().map(|message| &message[..]).collect();
            let lanes = algorithm.with(Key::Own(key)).unwrap().lanes().unwrap();
            let tags = lanes.digests(Messages::slices(&slices));
            let expected: Vec<Box<[u8]>> =
                tags.chunks(algorithm.output_size()).map(Into::into).collect();
            for arrival in ARRIVALS {
                check(lanes.scheduler(), messages, arrival, &expected, name);
            }
        }
    }
}

#[test]
fn skein_with_arguments() {
    let messages = &messages()[..];
    let builder = SkeinConfig::<Skein512>::builder().key(b"key").nonce(b"one").output_bits(1000);
    let parameters = Parameters::<Skein>::new().key(b"key".to_vec()).nonce(b"one".to_vec());
    let hash = "skein512-1000".parse::<Algorithm>().unwrap().with(parameters).unwrap();
    for backend in backends::<Backend>() {
        let config = builder.clone().build_on(backend).unwrap();
        for prefix in [&b""[..], &[7; 64], &[8; 100]] {
            let digest = |message: &Vec<u8>| config.hash(&[prefix, &message[..]].concat());
            let expected: Vec<_> = messages.iter().map(digest).collect();
            let lanes = hash.lanes().unwrap().on(backend).prefix(prefix);
            for arrival in ARRIVALS {
                check(lanes.scheduler(), messages, arrival, &expected, "Skein with arguments");
            }
        }
    }
}

#[test]
fn a_stalled_source_keeps_nobody_waiting() {
    let stalled = Arrival { stalls: usize::MAX, ..READY };
    let text = message(1, 10_000);
    for name in ["sha256", "skein512", "blake2s", "jlanes8-sha256"] {
        let algorithm: Algorithm = name.parse().unwrap();
        let mut scheduler = algorithm.lanes().unwrap().scheduler();
        for i in 0..40 {
            scheduler.submit(Late::new(i, &text, if i == 3 { stalled } else { READY }));
        }
        let mut ended = Vec::new();
        for _ in 0..10_000 {
            ended.extend(scheduler.step().map(|(key, digest)| (key, digest.unwrap())));
        }
        assert_eq!((ended.len(), scheduler.len()), (39, 1), "{name}");
        assert_eq!((scheduler.waiting(), scheduler.parked()), (0, 1), "{name}");
        assert!(ended.iter().all(|(key, _)| *key != 3), "{name}");
        assert!(ended.iter().all(|(_, own)| *own == digest(algorithm, &[&text])), "{name}");
    }
}

#[test]
fn no_more_messages_are_taken_than_may_wait() {
    let text = message(1, 300);
    for name in ["sha256", "skein512", "blake2s", "jlanes8-sha256"] {
        let lanes = name.parse::<Algorithm>().unwrap().lanes().unwrap();
        for bound in [0, 1, 3] {
            let mut scheduler = lanes.scheduler();
            scheduler.park_at_most(bound);
            for i in 0..50 {
                scheduler.submit(Late::new(i, &text, Arrival { portion: 50, stalls: 5, ..READY }));
            }
            let (mut most, mut ended) = (0, 0);
            for _ in 0..100_000 {
                ended += scheduler.step().count();
                most = most.max(scheduler.parked());
            }
            assert_eq!(ended, 50, "{name}");
            let lanes = if name == "jlanes8-sha256" { 0 } else { scheduler.lanes() };
            assert!((1..=bound.max(1) + lanes).contains(&most), "{name}: {most} waited at once");
        }
    }
}

#[test]
fn schedulers_go_to_other_threads() {
    fn sent<T: Send>(it: T) -> T {
        it
    }
    let mut scheduler = sent(Algorithm::SHA256.lanes().unwrap().scheduler());
    scheduler.submit((1, &b"message"[..]));
    assert!(scheduler.drain().all(|(_, own)| own == Ok(digest(Algorithm::SHA256, &[b"message"]))));
    sent(Lanes::<Sha256>::new().scheduler::<(u8, &[u8])>());
}

#[test]
fn polls_wake_when_there_is_more_to_do() {
    #[derive(Default)]
    struct Count(AtomicUsize);
    impl Wake for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let count = Arc::new(Count::default());
    let waker = Waker::from(count.clone());
    let mut cx = Context::from_waker(&waker);
    let long = message(1, 10 << 20);
    for name in ["sha256", "fsverity-sha256"] {
        let algorithm: Algorithm = name.parse().unwrap();
        let mut scheduler = algorithm.lanes().unwrap().scheduler();
        assert!(scheduler.poll(&mut cx).is_ready(), "nothing to do");
        scheduler.submit(Late::new(0, &long, READY));
        scheduler.submit(Late::new(1, b"short", Arrival { stalls: 2, ..READY }));
        let (mut ended, mut pending) = (Vec::new(), 0);
        loop {
            let woken = count.0.load(Ordering::Relaxed);
            match scheduler.poll(&mut cx) {
                Poll::Ready(None) => break,
                Poll::Ready(Some((key, digest))) => ended.push((key, digest.unwrap())),
                Poll::Pending => {
                    pending += 1;
                    assert!(count.0.load(Ordering::Relaxed) > woken, "{name} sleeps for ever");
                }
            }
        }
        assert!(pending > 1, "{name} blocks for long");
        ended.sort_unstable_by_key(|(key, _)| *key);
        let expected = [digest(algorithm, &[&long]), digest(algorithm, &[b"short"])];
        assert!(ended.into_iter().map(|(_, digest)| digest).eq(expected), "{name}");
    }
}

#[test]
fn lanes_kernels_and_threads_are_the_hashs() {
    let backend = Backend::portable();
    let scheduler = Algorithm::SHA256.lanes().unwrap().on(backend).scheduler::<Late>();
    let kernels = Algorithm::SHA256.kernels_on(backend);
    assert_eq!(kernels[0].0, 1);
    assert!(kernels.is_sorted_by_key(|(live, _)| *live));
    assert!(kernels.iter().all(|(live, name)| *live <= scheduler.lanes() && !name.is_empty()));
    for algorithm in algorithms() {
        let threads = algorithm.threads_on(Backend::detect(), 1000, 8);
        assert_eq!(threads, 8, "{algorithm}");
        assert!(!algorithm.kernels_on(Backend::detect()).is_empty(), "{algorithm}");
    }
    // one message is for one thread, if it shares lanes
    assert_eq!(Algorithm::SHA256.threads_on(backend, 1, 8), 1);
    assert_eq!("btv2".parse::<Algorithm>().unwrap().threads_on(backend, 1, 8), 8);
}

#[test]
fn digests_are_those_of_the_type() {
    let messages = [&b"one"[..], b"another", b""];
    let lanes = Algorithm::SHA256.lanes().unwrap().prefix(b"leaf:");
    let digests = Lanes::<Sha256>::new().prefix(b"leaf:").digests(&messages);
    assert_eq!(lanes.digests(Messages::slices(&messages)), digests.concat());
    let scheduler = lanes.scheduler::<Late>();
    assert_eq!(format!("{scheduler:?}"), "Scheduler { 0 messages, .. }");
}
