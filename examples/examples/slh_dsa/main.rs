//! Signs with SLH-DSA (FIPS 205), the hash-based signatures that quantum computers do not break, on
//! lanes.
//!
//! A signature takes from a hundred thousand to millions of short hashes, nearly all of them
//! independent. Keys and signatures are compared with those of the crate `slh-dsa` for the same
//! randomness, byte for byte, and verified by it. This is a demonstration: it wipes no secrets.
//!
//! With arguments it signs a file, without a context and as the standard's deterministic variant
//! does. The key is in hex: three seeds and the root. Sets are `SHA2-128f` `SHA2-128s` `SHA2-256f`
//! `SHAKE-128f` `SHAKE-128s` `SHAKE-256f`.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example slh_dsa -- [SET KEY-FILE FILE SIGNATURE]
//! ```

mod hashes;
mod key;
mod params;

use std::{env, fs};

use anyhow::{Context, Result, anyhow, bail, ensure};
use jlanes_examples::{Contest, Noise, peer};
use slh_dsa::{
    ParameterSet, Sha2_128f, Sha2_128s, Sha2_256f, Shake128f, Shake128s, Shake256f, Signature,
    SigningKey,
    signature::{Keypair, Verifier},
};

use key::Key;
use params::{Params, SETS};

type Signer = fn(&mut Contest, Params, &[u8], &[u8]) -> Result<Vec<u8>>;

/// Makes the key again from its seeds and signs the message, as the crate does.
fn sign<P: ParameterSet>(
    contest: &mut Contest,
    params: Params,
    key: &[u8],
    message: &[u8],
) -> Result<Vec<u8>> {
    let (n, peer) = (params.n, peer("slh-dsa"));
    let seeds = [&key[..n], &key[n..2 * n], &key[2 * n..3 * n]];
    let keygen =
        |[seed, prf, public]: [&[u8]; 3]| SigningKey::<P>::slh_keygen_internal(seed, prf, public);

    let work = format!("{} key", params.name);
    let theirs = || keygen(seeds).to_bytes().to_vec();
    let made = contest.run(&work, &peer, theirs, || Key::generate(params, seeds).to_bytes())?;
    ensure!(key.len() == 3 * n || key == made, "the key's root is not that of its seeds");

    let (ours, theirs) = (Key::generate(params, seeds), keygen(seeds));
    let random = seeds[2];
    let behind_context = [&[0, 0], message].concat(); // an empty one
    let work = format!("{} signature", params.name);
    let signature = contest.run(
        &work,
        &peer,
        || {
            theirs
                .try_sign_with_context(message, b"", Some(random))
                .ok()
                .map(|s| s.to_bytes().to_vec())
        },
        || Some(ours.sign(&behind_context, random)),
    )?;
    let signature = signature.context("a signature")?;
    let parsed = Signature::<P>::try_from(&signature[..]).map_err(|_| anyhow!("no signature"))?;
    theirs.verifying_key().verify(message, &parsed).map_err(|_| anyhow!("it does not verify"))?;
    Ok(signature)
}

fn signer(set: &str) -> Result<(Params, Signer)> {
    let signers: [Signer; 6] = [
        sign::<Sha2_128f>,
        sign::<Sha2_128s>,
        sign::<Sha2_256f>,
        sign::<Shake128f>,
        sign::<Shake128s>,
        sign::<Shake256f>,
    ];
    let mut sets = SETS.into_iter().zip(signers);
    sets.find(|(params, _)| params.name == set).with_context(|| format!("{set}: unknown set"))
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let mut contest = Contest::default();
    match &args[..] {
        [] => {
            for set in SETS.map(|params| params.name) {
                let (params, sign) = signer(set)?;
                let seeds = Noise::new(1).bytes(3 * params.n);
                let signature = sign(&mut contest, params, &seeds, b"a message")?;
                println!("a signature of {} bytes, which verifies", signature.len());
            }
        }
        [set, key, file, out] => {
            let (params, sign) = signer(set)?;
            let key = hex::decode(fs::read_to_string(key)?.trim())?;
            ensure!(key.len() == 4 * params.n, "a key of {set} has {} bytes", 4 * params.n);
            let signature = sign(&mut contest, params, &key, &fs::read(file)?)?;
            fs::write(out, &signature)?;
            println!("a signature of {} bytes, which verifies", signature.len());
        }
        _ => bail!("usage: slh_dsa [SET KEY-FILE FILE SIGNATURE]"),
    }
    contest.end();
    Ok(())
}
