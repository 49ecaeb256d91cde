//! Checks many logins at once against a list of password hashes of PBKDF2-HMAC-SHA512.
//!
//! A login costs a server hundreds of thousands of compressions, one after the other. Other logins
//! run in other lanes meanwhile. The list is passlib's, one line per user:
//! `NAME:$pbkdf2-sha512$ROUNDS$SALT$KEY`; logins are lines `NAME:PASSWORD`.
//!
//! For new lists use Argon2 (the crate `argon2`), which also needs memory. Attackers who guess
//! passwords on lanes or on the thousand cores of a GPU lack memory, and have long had the gain
//! that this program shows. It is for existing lists.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example passwords -- [USERS LOGINS]
//! ```

use std::{collections::HashMap, env, fs};

use anyhow::{Context, Result, bail, ensure};
use base64ct::{Base64Unpadded, Encoding};
use jlanes::{
    Sha512,
    digest::{CtOutput, Output},
    multi::Lanes,
};
use jlanes_examples::{Contest, Noise, peer};
use pbkdf2::pbkdf2_hmac;

type Key = Output<Sha512>;

/// The stored data of a user's password.
struct Entry {
    rounds: u32,
    salt: Vec<u8>,
    key: Key,
}

/// A login of a known user: the stored data and the password.
type Login<'a> = (&'a Entry, &'a [u8]);

/// passlib's base64 has a dot for the plus sign.
fn decode(text: &str) -> Result<Vec<u8>> {
    Ok(Base64Unpadded::decode_vec(&text.replace('.', "+"))?)
}

fn encode(bytes: &[u8]) -> String {
    Base64Unpadded::encode_string(bytes).replace('+', ".")
}

fn entry(line: &str) -> Result<(&str, Entry)> {
    let (name, hash) = line.split_once(':').context("a line is NAME:HASH")?;
    let fields: Vec<&str> = hash.split('$').collect();
    let ["", "pbkdf2-sha512", rounds, salt, key] = fields[..] else {
        bail!("{name}: no hash of PBKDF2-HMAC-SHA512");
    };
    let key = decode(key)?;
    ensure!(key.len() == 64, "{name}: the key has 64 bytes");
    let key = Key::try_from(&key[..])?;
    Ok((name, Entry { rounds: rounds.parse()?, salt: decode(salt)?, key }))
}

/// Whether each login has the right password. Logins with the same number of rounds are checked
/// together.
fn on_lanes(logins: &[Login]) -> Vec<bool> {
    let mut groups: HashMap<u32, Vec<usize>> = HashMap::new();
    for (i, (entry, _)) in logins.iter().enumerate() {
        groups.entry(entry.rounds).or_default().push(i);
    }
    let mut right = vec![false; logins.len()];
    for (rounds, group) in groups {
        let passwords: Vec<&[u8]> = group.iter().map(|i| logins[*i].1).collect();
        let salts: Vec<&[u8]> = group.iter().map(|i| &logins[*i].0.salt[..]).collect();
        let mut keys = vec![Key::default(); group.len()];
        let mut outs: Vec<&mut [u8]> = keys.iter_mut().map(|key| &mut key[..]).collect();
        Lanes::<Sha512>::new().pbkdf2(&passwords, &salts, rounds, &mut outs);
        for (i, key) in group.into_iter().zip(keys) {
            right[i] = same(&key, &logins[i].0.key);
        }
    }
    right
}

fn one_by_one(logins: &[Login]) -> Vec<bool> {
    let right = |(entry, password): &Login| {
        let mut key = Key::default();
        pbkdf2_hmac::<sha2::Sha512>(password, &entry.salt, entry.rounds, &mut key);
        same(&key, &entry.key)
    };
    logins.iter().map(right).collect()
}

/// Compares in a time that is independent of where the keys differ.
fn same(key: &Key, kept: &Key) -> bool {
    CtOutput::<Sha512>::new(*key) == CtOutput::new(*kept)
}

/// A thousand users with a tenth of passlib's rounds, and their logins. Every tenth password is
/// wrong.
fn sample() -> (String, String) {
    let mut noise = Noise::new(1);
    let (mut users, mut logins) = (String::new(), String::new());
    for i in 0..1000 {
        let (salt, mut key) = (noise.array::<16>(), [0; 64]);
        let password = format!("{:x}", noise.word());
        Lanes::<Sha512>::new().pbkdf2(&[&password], &[salt], 2500, &mut [&mut key]);
        users += &format!("user{i}:$pbkdf2-sha512$2500${}${}\n", encode(&salt), encode(&key));
        logins += &format!("user{i}:{password}{}\n", if i % 10 == 9 { "?" } else { "" });
    }
    (users, logins)
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let (users, logins) = match &args[..] {
        [] => sample(),
        [users, logins] => (fs::read_to_string(users)?, fs::read_to_string(logins)?),
        _ => bail!("usage: passwords [USERS LOGINS]"),
    };
    let users: HashMap<&str, Entry> = users.lines().map(entry).collect::<Result<_>>()?;
    let logins: Vec<(&str, &str)> =
        logins.lines().filter_map(|line| line.split_once(':')).collect();
    let (known, unknown): (Vec<_>, Vec<_>) =
        logins.into_iter().partition(|(name, _)| users.contains_key(name));
    let checks: Vec<Login> =
        known.iter().map(|(name, password)| (&users[name], password.as_bytes())).collect();

    let mut contest = Contest::default();
    let work = format!("{} logins", checks.len());
    let right =
        contest.run(&work, &peer("pbkdf2"), || one_by_one(&checks), || on_lanes(&checks))?;
    if !args.is_empty() {
        let wrong = known.iter().zip(&right).filter(|(_, right)| !**right).map(|(login, _)| login);
        for (name, _) in wrong.chain(&unknown) {
            println!("{name}: refused");
        }
    }
    let good = right.iter().filter(|right| **right).count();
    println!("{good} logins accepted, {} refused", right.len() - good + unknown.len());
    contest.end();
    Ok(())
}
