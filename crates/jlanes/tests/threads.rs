//! Tests of threads: they start only for enough work, and where they cannot start the caller's does it all.
#![cfg(all(feature = "rayon", target_os = "linux", target_pointer_width = "64"))]

use jlanes::{
    Algorithm, Blake3, Digest, Sha256, Sha512, Shake128,
    digest::{ExtendableOutput, FixedOutput, Update},
    merkle::{Format, Hasher, Rfc6962, Sha256Tree, Ssz},
    multi::{Lanes, Messages, Xofs},
    skein::{Schedule, Skein512, SkeinConfig, TreeParams},
    tree::{
        GenericJLanes, JLanes, JPointers, Kt128, MhSha256, ParUpdate, ParallelHash128, par_digest,
    },
};
use jlanes_testing::{THREADS, alone, message, threads, without_threads};

/// Hash functions, trees, and others.
const NAMES: [&str; 10] = [
    "sha256",
    "md5",
    "blake2b-160",
    "blake3",
    "shake128-256",
    "kt128",
    "skein512-256",
    "jlanes8-sha256",
    "sha256tree",
    "glacier",
];

/// Compares a result with what it must equal; the first argument is its name.
type Check<'c> = &'c mut dyn FnMut(&str, &[u8], &[u8]);

/// Calls `check` with the name, the parallel and the serial result of each way to hash in parallel:
/// `messages`, or the first of them.
fn each_way(messages: &[&[u8]], check: Check<'_>) {
    let lanes = Lanes::<Sha256>::new();
    let (par, data) = (lanes.parallel(), messages[0]);
    check("Lanes", &par.digests(messages).concat(), &lanes.digests(messages).concat());
    let (mut out, mut serial) = (lanes.digests(messages), lanes.digests(messages));
    par.pairs(messages, messages, &mut out);
    lanes.pairs(messages, messages, &mut serial);
    check("pairs", &out.concat(), &serial.concat());
    par.hmac(b"key", messages, &mut out);
    lanes.hmac(b"key", messages, &mut serial);
    check("hmac", &out.concat(), &serial.concat());
    let (mut out, mut serial) = ([0; 100], [0; 100]);
    Xofs::<Shake128>::new().parallel().fill(&[data], &mut [&mut out]);
    Xofs::<Shake128>::new().fill(&[data], &mut [&mut serial]);
    check("par_xof_many", &out, &serial);

    let mut list = JPointers::<Sha512>::new();
    list.par_push_all(messages);
    check("JPointers", &list.finalize(), &JPointers::<Sha512>::digest(messages));
    trees(data, check);
    formats(data, check);
    for name in NAMES {
        let algorithm: Algorithm = name.parse().unwrap_or_else(|_| panic!("{name}"));
        let mut lanes = algorithm.lanes().expect("a digest");
        let serial = lanes.digests(Messages::slices(messages));
        lanes = lanes.parallel();
        check(name, &lanes.digests(Messages::slices(messages)), &serial);
        let backend = jlanes::Backend::detect();
        let [mut hasher, mut serial] =
            [(); 2].map(|()| algorithm.hasher_on(backend).expect("a digest"));
        hasher.par_update(data);
        serial.update(data);
        check(name, &hasher.finalize(), &serial.finalize());
    }
}

fn trees(data: &[u8], check: Check<'_>) {
    fn same<T>(data: &[u8], name: &str, check: Check<'_>)
    where
        T: Digest + ParUpdate + FixedOutput + Default,
    {
        check(name, &par_digest::<T>(data), &T::digest(data));
    }
    same::<JLanes<Sha256, 32>>(data, "JLanes", check);
    same::<GenericJLanes<Sha512>>(data, "GenericJLanes", check);
    same::<MhSha256>(data, "MhSha256", check);
    same::<Blake3>(data, "Blake3", check);
    let [mut par, mut serial] = [(); 2].map(|()| Kt128::default());
    par.par_update(data);
    Update::update(&mut serial, data);
    check("Kt128", &par.finalize_boxed(64), &serial.finalize_boxed(64));
    let [mut par, mut serial] = [(); 2].map(|()| ParallelHash128::new(1000, b"").expect("a size"));
    par.par_update(data);
    Update::update(&mut serial, data);
    check("ParallelHash128", &par.finalize_fixed(), &serial.finalize_fixed());

    let tree = TreeParams::new(1, 1, 255).expect("a legal tree");
    let skein = SkeinConfig::<Skein512>::builder().output_bits(256).tree(tree).build();
    let skein = skein.expect("a legal configuration");
    let serial = skein.hash_with(Schedule::Sequential, data);
    let schedules =
        [Schedule::default(), Schedule::HigherLevelFirst, Schedule::Subtrees { height: 2 }];
    for schedule in schedules {
        check("Skein's tree", &skein.hash_with(schedule, data), &serial);
    }
    check("hash_many", &skein.hash_many(&[data])[0], &serial);
}

fn formats(data: &[u8], check: Check<'_>) {
    let data = &data[..data.len() / 32 * 32]; // digests, or one leaf
    let expected = Ssz::default().digest(data).expect("no limit");
    check("ssz", &Ssz::default().parallel().digest(data).expect("no limit"), &expected);
    let leaf = data.len().div_ceil(2).max(1);
    for size in [1000, leaf] {
        let format = Rfc6962::chunks::<Sha256>(size).expect("a size");
        let (Ok(par), Ok(serial)) = (format.parallel().digest(data), format.digest(data));
        check("Rfc6962", &par, &serial);
    }
    let tree = par_digest::<Hasher<Sha256Tree>>(data);
    check("sha256tree", &tree, &<Hasher<Sha256Tree> as Digest>::digest(data));
}

#[test]
fn small_work_starts_no_thread() {
    alone("small_work_starts_no_thread", || {
        let before = threads();
        let long = message(1, 4 << 20);
        let sixty = [&[3; 1000][..]; 60];
        let short: [&[&[u8]]; 4] = [&[&[7]], &[&[]], &[&[1; 32], &[2; 100]], &sixty];
        for messages in short {
            each_way(messages, &mut |way, parallel, serial| {
                assert_eq!(parallel, serial, "{way}");
                assert_eq!(threads(), before, "{way} of {} messages", messages.len());
            });
        }
        // lanes divide messages, and there is one
        drop(Lanes::<Sha256>::new().parallel().digests(&[&long]));
        assert_eq!(threads(), before, "one long message");
        each_way(&[&long[..1 << 20]], &mut |_, parallel, serial| assert_eq!(parallel, serial));
        assert_eq!(threads(), before + THREADS, "long trees");
    });
}

#[test]
fn without_threads_the_callers_does_the_work() {
    without_threads("without_threads_the_callers_does_the_work", || {
        let messages: Vec<_> = (0..16).map(|i| message(i, 200_000)).collect();
        let messages: Vec<_> = messages.iter().map(Vec::as_slice).collect();
        each_way(&messages, &mut |way, parallel, serial| assert_eq!(parallel, serial, "{way}"));
    });
}

/// The program has tried it itself, and went on.
#[test]
fn a_pool_that_others_did_not_get_is_none() {
    without_threads("a_pool_that_others_did_not_get_is_none", || {
        assert!(rayon::ThreadPoolBuilder::new().build_global().is_err());
        let data = message(1, 1 << 20);
        assert_eq!(par_digest::<Blake3>(&data), Blake3::digest(&data));
    });
}
