//! The hash functions of FIPS 205, section 11, of many inputs at once.

use std::ops::Range;

use jlanes::{
    Digest, Sha256, Sha512, Shake256,
    digest::{ExtendableOutput, Output},
    multi::{Lanes, MultiDigest, TweakedChains, Xofs},
};

use super::params::{Family, Params};

/// The purpose and place of a hash: the ADRS of the standard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) layer: u32,
    pub(crate) tree: u64,
    pub(crate) kind: Kind,
    /// Key pair, or 0 in the trees of layers.
    pub(crate) pair: u32,
    /// Chain, or height.
    pub(crate) column: u32,
    /// Step, or index.
    pub(crate) row: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    WotsHash,
    WotsKey,
    Tree,
    ForsTree,
    ForsRoots,
    WotsSecret,
    ForsSecret,
}

/// The functions of a set under one public seed.
pub(crate) struct Hashes {
    params: Params,
    seed: Vec<u8>,
    /// The seed padded to a block, which starts all inputs of SHA-2.
    block: [u8; 128],
}

/// Contiguous inputs of one length, each after its address.
pub(crate) struct Inputs {
    bytes: Vec<u8>,
    width: usize,
    count: usize,
}

impl Hashes {
    pub(crate) fn new(params: Params, seed: &[u8]) -> Self {
        let mut block = [0; 128];
        block[..seed.len()].copy_from_slice(seed);
        Self { params, seed: seed.to_vec(), block }
    }

    /// Inputs under addresses; `input` appends the input for the address with an index.
    pub(crate) fn inputs(
        &self,
        addresses: impl Iterator<Item = Address>,
        input: impl Fn(usize, &mut Vec<u8>),
    ) -> Inputs {
        let mut inputs = Inputs { bytes: Vec::new(), width: 0, count: 0 };
        for address in addresses {
            self.put(address, &mut inputs.bytes);
            input(inputs.count, &mut inputs.bytes);
            inputs.count += 1;
        }
        inputs.width = inputs.bytes.len() / inputs.count.max(1);
        inputs
    }

    /// SHA-2 has a shorter form of addresses, after the block of the seed.
    fn put(&self, address: Address, bytes: &mut Vec<u8>) {
        let Address { layer, tree, kind, pair, column, row } = address;
        let words = [kind as u32, pair, column, row];
        let mut whole = [0; 32];
        whole[..4].copy_from_slice(&layer.to_be_bytes());
        whole[8..16].copy_from_slice(&tree.to_be_bytes());
        for (bytes, word) in whole[16..].chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        match self.params.family {
            Family::Sha2 => {
                let mut short = [0; 22];
                short[0] = whole[3];
                short[1..9].copy_from_slice(&whole[8..16]);
                short[9..].copy_from_slice(&whole[19..]);
                bytes.extend(short);
            }
            Family::Shake => {
                bytes.extend(&self.seed);
                bytes.extend(whole);
            }
        }
    }

    /// Advances contiguous nodes by F or PRF, each under an address of which the last word is the step.
    pub(crate) fn chains(
        &self,
        addresses: impl Iterator<Item = Address>,
        steps: &(dyn Fn(usize) -> Range<u64> + Sync),
        nodes: &mut [u8],
    ) {
        let (mut all, mut size) = (Vec::new(), 0);
        for address in addresses {
            let before = all.len();
            self.put(address, &mut all);
            size = all.len() - before;
        }
        let tweak = |chain: usize, step: u64, tweak: &mut [u8]| {
            copy(&all[chain * size..][..size], tweak);
            tweak[size - 4..].copy_from_slice(&(step as u32).to_be_bytes());
        };
        let chains = TweakedChains { steps, size, tweak: &tweak };
        let mut nodes: Vec<&mut [u8]> = nodes.chunks_mut(self.params.n).collect();
        match self.params.family {
            Family::Shake => Xofs::<Shake256>::new().tweaked_chains(&chains, &mut nodes),
            Family::Sha2 => {
                let lanes = Lanes::<Sha256>::new().prefix(&self.block[..64]);
                lanes.tweaked_chains(&chains, &mut nodes);
            }
        }
    }

    /// The results of H or T for contiguous inputs of several nodes; the larger sets use SHA-512.
    pub(crate) fn run(&self, inputs: &Inputs) -> Vec<u8> {
        match (self.params.family, self.params.n) {
            (Family::Shake, _) => self.shake(inputs),
            (Family::Sha2, 16) => self.sha2::<Sha256>(&self.block[..64], inputs),
            (Family::Sha2, _) => self.sha2::<Sha512>(&self.block, inputs),
        }
    }

    fn shake(&self, inputs: &Inputs) -> Vec<u8> {
        let mut nodes = vec![0; inputs.count * self.params.n];
        let messages: Vec<&[u8]> = inputs.bytes.chunks(inputs.width).collect();
        let mut outs: Vec<&mut [u8]> = nodes.chunks_mut(self.params.n).collect();
        Xofs::<Shake256>::new().fill(&messages, &mut outs);
        nodes
    }

    fn sha2<H: MultiDigest>(&self, prefix: &[u8], inputs: &Inputs) -> Vec<u8> {
        let mut digests = vec![Output::<H>::default(); inputs.count];
        Lanes::<H>::new().prefix(prefix).nodes(&inputs.bytes, inputs.width, &mut digests);
        let mut nodes = vec![0; inputs.count * self.params.n];
        for (digest, node) in digests.iter().zip(nodes.chunks_mut(self.params.n)) {
            node.copy_from_slice(&digest[..node.len()]);
        }
        nodes
    }

    /// The randomizer of a message's digest.
    pub(crate) fn randomizer(&self, secret: &[u8], random: &[u8], message: &[u8]) -> Vec<u8> {
        let (n, message) = (self.params.n, [random, message].concat());
        match (self.params.family, n) {
            (Family::Shake, _) => shake(&[secret, &message].concat(), n),
            (Family::Sha2, 16) => hmac::<Sha256>(secret, &message, n),
            (Family::Sha2, _) => hmac::<Sha512>(secret, &message, n),
        }
    }

    /// The digest of a message, for the key with this root.
    pub(crate) fn message(&self, randomizer: &[u8], root: &[u8], message: &[u8]) -> Vec<u8> {
        let head = [randomizer, &self.seed].concat();
        let message = [&head, root, message].concat();
        match (self.params.family, self.params.n) {
            (Family::Shake, _) => shake(&message, self.params.m),
            (Family::Sha2, 16) => mgf1::<Sha256>(&head, &message, self.params.m),
            (Family::Sha2, _) => mgf1::<Sha512>(&head, &message, self.params.m),
        }
    }
}

/// Copies an address. With a length known at compile time it is a few moves instead of a call.
fn copy(address: &[u8], tweak: &mut [u8]) {
    match address.len() {
        22 => tweak.copy_from_slice(&address[..22]),
        48 => tweak.copy_from_slice(&address[..48]),
        n => tweak.copy_from_slice(&address[..n]),
    }
}

fn shake(message: &[u8], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    Shake256::digest_xof(message, &mut out);
    out
}

fn hmac<H: MultiDigest>(key: &[u8], message: &[u8], len: usize) -> Vec<u8> {
    let mut tag = [Output::<H>::default()];
    Lanes::<H>::new().hmac(key, &[message], &mut tag);
    tag[0][..len].to_vec()
}

/// The mask of a digest of `message`, after `head`.
fn mgf1<H: MultiDigest + Digest>(head: &[u8], message: &[u8], len: usize) -> Vec<u8> {
    let digest = H::digest(message);
    let mask = |counter: u32| H::digest([head, &digest, &counter.to_be_bytes()].concat()).to_vec();
    (0..).flat_map(mask).take(len).collect()
}
