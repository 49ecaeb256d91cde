//! Chains of one-time keys and leaves of FORS trees, on lanes.

use core::ops::Range;

use alloc::{vec, vec::Vec};

use hybrid_array::Array;
use jlanes::multi::TweakedChains;
use typenum::Unsigned;

use crate::{
    SkSeed,
    address::{ForsTree, WotsHash},
    fors::ForsParams,
    hashes::HashSuite,
    wots::WotsParams,
};

/// Steps of a chain of WOTS+, from its secret to its end.
const LAST: u64 = 15;

/// Advances values under addresses of which the last word is the step.
fn advance<H: HashSuite>(
    suite: &H,
    tweaks: &[Vec<u8>],
    steps: &(dyn Fn(usize) -> Range<u64> + Sync),
    values: &mut [Array<u8, H::N>],
) {
    let size = tweaks.first().map_or(4, Vec::len);
    let tweak = |chain: usize, step: u64, tweak: &mut [u8]| {
        tweak.copy_from_slice(&tweaks[chain]);
        tweak[size - 4..].copy_from_slice(&(step as u32).to_be_bytes());
    };
    suite.chains(&TweakedChains { steps, size, tweak: &tweak }, values);
}

/// The values of all chains of one-time keys, after a number of steps of each chain.
pub(crate) fn wots_chains<P: WotsParams>(
    suite: &P,
    sk_seed: &SkSeed<P::N>,
    adrs: &WotsHash,
    keys: &[u32],
    steps: &(dyn Fn(usize) -> u64 + Sync),
) -> Vec<Array<u8, P::N>> {
    let count = P::WotsSigLen::USIZE;
    let (mut secrets, mut chains) = (Vec::new(), Vec::new());
    let mut adrs = adrs.clone();
    for key in keys {
        adrs.key_pair_adrs.set(*key);
        let mut secret = adrs.prf_adrs();
        for chain in 0..count as u32 {
            adrs.chain_adrs.set(chain);
            secret.chain_adrs.set(chain);
            chains.push(suite.tweak(&adrs));
            secrets.push(suite.tweak(&secret));
        }
    }
    let mut values = vec![sk_seed.0.clone(); keys.len() * count];
    advance(suite, &secrets, &|_| 0..1, &mut values);
    advance(suite, &chains, &|chain| 0..steps(chain), &mut values);
    values
}

/// The public keys of one-time keys.
pub(crate) fn wots_keys<P: WotsParams>(
    suite: &P,
    sk_seed: &SkSeed<P::N>,
    adrs: &WotsHash,
    keys: &[u32],
) -> Vec<Array<u8, P::N>> {
    let ends = wots_chains(suite, sk_seed, adrs, keys, &|_| LAST);
    let each = ends.chunks(P::WotsSigLen::USIZE).zip(keys);
    each.map(|(ends, key)| {
        let mut adrs = adrs.clone();
        adrs.key_pair_adrs.set(*key);
        let ends = Array::<_, P::WotsSigLen>::from_fn(|i| ends[i].clone());
        suite.t(&adrs.pk_adrs(), &ends)
    })
    .collect()
}

/// The leaves of FORS trees with these indices.
pub(crate) fn fors_leaves<P: ForsParams>(
    suite: &P,
    sk_seed: &SkSeed<P::N>,
    adrs: &ForsTree,
    indices: Range<u32>,
) -> Vec<Array<u8, P::N>> {
    let count = indices.len();
    let mut adrs = adrs.clone();
    adrs.tree_height.set(0);
    let step =
        |i: usize| u64::from(indices.start) + i as u64..u64::from(indices.start) + i as u64 + 1;
    let mut values = vec![sk_seed.0.clone(); count];
    advance(suite, &vec![suite.tweak(&adrs.prf_adrs()); count], &step, &mut values);
    advance(suite, &vec![suite.tweak(&adrs); count], &step, &mut values);
    values
}

/// The root over leaves; `node` gets the height and the index of a node, and its children.
pub(crate) fn root<T>(mut level: Vec<T>, node: impl Fn(u32, u32, &T, &T) -> T) -> T {
    let mut height = 0;
    while level.len() > 1 {
        height += 1;
        let pairs = level.chunks(2).enumerate();
        level = pairs.map(|(i, pair)| node(height, i as u32, &pair[0], &pair[1])).collect();
    }
    level.remove(0)
}
