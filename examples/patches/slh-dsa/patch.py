"""All one-time keys of a tree grow together, and all leaves of a FORS tree; nodes stay as they are."""

crate, version = "slh-dsa", "0.2.0-rc.5"
features = ["std", "sha2", "sha3", "zeroize"]

# each of the three suites gets its function of many chains
SHA2 = """\
    fn tweak(&self, adrs: &impl Address) -> alloc::vec::Vec<u8> {
        adrs.compressed().to_vec()
    }

    fn chains(&self, chains: &TweakedChains<'_>, values: &mut [Array<u8, Self::N>]) {
        Lanes::<jlanes::Sha256>::new().prefix(&self.block).tweaked_chains(chains, values);
    }

    fn prf_sk(&self"""
BLOCK = r"""            block: core::array::from_fn(|i| pk_seed.0.get(i).copied().unwrap_or(0)),
"""

changes = {
    "src/lib.rs": [(r"\nmod address;", "\nmod address;\nmod lanes;")],
    "src/hashes.rs": [
        (r"(?=    /// Specialization of `t` for)", """\
    /// Bytes before the message under an address, without the start that all messages share.
    fn tweak(&self, adrs: &impl Address) -> alloc::vec::Vec<u8>;

    /// Advances values by `f` or `prf_sk`, for as many steps as their chains have.
    fn chains(&self, chains: &jlanes::multi::TweakedChains<'_>, values: &mut [Array<u8, Self::N>]);

"""),
    ],
    "src/hashes/sha2.rs": [
        (r"use hmac::Hmac;\n", "use hmac::Hmac;\nuse jlanes::multi::{Lanes, TweakedChains};\n"),
        (r"    cached_hasher: Sha256,\n", "    cached_hasher: Sha256,\n    block: [u8; 64],\n"),
        (r"    cached_hasher_512: Sha512,\n", "    cached_hasher_512: Sha512,\n    block: [u8; 64],\n"),
        (r"(?=            cached_hasher(_256)?: Sha256::new)", BLOCK, 2),
        (r"    fn prf_sk\(&self", SHA2, 2),
    ],
    "src/hashes/shake.rs": [
        (r"(?=use sha3::Shake256)", "use jlanes::multi::{TweakedChains, Xofs};\n"),
        (r"    cached_hasher: Shake256,\n", "    cached_hasher: Shake256,\n    seed: [u8; 32],\n"),
        (r"(?=            cached_hasher: Shake256::default)", BLOCK.replace("block", "seed")),
        (r"    fn prf_sk\(&self", """\
    fn tweak(&self, adrs: &impl Address) -> alloc::vec::Vec<u8> {
        [&self.seed[..Self::N::USIZE], adrs.as_ref()].concat()
    }

    fn chains(&self, chains: &TweakedChains<'_>, values: &mut [Array<u8, Self::N>]) {
        Xofs::<jlanes::Shake256>::new().tweaked_chains(chains, values);
    }

    fn prf_sk(&self"""),
    ],
    "src/wots.rs": [
        # the key of one leaf is a batch of one
        (r"(?<=    /// Algorithm 5\n).*?(?=    // Algorithm 6)", """\
    #[cfg(test)]
    fn wots_pk_gen(
        &self,
        sk_seed: &SkSeed<Self::N>,
        adrs: &address::WotsHash,
    ) -> Array<u8, Self::N> {
        crate::lanes::wots_keys(self, sk_seed, adrs, &[adrs.key_pair_adrs.get()]).remove(0)
    }

"""),
        (r"        let mut msg_csum = msg\.iter\(\)\.chain\(csum_chunks\.iter\(\)\);\n\n"
         r"        let mut adrs = adrs\.clone\(\);\n        let mut sk_adrs.*?WotsSig\(sig\)\n", """\
        let digits = Array::<u16, Self::WotsSigLen>::from_fn(|i| {
            msg.iter().chain(&csum_chunks).nth(i).copied().unwrap_or(0)
        });
        let keys = [adrs.key_pair_adrs.get()];
        let values = crate::lanes::wots_chains(self, sk_seed, adrs, &keys, &|i| digits[i].into());
        WotsSig(Array::from_fn(|i| values[i].clone()))
"""),
    ],
    "src/xmss.rs": [
        (r"        if height == 0 \{\n.*?self\.h\(&adrs, &lnode, &rnode\)\n        \}\n", """\
        let keys: alloc::vec::Vec<u32> = (node << height..(node + 1) << height).collect();
        let leaves = crate::lanes::wots_keys(self, sk_seed, adrs, &keys);
        crate::lanes::root(leaves, |z, pair, left, right| {
            let mut adrs = adrs.tree_adrs();
            adrs.tree_height.set(z);
            adrs.tree_index.set((node << (height - z)) + pair);
            self.h(&adrs, left, right)
        })
"""),
    ],
    "src/fors.rs": [
        (r"        let mut adrs = adrs\.clone\(\); // TODO.*?self\.h\(&adrs, &lnode, &rnode\)\n        \}\n", """\
        let leaves = crate::lanes::fors_leaves(self, sk_seed, adrs, i << z..(i + 1) << z);
        crate::lanes::root(leaves, |height, pair, left, right| {
            let mut adrs = adrs.clone();
            adrs.tree_height.set(height);
            adrs.tree_index.set((i << (z - height)) + pair);
            self.h(&adrs, left, right)
        })
"""),
    ],
}
files = {"src/lanes.rs": "lanes.rs"}
