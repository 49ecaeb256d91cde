//! Times RustCrypto's `ml-kem` as it is and with its SHAKE on lanes, alternately, and compares their
//! results.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

/// Rounds of a comparison, many and short, because other programs interrupt long ones.
const ROUNDS: usize = 2001;
/// Operations per round.
const EACH: u64 = 10;

macro_rules! both {
    ($name:literal, $set:ident) => {{
        let seed = |i: u64| {
            let words =
                [i, !i, i.wrapping_mul(0x9e37_79b9_7f4a_7c15), 5, 6, 7, 8, i.rotate_left(9)];
            let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            <[u8; 64]>::try_from(bytes).expect("eight words")
        };
        macro_rules! version {
            ($krate:ident) => {{
                use $krate::{FromSeed, KeyExport, $set};
                let key = |i| $set::from_seed(&seed(i).into());
                let (private, public) = key(0);
                let encapsulate = move |i: u64| {
                    let message = <[u8; 32]>::try_from(&seed(i)[..32]).expect("32 bytes");
                    let (text, shared) = public.encapsulate_deterministic(&message.into());
                    (text.to_vec(), shared.to_vec())
                };
                let decapsulate = move |text: &[u8]| {
                    use $krate::Decapsulate;
                    private.decapsulate_slice(text).expect("a ciphertext").to_vec()
                };
                (move |i| key(i).1.to_bytes().to_vec(), encapsulate, decapsulate)
            }};
        }
        let (their_key, theirs, their_secret) = version!(ml_kem);
        let (our_key, ours, our_secret) = version!(ml_kem_lanes);
        for i in 0..2000 {
            assert_eq!(their_key(i), our_key(i), "{}: public key {i}", $name);
            let (text, secret) = theirs(i);
            assert_eq!(ours(i), (text.clone(), secret.clone()), "{}: {i}", $name);
            assert_eq!([&their_secret(&text), &our_secret(&text)], [&secret; 2], "{}: {i}", $name);
        }
        let (text, _) = ours(1);
        print("key pair", $name, &|i| drop(black_box(their_key(i))), &|i| {
            drop(black_box(our_key(i)))
        });
        print("encapsulation", $name, &|i| drop(black_box(theirs(i))), &|i| {
            drop(black_box(ours(i)))
        });
        print("decapsulation", $name, &|_| drop(black_box(their_secret(&text))), &|_| {
            drop(black_box(our_secret(&text)))
        });
    }};
}

fn time(job: &dyn Fn(u64)) -> Duration {
    let begin = Instant::now();
    (0..EACH).for_each(job);
    begin.elapsed() / EACH as u32
}

/// Prints the best time of each, and the median of the ratios of neighbouring runs.
fn print(what: &str, set: &str, theirs: &dyn Fn(u64), ours: &dyn Fn(u64)) {
    let runs: Vec<_> = (0..ROUNDS).map(|_| (time(theirs), time(ours))).collect();
    let best = |times: &mut dyn Iterator<Item = Duration>| times.min().unwrap_or_default();
    let before = best(&mut runs.iter().map(|run| run.0));
    let after = best(&mut runs.iter().map(|run| run.1));
    let mut gains: Vec<f64> =
        runs.iter().map(|(before, after)| before.as_secs_f64() / after.as_secs_f64()).collect();
    gains.sort_by(f64::total_cmp);
    let gain = before.as_secs_f64() / after.as_secs_f64();
    println!(
        "{set} {what}: {before:.1?} with shake, {after:.1?} on lanes, gain {gain:.2} (median of \
         neighbours {:.2})",
        gains[ROUNDS / 2]
    );
}

fn main() {
    both!("ML-KEM-512", MlKem512);
    both!("ML-KEM-768", MlKem768);
    both!("ML-KEM-1024", MlKem1024);
}
