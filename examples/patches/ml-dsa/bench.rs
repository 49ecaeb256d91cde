//! Keys, signatures and verification; more results are compared than timed.

mod contest;

use contest::{contest, noise};

/// Operations in a run, and compared operations.
const RUNS: u64 = 100;
const COMPARED: u64 = 1000;

macro_rules! both {
    ($set:ident, $name:literal) => {{
        let seed = |i: u64| <[u8; 32]>::try_from(noise(32, i + 1)).expect("32 bytes");
        macro_rules! version {
            ($krate:ident) => {{
                use $krate::{Keypair, Signature, SigningKey, VerifyingKey, $set};
                let key = move |i| SigningKey::<$set>::from_seed(&seed(i).into());
                let signer = key(0);
                let sign = move |i: u64| {
                    let signature = signer.expanded_key().sign_deterministic(&seed(i), b"");
                    signature.expect("a signature").encode().to_vec()
                };
                let verify = move |public: &[u8], i: u64, signature: &[u8]| {
                    let public = VerifyingKey::<$set>::decode(public.try_into().expect("a key"));
                    let signature = Signature::try_from(signature).expect("a signature");
                    public.verify_with_context(&seed(i), b"", &signature)
                };
                (move |i| key(i).verifying_key().encode().to_vec(), sign, verify)
            }};
        }
        let (their_key, theirs, they_verify) = version!(theirs);
        let (our_key, ours, we_verify) = version!(ours);
        let public = our_key(0);
        for i in 0..COMPARED {
            assert_eq!(their_key(i), our_key(i), "{}: public key {i}", $name);
            let signature = theirs(i);
            assert_eq!(ours(i), signature, "{}: signature {i}", $name);
            for message in [i, i + 1] {
                let right = message == i;
                assert_eq!(they_verify(&public, message, &signature), right, "{}: {i}", $name);
                assert_eq!(we_verify(&public, message, &signature), right, "{}: {i}", $name);
            }
        }
        let signature = ours(0);
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
        timed!("signature", &theirs, &ours);
        timed!(
            "verification",
            |_| they_verify(&public, 0, &signature),
            |_| we_verify(&public, 0, &signature)
        );
    }};
}

fn main() {
    both!(MlDsa44, "ML-DSA-44");
    both!(MlDsa65, "ML-DSA-65");
    both!(MlDsa87, "ML-DSA-87");
}
