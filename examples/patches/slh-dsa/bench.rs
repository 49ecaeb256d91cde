//! Keys and signatures.

mod contest;

use contest::contest;

macro_rules! version {
    ($krate:ident, $set:ident, $runs:expr) => {{
        use $krate::{SigningKey, $set};
        let new = |i: u8| SigningKey::<$set>::slh_keygen_internal(&[i; 16], &[2; 16], &[3; 16]);
        let key = new(1);
        let keys = move || (0..$runs).map(|i| new(i as u8).to_vec()).last();
        let sign =
            move || key.try_sign_with_context(b"message", b"", None).expect("a signature").to_vec();
        (keys, sign)
    }};
}

macro_rules! both {
    ($set:ident, $runs:literal) => {
        let (their_keys, their_sign) = version!(theirs, $set, $runs);
        let (our_keys, our_sign) = version!(ours, $set, $runs);
        contest(concat!(stringify!($set), " key"), $runs, their_keys, our_keys);
        contest(concat!(stringify!($set), " signature"), 1, their_sign, our_sign);
    };
}

fn main() {
    both!(Sha2_128f, 20);
    both!(Sha2_128s, 1);
    both!(Shake128f, 5);
    both!(Shake128s, 1);
}
