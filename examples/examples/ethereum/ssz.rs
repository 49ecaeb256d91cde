//! The SSZ root of a beacon state's validators.

use jlanes::{
    Sha256,
    digest::Output,
    merkle::{self, Format, Ssz},
    multi::Lanes,
};

/// A validator in SSZ: key, credentials, balance, whether slashed, four epochs.
pub(crate) const VALIDATOR: usize = 121;
/// The list has a limit of 2^40 validators.
const LIMIT: u32 = 40;
/// Validators with trees that grow together: as many as fit a core's cache.
const GROUP: usize = 512;

/// The nodes above contiguous nodes.
type Level = fn(&[u8]) -> Vec<u8>;

fn on_lanes(nodes: &[u8]) -> Vec<u8> {
    let mut level = vec![Output::<Sha256>::default(); nodes.len() / 64];
    Lanes::<Sha256>::new().nodes(nodes, 64, &mut level);
    level.concat()
}

/// The roots of validators.
fn validators(bytes: &[u8], level: Level) -> Vec<u8> {
    let mut roots = Vec::with_capacity(bytes.len() / VALIDATOR * 32);
    for group in bytes.chunks(GROUP * VALIDATOR) {
        let mut keys = Vec::with_capacity(GROUP * 64);
        for validator in group.chunks(VALIDATOR) {
            keys.extend(&validator[..48]);
            keys.extend([0; 16]);
        }
        let keys = level(&keys);

        let mut fields = Vec::with_capacity(GROUP * 256);
        for (validator, key) in group.chunks(VALIDATOR).zip(keys.chunks(32)) {
            fields.extend(key);
            fields.extend(&validator[48..80]);
            for field in [80..88, 88..89, 89..97, 97..105, 105..113, 113..121] {
                fields.extend(&validator[field.clone()]);
                fields.resize(fields.len() + 32 - field.len(), 0);
            }
        }
        roots.extend(level(&level(&level(&fields))));
    }
    roots
}

fn with_length(root: &[u8], count: usize, level: Level) -> Vec<u8> {
    let mut node = [0; 64];
    node[..32].copy_from_slice(root);
    node[32..40].copy_from_slice(&(count as u64).to_le_bytes());
    level(&node)
}

/// The root of a list of validators, on lanes.
pub(crate) fn root(bytes: &[u8]) -> Result<Vec<u8>, merkle::Error> {
    let roots = validators(bytes, on_lanes);
    let root = Ssz::with_limit(1 << LIMIT).digest(&roots)?;
    Ok(with_length(&root, bytes.len() / VALIDATOR, on_lanes))
}

/// The root of a list of validators, by a client's means.
pub(crate) fn root_one_by_one(bytes: &[u8]) -> Vec<u8> {
    let level: Level = crate::peers::level;
    let mut nodes = validators(bytes, level);
    let mut zero = vec![0; 32];
    for _ in 0..LIMIT {
        if !nodes.len().is_multiple_of(64) || nodes.is_empty() {
            nodes.extend(&zero);
            nodes.resize(nodes.len().max(64), 0);
        }
        nodes = level(&nodes);
        zero = level(&[&zero[..], &zero].concat());
    }
    with_length(&nodes, bytes.len() / VALIDATOR, level)
}
