//! HMAC-SHA-256 of a message, by the crate `hmac`, over jlanes' hasher where sha2's was.
//!
//! [`tag`] names no crate of hash functions: whatever has RustCrypto's traits will do. The program
//! runs it over both and prints the one tag that they agree on.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example drop_in -- KEY MESSAGE
//! ```

use std::env;

use anyhow::{Result, bail, ensure};
use hmac::{EagerHash, Hmac, KeyInit, Mac};

/// The tag of `message` in hex.
fn tag<H: EagerHash>(key: &[u8], message: &[u8]) -> Result<String>
where
    Hmac<H>: Mac + KeyInit,
{
    let mut mac = <Hmac<H> as KeyInit>::new_from_slice(key)?;
    mac.update(message);
    Ok(hex::encode(mac.finalize().into_bytes()))
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [key, message] = &args[..] else { bail!("usage: drop_in KEY MESSAGE") };

    let ours = tag::<jlanes::Sha256>(key.as_bytes(), message.as_bytes())?;
    let theirs = tag::<sha2::Sha256>(key.as_bytes(), message.as_bytes())?;
    ensure!(ours == theirs, "the hashers disagree: {ours}, {theirs}");
    println!("{ours}");
    Ok(())
}
