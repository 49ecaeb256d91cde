//! Two roots that an Ethereum client computes repeatedly: of the state's trie, by Keccak-256, and
//! of a beacon state's validators, by SHA-256.
//!
//! - `accounts FILE`: lines of an address and the account's RLP, both in hex
//! - `validators FILE`: a beacon state's validators in SSZ, 121 bytes each
//!
//! Without arguments it computes both on generated data.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example ethereum -- [accounts|validators FILE]
//! ```

mod peers;
mod ssz;
mod trie;

use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use jlanes::{Keccak256, multi::Lanes};
use jlanes_examples::{Contest, Noise, peer};

use trie::{Account, Trie};

/// The Keccak-256 digests of many messages.
fn keccak256_batch(messages: &[&[u8]]) -> Vec<[u8; 32]> {
    let digests = Lanes::<Keccak256>::new().digests(messages);
    digests.into_iter().map(Into::into).collect()
}

/// The accounts of addresses of 20 bytes, in the order of the trie.
fn accounts(addresses: &[u8], values: Vec<Vec<u8>>) -> Vec<Account> {
    let addresses: Vec<&[u8]> = addresses.chunks(20).collect();
    let mut accounts: Vec<Account> = keccak256_batch(&addresses).into_iter().zip(values).collect();
    accounts.sort_unstable_by_key(|(key, _)| *key);
    accounts
}

fn state(contest: &mut Contest, accounts: &[Account]) -> Result<()> {
    let apart = accounts.windows(2).all(|pair| pair[0].0 < pair[1].0);
    ensure!(!accounts.is_empty() && apart, "there are accounts, and no address is there twice");
    let mut nodes: [Vec<Vec<u8>>; 2] = Default::default();
    Trie::new(accounts).root(keccak256_batch, |level, leaves| {
        nodes[usize::from(leaves)].extend(level.iter().map(|node| node.to_vec()));
    });
    let [branches, leaves] = nodes.each_ref().map(|nodes| nodes.iter().map(|node| &node[..]));
    let (branches, leaves): (Vec<&[u8]>, Vec<&[u8]>) = (branches.collect(), leaves.collect());
    let all = [&branches[..], &leaves].concat();

    for (what, nodes) in [("leaves", &leaves), ("branches", &branches), ("nodes", &all)] {
        let work = format!("Keccak-256 of {} {what}", nodes.len());
        let ours = || keccak256_batch(nodes);
        contest.run(&work, &peer("sha3"), || peers::sha3(nodes), ours)?;
        contest.run(&work, &peer("keccak-asm"), || peers::keccak_asm(nodes), ours)?;
    }

    let work = format!("root of {} accounts", accounts.len());
    let ours = || Trie::new(accounts).root(keccak256_batch, |_, _| ());
    let theirs = || peers::state_root(accounts);
    let root = contest.run(&work, &peer("alloy-trie"), theirs, ours)?;
    println!("state root {}", hex::encode(root));
    Ok(())
}

fn validators(contest: &mut Contest, bytes: &[u8]) -> Result<()> {
    ensure!(bytes.len().is_multiple_of(ssz::VALIDATOR), "validators have 121 bytes");
    let work = format!("root of {} validators", bytes.len() / ssz::VALIDATOR);
    let theirs = || Ok(ssz::root_one_by_one(bytes));
    let root = contest.run(&work, &peers::name(), theirs, || ssz::root(bytes))??;
    println!("validators root {}", hex::encode(root));
    Ok(())
}

/// Accounts with some wei, most of them without code.
fn sample(count: usize) -> Vec<Account> {
    let mut noise = Noise::new(1);
    let addresses = noise.bytes(20 * count);
    let value = |_| {
        let mut body = Vec::new();
        trie::string(&[1 + noise.below(100) as u8], &mut body);
        trie::string(&(noise.word() | 1 << 63).to_be_bytes(), &mut body);
        trie::string(&noise.array::<32>(), &mut body);
        trie::string(&noise.array::<32>(), &mut body);
        let mut account = Vec::new();
        trie::header(0xc0, body.len(), &mut account);
        [account, body].concat()
    };
    accounts(&addresses, (0..count).map(value).collect())
}

fn read(text: &str) -> Result<Vec<Account>> {
    let (mut addresses, mut values) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let (address, value) = line.split_once(' ').context("a line is ADDRESS RLP")?;
        let address = hex::decode(address)?;
        ensure!(address.len() == 20, "an address has 20 bytes");
        addresses.extend(address);
        values.push(hex::decode(value)?);
    }
    Ok(accounts(&addresses, values))
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut contest = Contest::default();
    match args[..] {
        [] => {
            state(&mut contest, &sample(700_000))?;
            validators(&mut contest, &Noise::new(2).bytes(500_000 * ssz::VALIDATOR))?;
        }
        ["accounts", file] => state(&mut contest, &read(&fs::read_to_string(file)?)?)?,
        ["validators", file] => validators(&mut contest, &fs::read(file)?)?,
        _ => bail!("usage: ethereum [accounts|validators FILE]"),
    }
    contest.end();
    Ok(())
}
