//! Keys, encapsulation and decapsulation; more results are compared than timed.

mod contest;

use contest::contest;

/// Operations in a run, and compared operations.
const RUNS: u64 = 200;
const COMPARED: u64 = 2000;

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
        let (their_key, theirs, their_secret) = version!(theirs);
        let (our_key, ours, our_secret) = version!(ours);
        for i in 0..COMPARED {
            assert_eq!(their_key(i), our_key(i), "{}: public key {i}", $name);
            let (text, secret) = theirs(i);
            assert_eq!(ours(i), (text.clone(), secret.clone()), "{}: {i}", $name);
            assert_eq!([&their_secret(&text), &our_secret(&text)], [&secret; 2], "{}: {i}", $name);
        }
        let (text, _) = ours(1);
        macro_rules! timed {
            ($what:literal, $theirs:expr, $ours:expr) => {
                contest(
                    concat!($name, " ", $what),
                    RUNS as u32,
                    || (0..RUNS).map($theirs).last(),
                    || (0..RUNS).map($ours).last(),
                )
            };
        }
        timed!("key pair", &their_key, &our_key);
        timed!("encapsulation", &theirs, &ours);
        timed!("decapsulation", |_| their_secret(&text), |_| our_secret(&text));
    }};
}

fn main() {
    both!("ML-KEM-512", MlKem512);
    both!("ML-KEM-768", MlKem768);
    both!("ML-KEM-1024", MlKem1024);
}
