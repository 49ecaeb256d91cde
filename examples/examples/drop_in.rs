//! A message authentication code under a password, by the crates `pbkdf2` and `hmac`, with jlanes'
//! hasher instead of sha2's.
//!
//! [`tag`] names no crate of hash functions: it is generic over RustCrypto's traits. The program
//! runs it with both and prints the tag that they agree on.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example drop_in -- PASSWORD MESSAGE
//! ```

use std::env;

use anyhow::{Result, bail, ensure};
use hmac::{EagerHash, Hmac, KeyInit, Mac};
use pbkdf2::pbkdf2_hmac;

const SALT: &[u8] = b"an example's; yours is random";
const ROUNDS: u32 = 10_000;

/// The tag of `message` in hex, under a key derived from `password`.
fn tag<H>(password: &[u8], message: &[u8]) -> Result<String>
where
    H: EagerHash<Core: Sync>,
    Hmac<H>: Mac + KeyInit,
{
    let mut key = [0; 32];
    pbkdf2_hmac::<H>(password, SALT, ROUNDS, &mut key);
    let mut mac = <Hmac<H> as KeyInit>::new_from_slice(&key)?;
    mac.update(message);
    Ok(hex::encode(mac.finalize().into_bytes()))
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [password, message] = &args[..] else { bail!("usage: drop_in PASSWORD MESSAGE") };

    let ours = tag::<jlanes::Sha256>(password.as_bytes(), message.as_bytes())?;
    let theirs = tag::<sha2::Sha256>(password.as_bytes(), message.as_bytes())?;
    ensure!(ours == theirs, "the hashers disagree: {ours}, {theirs}");
    println!("{ours}");
    Ok(())
}
