//! Keys of 1,024 one-time keys; their signatures, and verification.

mod contest;

use contest::contest;
use hybrid_array::Array;
use rand::{SeedableRng, rngs::StdRng};
use signature::{RandomizedSignerMut, Verifier};

/// Signatures in a run.
const COUNT: u32 = 100;

macro_rules! version {
    ($krate:ident, $ots:ident) => {{
        use $krate::{lms, ots};
        type Key = lms::SigningKey<lms::LmsSha256M32H10<ots::$ots>>;
        let new = || Key::new_from_seed([7; 16], [9; 32]).expect("a key");
        let public = move || {
            let bytes: Array<u8, _> = new().public().into();
            bytes.to_vec()
        };
        let mut random = StdRng::seed_from_u64(1);
        let mut one_time = move |i| {
            let mut key = ots::SigningKey::<ots::$ots>::new_from_seed(i, [7; 16], [9; 32]);
            key.try_sign_with_rng(&mut random, b"message").expect("a signature")
        };
        let sign = move || -> Vec<Vec<u8>> {
            let bytes = |signature| -> Vec<u8> {
                let bytes: Array<u8, _> = Array::from(signature);
                bytes.to_vec()
            };
            (0..COUNT).map(|i| bytes(one_time(i))).collect()
        };
        let mut key = new();
        let signature =
            key.try_sign_with_rng(&mut StdRng::seed_from_u64(2), b"message").expect("a signature");
        let public_key = key.public();
        let verify = move || (0..COUNT).all(|_| public_key.verify(b"message", &signature).is_ok());
        (public, sign, verify)
    }};
}

macro_rules! both {
    ($ots:ident, $name:literal) => {
        let (their_key, their_sign, their_verify) = version!(theirs, $ots);
        let (our_key, our_sign, our_verify) = version!(ours, $ots);
        contest(concat!("key of 1024 one-time keys, ", $name), 1, their_key, our_key);
        contest(concat!("one-time signature, ", $name), COUNT, their_sign, our_sign);
        contest(concat!("verification, ", $name), COUNT, their_verify, our_verify);
    };
}

fn main() {
    both!(LmsOtsSha256N32W4, "w = 4");
    both!(LmsOtsSha256N32W8, "w = 8");
}
