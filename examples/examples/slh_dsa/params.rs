//! Parameter sets of FIPS 205.

/// The hash functions of a parameter set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Family {
    Sha2,
    Shake,
}

/// A parameter set, with the standard's names.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params {
    pub(crate) name: &'static str,
    pub(crate) family: Family,
    /// Bytes of a node.
    pub(crate) n: usize,
    /// Layers of trees.
    pub(crate) d: usize,
    /// Height of a tree of a layer, h'.
    pub(crate) height: usize,
    /// Height of a FORS tree.
    pub(crate) a: usize,
    /// FORS trees.
    pub(crate) k: usize,
    /// Bytes of a message's digest.
    pub(crate) m: usize,
}

const fn set(name: &'static str, family: Family, numbers: [usize; 6]) -> Params {
    let [n, d, height, a, k, m] = numbers;
    Params { name, family, n, d, height, a, k, m }
}

pub(crate) const SETS: [Params; 6] = [
    set("SHA2-128f", Family::Sha2, [16, 22, 3, 6, 33, 34]),
    set("SHA2-128s", Family::Sha2, [16, 7, 9, 12, 14, 30]),
    set("SHA2-256f", Family::Sha2, [32, 17, 4, 9, 35, 49]),
    set("SHAKE-128f", Family::Shake, [16, 22, 3, 6, 33, 34]),
    set("SHAKE-128s", Family::Shake, [16, 7, 9, 12, 14, 30]),
    set("SHAKE-256f", Family::Shake, [32, 17, 4, 9, 35, 49]),
];

impl Params {
    /// Chains of a WOTS+ key: one for each four bits of a node, and three for their checksum.
    pub(crate) fn chains(&self) -> usize {
        2 * self.n + 3
    }
}
