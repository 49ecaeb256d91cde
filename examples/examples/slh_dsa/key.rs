//! Keys and signatures, with as few dependencies as possible: the trees of all layers depend only
//! on the key, so they grow together, and the chains of many one-time keys take each step together.

use super::{
    hashes::{Address, Hashes, Kind},
    params::Params,
};

/// One-time keys with chains that advance together: as many as fit a core's cache.
const KEYS: usize = 32;
/// FORS leaves that are computed together, likewise.
const LEAVES: usize = 1024;
/// Steps of a chain, from its secret to its end.
const LAST: u64 = 15;

pub(crate) struct Key {
    params: Params,
    hashes: Hashes,
    seed: Vec<u8>,
    prf: Vec<u8>,
    public_seed: Vec<u8>,
    root: Vec<u8>,
}

/// A one-time key: its layer, tree and leaf.
type Place = (u32, u64, u32);

/// The address of a purpose at a one-time key, for row 0.
fn address(place: &Place, kind: Kind, column: u32) -> Address {
    let (layer, tree, pair) = *place;
    Address { layer, tree, kind, pair, column, row: 0 }
}

/// Trees of one height, by levels from the leaves; each level has one tree after the other.
struct Forest {
    levels: Vec<Vec<u8>>,
    n: usize,
}

impl Forest {
    /// The sibling nodes on the path from a leaf of a tree.
    fn path(&self, tree: usize, leaf: usize) -> Vec<u8> {
        let height = self.levels.len() - 1;
        let node = |z: usize| (tree << (height - z)) + ((leaf >> z) ^ 1);
        (0..height).flat_map(|z| &self.levels[z][node(z) * self.n..][..self.n]).copied().collect()
    }

    fn roots(&self) -> &[u8] {
        &self.levels[self.levels.len() - 1]
    }
}

impl Key {
    /// A key of its three seeds.
    pub(crate) fn generate(params: Params, [seed, prf, public_seed]: [&[u8]; 3]) -> Self {
        let hashes = Hashes::new(params, public_seed);
        let [seed, prf, public_seed] = [seed, prf, public_seed].map(<[u8]>::to_vec);
        let mut key = Self { params, hashes, seed, prf, public_seed, root: Vec::new() };
        let top = params.d - 1;
        let leaves = (0..1 << params.height).map(|leaf| (top as u32, 0, leaf));
        let leaves = key.one_time_keys(&leaves.collect::<Vec<_>>());
        key.root = key.trees(leaves, &[(top as u32, 0)]).roots().to_vec();
        key
    }

    /// The standard's form of a key: three seeds and the root.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        [&self.seed[..], &self.prf, &self.public_seed, &self.root].concat()
    }

    /// The standard's `slh_sign_internal`: signs a message after its context, with randomness of
    /// `n` bytes.
    pub(crate) fn sign(&self, message: &[u8], random: &[u8]) -> Vec<u8> {
        let Params { n, d, height, a, k, .. } = self.params;
        let randomizer = self.hashes.randomizer(&self.prf, random, message);
        let digest = self.hashes.message(&randomizer, &self.root, message);
        let (indices, rest) = digest.split_at((k * a).div_ceil(8));
        let (tree, leaf) = rest.split_at((height * (d - 1)).div_ceil(8));
        let tree = number(tree, height * (d - 1));
        let leaf = number(leaf, height);

        // the position at which each layer signs the one below
        let mask = (1 << height) - 1;
        let mut place = (tree, leaf as u32);
        let mut places = Vec::with_capacity(d);
        for layer in 0..d as u32 {
            places.push((layer, place.0, place.1));
            place = (place.0 >> height, (place.0 & mask) as u32);
        }

        let (mut signature, node) = self.few_time(places[0], &digits(indices, a, k));
        signature.splice(..0, randomizer);

        let trees: Vec<(u32, u64)> =
            places.iter().map(|(layer, tree, _)| (*layer, *tree)).collect();
        let leaves = |(layer, tree): &(u32, u64)| {
            let (layer, tree) = (*layer, *tree);
            (0..1 << height).map(move |leaf| (layer, tree, leaf))
        };
        let leaves: Vec<Place> = trees.iter().flat_map(leaves).collect();
        let forest = self.trees(self.one_time_keys(&leaves), &trees);

        // each layer signs the root of the one below, the lowest one the FORS key
        let roots = forest.roots().chunks(n);
        let nodes = [&node[..]].into_iter().chain(roots).take(d);
        let digits: Vec<usize> = nodes.flat_map(|node| self.checked_digits(node)).collect();
        let values = self.one_time_chains(&places, &|chain| digits[chain] as u64);
        let signed = values.chunks(self.params.chains() * n);
        for (layer, (values, (_, _, leaf))) in signed.zip(&places).enumerate() {
            signature.extend(values);
            signature.extend(forest.path(layer, *leaf as usize));
        }
        signature
    }

    /// The leaves of one-time keys at `places`.
    fn one_time_keys(&self, places: &[Place]) -> Vec<u8> {
        let (n, count) = (self.params.n, self.params.chains());
        let mut leaves = Vec::with_capacity(places.len() * n);
        for places in places.chunks(KEYS) {
            let ends = self.one_time_chains(places, &|_| LAST);
            let keys = places.iter().map(|place| address(place, Kind::WotsKey, 0));
            let ends =
                |i: usize, out: &mut Vec<u8>| out.extend(&ends[i * count * n..][..count * n]);
            leaves.extend(self.hashes.run(&self.hashes.inputs(keys, ends)));
        }
        leaves
    }

    /// The values of the chains of one-time keys at `places`, after a number of steps of each chain.
    fn one_time_chains(&self, places: &[Place], steps: &(dyn Fn(usize) -> u64 + Sync)) -> Vec<u8> {
        let count = self.params.chains();
        let chains = |kind| {
            let chains = move |place| (0..count).map(move |i| address(place, kind, i as u32));
            places.iter().flat_map(chains)
        };
        let mut values = self.seed.repeat(places.len() * count);
        self.hashes.chains(chains(Kind::WotsSecret), &|_| 0..1, &mut values);
        self.hashes.chains(chains(Kind::WotsHash), &|chain| 0..steps(chain), &mut values);
        values
    }

    /// The trees of layers above their leaves.
    fn trees(&self, leaves: Vec<u8>, trees: &[(u32, u64)]) -> Forest {
        let address = |tree: usize, column: u32, row: u32| {
            let (layer, tree) = trees[tree];
            Address { layer, tree, kind: Kind::Tree, pair: 0, column, row }
        };
        self.forest(leaves, trees.len(), self.params.height, address)
    }

    /// Levels above leaves; `address` returns the address of a tree's node by height and index.
    fn forest(
        &self,
        leaves: Vec<u8>,
        trees: usize,
        height: usize,
        address: impl Fn(usize, u32, u32) -> Address,
    ) -> Forest {
        let n = self.params.n;
        let mut levels = vec![leaves];
        for z in 1..=height {
            let below = &levels[z - 1];
            let width = 1 << (height - z);
            let nodes = (0..trees).flat_map(|tree| (0..width).map(move |index| (tree, index)));
            let addresses = nodes.map(|(tree, index)| address(tree, z as u32, index));
            let children = |i: usize, out: &mut Vec<u8>| out.extend(&below[2 * i * n..][..2 * n]);
            let inputs = self.hashes.inputs(addresses, children);
            levels.push(self.hashes.run(&inputs));
        }
        Forest { levels, n }
    }

    /// The FORS signature of a digest's indices, and the node for the lowest layer to sign.
    fn few_time(&self, place: Place, indices: &[usize]) -> (Vec<u8>, Vec<u8>) {
        let Params { n, a, k, .. } = self.params;
        let (mut secrets, mut leaves) = (Vec::new(), Vec::new());
        for first in (0..k << a).step_by(LEAVES) {
            let count = LEAVES.min((k << a) - first);
            let all = |kind| (0..count).map(move |_| address(&place, kind, 0));
            let index = |i: usize| (first + i) as u64..(first + i + 1) as u64;
            let mut nodes = self.seed.repeat(count);
            self.hashes.chains(all(Kind::ForsSecret), &index, &mut nodes);
            secrets.extend(&nodes);
            self.hashes.chains(all(Kind::ForsTree), &index, &mut nodes);
            leaves.extend(nodes);
        }
        // indices continue from tree to tree
        let of_all = |tree: usize, z: u32, index: u32| ((tree << (a - z as usize)) as u32) + index;
        let forest = self.forest(leaves, k, a, |tree, z, index| Address {
            row: of_all(tree, z, index),
            ..address(&place, Kind::ForsTree, z)
        });
        let mut signature = Vec::new();
        for (tree, index) in indices.iter().enumerate() {
            signature.extend(&secrets[((tree << a) + index) * n..][..n]);
            signature.extend(forest.path(tree, *index));
        }
        let key = [address(&place, Kind::ForsRoots, 0)].into_iter();
        let inputs = self.hashes.inputs(key, |_, out| out.extend(forest.roots()));
        (signature, self.hashes.run(&inputs))
    }

    /// The steps of the chains that sign a node.
    fn checked_digits(&self, node: &[u8]) -> Vec<usize> {
        let mut digits = digits(node, 4, 2 * self.params.n);
        let sum: usize = digits.iter().map(|digit| LAST as usize - digit).sum();
        digits.extend([sum >> 8, sum >> 4 & 15, sum & 15]);
        digits
    }
}

/// The first `count` numbers of `bits` bits.
fn digits(bytes: &[u8], bits: usize, count: usize) -> Vec<usize> {
    let bit = |i: usize| usize::from(bytes[i / 8] >> (7 - i % 8) & 1);
    let digit = |i: usize| (i * bits..(i + 1) * bits).fold(0, |digit, i| digit << 1 | bit(i));
    (0..count).map(digit).collect()
}

/// The last `bits` bits of a number.
fn number(bytes: &[u8], bits: usize) -> u64 {
    let number = bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    if bits < 64 { number & ((1 << bits) - 1) } else { number }
}
