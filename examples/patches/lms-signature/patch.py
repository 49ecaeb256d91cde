"""The hash is ours, and the chains of one-time keys advance together, eight keys at a time for a tree."""

crate, version = "lms-signature", "0.1.0-rc.2"
features = ["std", "sha2", "zeroize"]

changes = {
    "src/ots/modes.rs": [
        (r"use sha2::Sha256", "use {super::util::OnLanes, jlanes::Sha256}"),
        (r"use digest::\{Digest, Output\}", "use digest::Output"),
        (r"(?<=type Hasher: )Digest", "OnLanes"),
        (r"(?<=<Hasher: )Digest", "OnLanes", 3),
    ],
    "src/ots/util.rs": [
        (r"\A", """\
use crate::{ots::LmsOtsMode, types::Identifier};
use digest::{Digest, Output};
use jlanes::multi::{Lanes, TweakedChains};

/// A hash function with chains on lanes.
pub trait OnLanes: Digest {
    /// Advances values by their steps.
    fn run(chains: &TweakedChains<'_>, values: &mut [Output<Self>]);
}

impl OnLanes for jlanes::Sha256 {
    fn run(chains: &TweakedChains<'_>, values: &mut [Output<Self>]) {
        Lanes::<Self>::new().tweaked_chains(chains, values);
    }
}

/// Advances the values of the chains of keys by their steps.
pub(super) fn advance<Mode: LmsOtsMode>(
    keys: &[(Identifier, u32)],
    values: &mut [Output<Mode::Hasher>],
    steps: &(dyn Fn(usize) -> core::ops::Range<u64> + Sync),
) {
    let tweak = |chain: usize, step: u64, tweak: &mut [u8]| {
        let ((id, q), chain) = (keys[chain / Mode::P], chain % Mode::P);
        tweak[..16].copy_from_slice(&id);
        tweak[16..20].copy_from_slice(&q.to_be_bytes());
        tweak[20..22].copy_from_slice(&(chain as u16).to_be_bytes());
        tweak[22] = step as u8;
    };
    Mode::Hasher::run(&TweakedChains { steps, size: 23, tweak: &tweak }, values);
}

"""),
    ],
    "src/ots/private.rs": [
        (r"(?<=pub fn public\(&self\) -> VerifyingKey<Mode> \{\n).*?\n    \}\n(?=\n    /// `true`)", """\
        Self::publics(core::slice::from_ref(self)).remove(0)
    }

    /// The public keys of several keys.
    pub(crate) fn publics(keys: &[Self]) -> Vec<VerifyingKey<Mode>> {
        let ids: Vec<_> = keys.iter().map(|key| (key.id, key.q)).collect();
        let mut ends: Vec<_> = keys.iter().flat_map(|key| key.x.iter().cloned()).collect();
        super::util::advance::<Mode>(&ids, &mut ends, &|_| 0..(1 << Mode::W) - 1);
        let each = ids.into_iter().zip(ends.chunks(Mode::P));
        each.map(|((id, q), ends)| {
            let hasher = Mode::Hasher::new()
                .chain_update(id)
                .chain_update(q.to_be_bytes())
                .chain_update(D_PBLC);
            let k = ends.iter().fold(hasher, |hasher, end| hasher.chain_update(end)).finalize();
            VerifyingKey { id, q, k }
        })
        .collect()
    }
"""),
        (r"        let y = Mode::expand\(&q\)\.into_iter.*?let y = Array::from_iter\(y\);\n", """\
        let (digits, mut y) = (Mode::expand(&q), self.x.clone());
        super::util::advance::<Mode>(&[(self.id, self.q)], &mut y, &|i| 0..digits[i].into());
"""),
    ],
    "src/lms/private.rs": [
        (r"(        for i in 0\.\.Mode::LEAVES \{\n.*?)            let ots_priv = [^;]*;\n(.*?)ots_priv\.public\(\)\.k", r"""        let mut publics = Vec::new();
\1            if i % 8 == 0 {
                let key = |i| OtsPrivateKey::<Mode::OtsMode>::new_from_seed(i, self.id, &self.seed);
                publics = OtsPrivateKey::publics(&(i..i + 8).map(key).collect::<Vec<_>>());
            }
\2&publics[i as usize % 8].k"""),
    ],
    "src/ots/signature.rs": [
        (r"        let mut tmp = Array::default\(\);\n        for \(i, a\).*?hasher\.update\(&tmp\);\n        \}\n", """\
        let (digits, mut z) = (Mode::expand(&msg_hash), self.y.clone());
        super::util::advance::<Mode>(&[(id, q)], &mut z, &|i| digits[i].into()..(1 << Mode::W) - 1);
        z.iter().for_each(|z| hasher.update(z));
"""),
    ],
}
bench_dependencies = """\
hybrid-array = "0.4"
rand = { version = "0.10", features = ["std_rng"] }
signature = "3.0.0"
"""
