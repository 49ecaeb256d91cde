//! Outputs that continue.

use jlanes::{
    Algorithm, Backend, Blake3, Shake128, Shake256, TurboShake128, TurboShake256,
    algorithm::Unsupported,
    digest::{CustomizedInit, ExtendableOutput, Update, XofReader},
    multi::{Messages, MultiXof, TweakedChains, Xofs},
    sha3::{CShake128, CTurboShake256},
    tree::{Kt128, Kt256},
};
use jlanes_testing::{backends, message};

use crate::machine::{Reader, named, typed, walk};

/// Starts a reader of a message's output.
type Peer = fn(&[u8]) -> Reader;

/// The reader of another implementation.
fn peer<P: ExtendableOutput + Default + 'static>(text: &[u8]) -> Reader {
    let mut reader = P::default().chain(text).finalize_xof();
    Box::new(move |out| reader.read(out))
}

/// Lengths of messages: equal, and any.
fn texts(count: usize, mixed: bool) -> Vec<Vec<u8>> {
    let len = |i: usize| if mixed { i * i * 61 % 599 } else { 34 };
    (0..count).map(|i| message(i as u64, len(i))).collect()
}

fn check<H, P>(block: usize)
where
    H: MultiXof<Backend = Backend>,
    P: ExtendableOutput + Default + 'static,
{
    for backend in backends::<Backend>() {
        for (count, mixed) in [(0, false), (1, false), (8, true), (9, false), (21, true)] {
            let texts = texts(count, mixed);
            let mut xofs = Xofs::<H>::new().on(backend);
            xofs.absorb(&["forgotten"; 3]);
            xofs.absorb(&texts);
            assert_eq!((xofs.len(), xofs.is_empty()), (count, count == 0));
            let mut readers: Vec<Reader> = texts.iter().map(|text| peer::<P>(text)).collect();
            // readers that join, one of which has been read from
            for (text, read) in [("one", 0), ("another", 171)] {
                let mut reader = H::default().chain(text).finalize_xof();
                let mut their = peer::<P>(text.as_bytes());
                reader.read(&mut vec![0; read]);
                their(&mut vec![0; read]);
                xofs.extend([reader]);
                readers.push(their);
            }
            walk(&format!("{backend}, {count} messages"), (xofs, typed), readers, block);
        }
    }
}

#[test]
fn shake128() {
    check::<Shake128, shake::Shake128>(168);
}

#[test]
fn shake256() {
    check::<Shake256, shake::Shake256>(136);
}

#[test]
fn turboshake() {
    check::<TurboShake128, turboshake::TurboShake128>(168);
    check::<TurboShake256, turboshake::TurboShake256>(136);
    check::<CTurboShake256<9>, turboshake::CTurboShake256<9>>(136);
}

/// From every position of a block, as far as every position of the next two.
#[test]
fn every_edge() {
    for backend in backends::<Backend>() {
        let texts = texts(9, false);
        let mut start = Xofs::<Shake256>::new().on(backend);
        start.absorb(&texts);
        let mut expected = vec![[0; 800]; 9];
        for (text, expected) in texts.iter().zip(&mut expected) {
            peer::<shake::Shake256>(text)(expected);
        }
        for at in 0..=137 {
            let mut xofs = start.clone();
            let (mut first, mut next, mut rest) = ([vec![0; at]; 1], vec![0; 1], [[0; 137]; 9]);
            xofs.squeeze_some(&[at % 9], &mut first);
            next.resize(at * 3 % 274, 0);
            let mut nexts = vec![next; 9];
            xofs.squeeze(&mut nexts);
            xofs.squeeze(&mut rest);
            for i in 0..9 {
                let all = match i == at % 9 {
                    true => [&first[0][..], &nexts[i], &rest[i]].concat(),
                    false => [&nexts[i][..], &rest[i]].concat(),
                };
                assert!(all == expected[i][..all.len()], "{backend}, {at} bytes, output {i}");
            }
        }
    }
}

/// Sponges with other beginnings.
#[test]
fn readers_of_other_hashers() {
    let texts = texts(11, true);
    let mut long = texts.clone();
    long.iter_mut().for_each(|text| text.resize(20_000, 7));
    let customized = |text: &Vec<u8>| CShake128::new_customized(text).finalize_xof();
    let xofs: Xofs<Shake128> = texts.iter().map(customized).collect();
    let theirs = texts.iter().map(|text| {
        let mut reader = cshake::CShake128::new_customized(text).finalize_xof();
        Box::new(move |out: &mut [u8]| reader.read(out)) as Reader
    });
    walk("cSHAKE128", (xofs, typed), theirs.collect(), 168);

    let kt = |text: &Vec<u8>| Kt128::default().chain(text).finalize_xof();
    let xofs: Xofs<TurboShake128> = long.iter().map(kt).collect();
    let readers = long.iter().map(|text| peer::<k12::Kt128>(text)).collect();
    walk("KT128", (xofs, typed), readers, 168);
    let kt = |text: &Vec<u8>| Kt256::default().chain(text).finalize_xof();
    let xofs: Xofs<TurboShake256> = texts.iter().map(kt).collect();
    walk("KT256", (xofs, typed), texts.iter().map(|text| peer::<k12::Kt256>(text)).collect(), 136);
}

#[test]
fn the_run_time_handle_continues_the_same_outputs() {
    let texts = texts(13, true);
    let slices: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    let behind = |prefix: &[u8], peer: Peer| {
        texts.iter().map(|text| peer(&[prefix, text].concat())).collect::<Vec<Reader>>()
    };
    let functions: [(&str, Peer); 4] = [
        ("shake128-8", peer::<shake::Shake128>),
        ("shake256-256", peer::<shake::Shake256>),
        ("kt128", peer::<k12::Kt128>),
        ("kt256-64", peer::<k12::Kt256>),
    ];
    for (name, peer) in functions {
        for backend in backends::<Backend>() {
            for prefix in [&b""[..], b"prefix"] {
                let lanes = name.parse::<Algorithm>().unwrap().lanes().unwrap();
                let lanes = lanes.on(backend).prefix(prefix);
                let xofs = lanes.xofs(Messages::slices(&slices)).unwrap();
                let what = format!("{name} on {backend}, {} bytes of prefix", prefix.len());
                walk(&what, (xofs, named), behind(prefix, peer), 136);
            }
        }
    }
    let parallel = |text: &[u8]| -> Reader {
        let mut expected = vec![0; 60_000];
        jlanes_reference::parallelhashxof128(text, 100, b"", &mut expected);
        let mut at = 0;
        Box::new(move |out| {
            out.copy_from_slice(&expected[at..][..out.len()]);
            at += out.len();
        })
    };
    let lanes = "parallelhashxof128:100".parse::<Algorithm>().unwrap().lanes().unwrap();
    let xofs = lanes.xofs(Messages::slices(&slices)).unwrap();
    walk(
        "ParallelHashXOF128",
        (xofs, named),
        texts.iter().map(|text| parallel(text)).collect(),
        168,
    );
    for name in ["sha256", "parallelhash128:100", "skein512", "jlanes4-sha256"] {
        let lanes = name.parse::<Algorithm>().unwrap().lanes().unwrap();
        let error: Unsupported = lanes.xofs(Messages::slices(&slices)).unwrap_err();
        assert!(error.to_string().ends_with("has no extendable output"), "{error}");
    }
}

#[test]
#[should_panic(expected = "as many destinations as outputs")]
fn all_outputs_have_destinations() {
    let mut xofs = Xofs::<Shake128>::new();
    xofs.absorb(&["a", "b"]);
    xofs.squeeze(&mut [[0; 8]]);
}

#[test]
#[should_panic(expected = "the outputs rise strictly")]
fn no_output_occurs_twice() {
    let mut xofs = Xofs::<Shake128>::new();
    xofs.absorb(&["a", "b"]);
    xofs.squeeze_some(&[1, 1], &mut [[0; 8]; 2]);
}

#[test]
#[should_panic(expected = "there are 2 outputs")]
fn outputs_exist() {
    let mut xofs = Xofs::<Shake128>::new();
    xofs.absorb(&["a", "b"]);
    xofs.squeeze_some(&[0, 2], &mut [[0; 8]; 2]);
}

/// Chains of which the values are outputs, some of more than a block.
#[test]
fn chains_with_a_tweak_for_every_step() {
    let write = |chain: usize, step: u64, tweak: &mut [u8]| tweak.fill((chain as u64 ^ step) as u8);
    let steps = |chain: usize| chain as u64 % 3..chain as u64 % 8;
    for (count, size, value) in [(0, 3, 1), (1, 48, 16), (30, 48, 24), (300, 3, 200)] {
        let chains = TweakedChains { steps: &steps, size, tweak: &write };
        let first: Vec<_> = (0..count).map(|i| message(i as u64, value)).collect();
        let step = |chain, step, value: &mut [u8], peer: Peer| {
            let mut text = vec![0; size];
            write(chain, step, &mut text);
            text.extend(&*value);
            peer(&text)(value);
        };
        for backend in backends::<Backend>() {
            let (mut shake, mut blake) = (first.clone(), first.clone());
            Xofs::<Shake256>::new().on(backend).tweaked_chains(&chains, &mut shake);
            Xofs::<Blake3>::new().on(backend).tweaked_chains(&chains, &mut blake);
            for i in 0..count {
                let (mut by_shake, mut by_blake) = (first[i].clone(), first[i].clone());
                for s in steps(i) {
                    step(i, s, &mut by_shake, peer::<shake::Shake256>);
                    step(i, s, &mut by_blake, |text| {
                        let mut reader = blake3::Hasher::new().update(text).finalize_xof();
                        Box::new(move |out| reader.fill(out))
                    });
                }
                assert!(shake[i] == by_shake, "{backend}: chain {i} of {count}, SHAKE256");
                assert!(blake[i] == by_blake, "{backend}: chain {i} of {count}, BLAKE3");
            }
        }
    }
}
