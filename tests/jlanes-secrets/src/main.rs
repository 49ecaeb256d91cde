//! Hashes secrets under Valgrind, on every backend that Valgrind supports, and fails if a branch or an
//! address depends on one.
//!
//! ```console
//! $ cargo build --release -p jlanes-secrets && valgrind target/release/jlanes-secrets
//! ```

#[cfg(target_arch = "x86_64")]
mod memcheck;

#[cfg(target_arch = "x86_64")]
mod checks {
    use std::{env, hint::black_box, process::ExitCode};

    use anyhow::{Result, ensure};
    use digest::{ExtendableOutput, KeyInit, Mac, Update, XofReader};
    use jlanes::{
        Backend, Blake2b512, Blake2bMac512, Blake2s256, Blake2sMac256, Digest, Keccak256, Sha1,
        Sha3_256, Sha3_512, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256, Shake128,
        Shake256,
        multi::{Lanes, MultiDigest, MultiXof, Xofs},
        sha3::{CShake256, Kmac256},
        skein::{Skein256, Skein512, Skein512Mac, Skein1024},
        tree::JLanesDyn,
    };
    use jlanes_testing::{backends, message};

    use crate::memcheck::{errors, hide, is_running, reveal};

    /// More than one group of the widest lanes, of several blocks each.
    const COUNT: usize = 19;

    fn secrets(len: impl Fn(usize) -> usize) -> Vec<Vec<u8>> {
        let mut secrets: Vec<_> = (0..COUNT).map(|i| message(i as u64, len(i))).collect();
        secrets.iter_mut().for_each(|secret| hide(secret));
        secrets
    }

    fn slices(secrets: &[Vec<u8>]) -> Vec<&[u8]> {
        secrets.iter().map(Vec::as_slice).collect()
    }

    /// All that is done with secrets, by hash and backend.
    fn hash<H: MultiDigest<Backend = Backend>>(backend: Backend) {
        batches::<H>(backend);
        let secret = secrets(|_| 300).concat();
        let tree = JLanesDyn::<H>::with_lanes(backend, 11, false).expect("11 lanes");
        reveal(&tree.chain_update(secret).finalize());
    }

    /// Batches of digests, tags and keys.
    fn batches<H: MultiDigest<Backend = Backend>>(backend: Backend) {
        let lanes = Lanes::<H>::new().on(backend);
        // unequal lengths, then equal ones, which take another path
        for secrets in [secrets(|i| 37 * i), secrets(|_| 300)] {
            let mut out = vec![Default::default(); COUNT];
            lanes.digest(&secrets, &mut out);
            out.iter().for_each(|digest| reveal(digest));

            lanes.hmac(&secrets[1], &secrets, &mut out);
            out.iter().for_each(|tag| reveal(tag));

            let mut keys = vec![[0; 40]; COUNT];
            let mut outs: Vec<&mut [u8]> = keys.iter_mut().map(|key| &mut key[..]).collect();
            let (passwords, salts) = (slices(&secrets), [&b"salt"[..]; COUNT]);
            lanes.pbkdf2(&passwords, &salts, 2, &mut outs);
            keys.iter().for_each(|key| reveal(key));
        }
    }

    fn output_of<H: MultiXof>(backend: Backend, secrets: &[Vec<u8>]) {
        let mut outs: Vec<_> = (0..COUNT).map(|i| vec![0; 31 * i]).collect();
        let mut slots: Vec<&mut [u8]> = outs.iter_mut().map(Vec::as_mut_slice).collect();
        Xofs::<H>::new().on(backend).fill(&slices(secrets), &mut slots);
        outs.iter().for_each(|out| reveal(out));
    }

    /// Outputs of any lengths, and standard trees over secrets.
    fn outputs(backend: Backend) {
        for secrets in [secrets(|i| 37 * i), secrets(|_| 300)] {
            output_of::<Shake128>(backend, &secrets);
            output_of::<Shake256>(backend, &secrets);
        }
        let mut secret = message(1, 3 * 8192 + 5);
        hide(&mut secret);
        let mut out = [0; 200];
        let tree = jlanes_tree::kangaroo::Kt128::with_backend(backend, &secret[..50]);
        tree.chain(&secret).finalize_xof().read(&mut out);
        reveal(&out);
        let tree =
            jlanes_tree::parallel_hash::ParallelHash256::with_backend(backend, 1000, &secret[..50]);
        tree.expect("blocks of some bytes").chain(&secret).finalize_into_slice(&mut out);
        reveal(&out);
    }

    /// Keyed hashes other than HMAC, on the detected backend: BLAKE2's own, and a key before the
    /// message in cSHAKE, as in KMAC.
    fn keyed() {
        let secrets = secrets(|i| 37 * i);
        let key = &secrets[1][..32];
        let mac = <Blake2bMac512 as KeyInit>::new_from_slice(key).expect("32 bytes");
        let mut tags = vec![Default::default(); COUNT];
        mac.tags(&slices(&secrets), &mut tags);
        tags.iter().for_each(|tag| reveal(tag));
        reveal(&mac.chain_update(&secrets[9]).finalize().into_bytes());
        let mac = Kmac256::new_with_customization(key, b"custom").expect("32 bytes");
        let mut tags = vec![Default::default(); COUNT];
        mac.tags(&slices(&secrets), &mut tags);
        tags.iter().for_each(|tag| reveal(tag));
        let keys = vec![key; COUNT];
        Kmac256::tags_keyed(&keys, b"custom", &slices(&secrets), &mut tags).expect("32 bytes");
        tags.iter().for_each(|tag| reveal(tag));
        reveal(&Mac::chain_update(mac, &secrets[9]).finalize().into_bytes());
        let mac = <Blake2sMac256 as KeyInit>::new_from_slice(key).expect("32 bytes");
        let mut tags = vec![Default::default(); COUNT];
        mac.tags(&slices(&secrets), &mut tags);
        tags.iter().for_each(|tag| reveal(tag));
        reveal(&mac.chain_update(&secrets[9]).finalize().into_bytes());
        let mut out = [0; 300];
        let keyed = CShake256::new_with_function_name(b"KMAC", b"").chain(key).chain(&secrets[9]);
        keyed.finalize_xof().read(&mut out);
        reveal(&out);
    }

    /// Hashers, on the detected backend.
    fn hashers() {
        let mut secret = message(1, 500);
        hide(&mut secret);
        reveal(&Sha256::digest(&secret));
        reveal(&Sha512::digest(&secret));
        reveal(&Sha3_256::digest(&secret));
        reveal(&Blake2b512::digest(&secret));
        let mac = <Skein512Mac>::new_from_slice(&secret[..40]).expect("keys of any length");
        reveal(&mac.chain_update(&secret).finalize().into_bytes());
    }

    /// A deliberate leak, which the check must find.
    fn leak() {
        let mut secret = message(1, 1);
        hide(&mut secret);
        if black_box(secret[0]) & 1 == 0 {
            black_box(&mut secret)[0] = 1;
        }
    }

    /// Runs `check`, and prints the number of errors that it caused.
    fn count(name: &str, check: impl FnOnce()) -> u64 {
        let before = errors();
        check();
        let found = errors() - before;
        println!("{name}: {found} branches or addresses that depend on secrets");
        found
    }

    macro_rules! plain {
        (($backend:expr) $($name:ident: $module:ident::{$hash:ident, $compression:ident}, $peer:ty;)*) => {
            $(hash::<jlanes::$hash>($backend);)*
        };
    }

    pub(crate) fn main() -> Result<ExitCode> {
        ensure!(is_running(), "this is to be run in Valgrind");
        if env::args().nth(1).as_deref() == Some("leak") {
            return Ok(if count("leak", leak) == 0 {
                ExitCode::SUCCESS
            } else {
                ExitCode::FAILURE
            });
        }
        let mut found = count("hashers", hashers);
        found += count("keyed", keyed);
        for backend in backends::<Backend>() {
            found += count(backend.name(), || {
                hash::<Sha1>(backend);
                hash::<Sha224>(backend);
                hash::<Sha256>(backend);
                hash::<Sha384>(backend);
                hash::<Sha512>(backend);
                hash::<Sha512_224>(backend);
                hash::<Sha512_256>(backend);
                jlanes_testing::plain_hashes!(plain, (backend));
                hash::<Sha3_256>(backend);
                hash::<Sha3_512>(backend);
                hash::<Keccak256>(backend);
                batches::<Blake2b512>(backend);
                batches::<Blake2s256>(backend);
                outputs(backend);
                hash::<Skein256>(backend);
                hash::<Skein512>(backend);
                hash::<Skein1024>(backend);
            });
        }
        Ok(if found == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

#[cfg(target_arch = "x86_64")]
fn main() -> anyhow::Result<std::process::ExitCode> {
    checks::main()
}

#[cfg(not(target_arch = "x86_64"))]
fn main() -> anyhow::Result<()> {
    anyhow::bail!("the requests to Valgrind are written for x86-64")
}
