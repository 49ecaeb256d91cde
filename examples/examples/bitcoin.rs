//! The hashes that a Bitcoin node or a wallet server computes by the million: block headers, Merkle
//! roots of transactions, and HASH160 of public keys.
//!
//! - `headers FILE`: checks that each header of 80 bytes, one after the other as in Electrum's
//!   `blockchain_headers`, contains the hash of the one before, and prints the last hash
//! - `ids FILE`: the Merkle root of a block's transaction ids, one per line
//! - `keys FILE`: HASH160 of public keys in hex, one per line
//!
//! Without arguments it does all three on generated data.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example bitcoin -- [headers|ids|keys FILE]
//! ```

use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use bitcoin_hashes::{Sha256d, hash160};
use jlanes::{
    Ripemd160, Sha256,
    digest::Output,
    merkle::{self, Bitcoin, Format},
    multi::Lanes,
};
use jlanes_examples::{Contest, Noise, peer};

const HEADER: usize = 80;
/// The offset of the previous header's hash in a header.
const PARENT: std::ops::Range<usize> = 4..36;

fn header_hashes(headers: &[u8]) -> Vec<[u8; 32]> {
    let mut hashes = vec![Output::<Sha256>::default(); headers.len() / HEADER];
    Lanes::<Sha256>::new().double_nodes(headers, HEADER, &mut hashes);
    hashes.into_iter().map(Into::into).collect()
}

fn headers(contest: &mut Contest, headers: &[u8]) -> Result<()> {
    ensure!(!headers.is_empty() && headers.len().is_multiple_of(HEADER), "headers have 80 bytes");
    let work = format!("{} headers", headers.len() / HEADER);
    let theirs = || {
        let hash = |header| Sha256d::hash(header).to_byte_array();
        headers.chunks(HEADER).map(hash).collect()
    };
    let hashes = contest.run(&work, &peer("bitcoin_hashes"), theirs, || header_hashes(headers))?;
    for (i, header) in headers.chunks(HEADER).enumerate().skip(1) {
        ensure!(header[PARENT] == hashes[i - 1], "header {i} does not follow header {}", i - 1);
    }
    let last = hashes.last().context("a header")?;
    println!("a chain of {} headers up to {}", hashes.len(), display(last));
    Ok(())
}

/// The root by `bitcoin_hashes`: one call per level.
fn root_by_levels(ids: &[[u8; 32]]) -> [u8; 32] {
    let mut level = ids.to_vec();
    while level.len() > 1 {
        let node = |pair: &[[u8; 32]]| {
            let mut node = [0; 64];
            node[..32].copy_from_slice(&pair[0]);
            node[32..].copy_from_slice(&pair[pair.len() - 1]); // the last one pairs with itself
            node
        };
        let nodes: Vec<[u8; 64]> = level.chunks(2).map(node).collect();
        level.truncate(nodes.len());
        Sha256d::hash_64_many(&mut level, &nodes);
    }
    level[0]
}

fn roots(contest: &mut Contest, blocks: &[Vec<[u8; 32]>]) -> Result<Vec<[u8; 32]>> {
    let count: usize = blocks.iter().map(Vec::len).sum();
    let work = format!("{} Merkle roots of {count} ids", blocks.len());
    let ours = || -> Result<Vec<[u8; 32]>, merkle::Error> {
        let root = |ids: &Vec<[u8; 32]>| Ok(Bitcoin.digest(ids.as_flattened())?.root.into());
        blocks.iter().map(root).collect()
    };
    let theirs = || Ok(blocks.iter().map(|ids| root_by_levels(ids)).collect());
    Ok(contest.run(&work, &peer("bitcoin_hashes"), theirs, ours)??)
}

fn key_hashes(contest: &mut Contest, keys: &[impl AsRef<[u8]>]) -> Result<Vec<[u8; 20]>> {
    let keys: Vec<&[u8]> = keys.iter().map(AsRef::as_ref).collect();
    let ours = || {
        let inner = Lanes::<Sha256>::new().digests(&keys);
        let hashes = Lanes::<Ripemd160>::new().digests(&inner);
        hashes.into_iter().map(Into::into).collect::<Vec<[u8; 20]>>()
    };
    let theirs = || keys.iter().map(|key| hash160::Hash::hash(key).to_byte_array()).collect();
    let work = format!("HASH160 of {} keys", keys.len());
    Ok(contest.run(&work, &peer("bitcoin_hashes"), theirs, ours)?)
}

/// Bitcoin shows hashes from their last byte to the first.
fn display(hash: &[u8; 32]) -> String {
    hex::encode(hash.iter().rev().copied().collect::<Vec<u8>>())
}

fn id(line: &str) -> Result<[u8; 32]> {
    let mut id = [0; 32];
    hex::decode_to_slice(line.trim(), &mut id)?;
    id.reverse();
    Ok(id)
}

/// A chain of headers with no content but the previous hash.
fn sample_headers(count: usize) -> Vec<u8> {
    let mut noise = Noise::new(1);
    let (mut headers, mut parent) = (Vec::new(), [0; 32]);
    for _ in 0..count {
        let mut header = noise.array::<HEADER>();
        header[PARENT].copy_from_slice(&parent);
        parent = header_hashes(&header)[0];
        headers.extend(header);
    }
    headers
}

/// Blocks with a typical number of transactions.
fn sample_blocks(count: usize) -> Vec<Vec<[u8; 32]>> {
    let mut noise = Noise::new(2);
    (0..count).map(|_| (0..1000 + noise.below(4000)).map(|_| noise.array()).collect()).collect()
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut contest = Contest::default();
    match args[..] {
        [] => {
            headers(&mut contest, &sample_headers(200_000))?;
            roots(&mut contest, &sample_blocks(200))?;
            let mut noise = Noise::new(3);
            let keys: Vec<[u8; 33]> = (0..1_000_000).map(|_| noise.array()).collect();
            key_hashes(&mut contest, &keys)?;
        }
        ["headers", file] => headers(&mut contest, &fs::read(file)?)?,
        ["ids", file] => {
            let ids = fs::read_to_string(file)?.lines().map(id).collect::<Result<_>>()?;
            println!("root {}", display(&roots(&mut contest, &[ids])?[0]));
        }
        ["keys", file] => {
            let text = fs::read_to_string(file)?;
            let keys: Vec<_> = text.lines().map(hex::decode).collect::<Result<_, _>>()?;
            for hash in key_hashes(&mut contest, &keys)? {
                println!("{}", hex::encode(hash));
            }
        }
        _ => bail!("usage: bitcoin [headers|ids|keys FILE]"),
    }
    contest.end();
    Ok(())
}
