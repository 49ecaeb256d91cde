"""fs-verity's tree is ours, for data in memory and for data that arrives in pieces."""

crate, version = "composefs", "0.9.4"
features = ["std", "trees"]
test = ["--lib"]  # ten want fs-verity of the kernel or another tool; they fail without the change, too

changes = {
    "src/fsverity/hashvalue.rs": [
        (r"(?=    /// The fs-verity algorithm for this hash type)", """\
    /// The algorithm on lanes.
    const LANES: fn(usize, &[u8]) -> Result<jlanes::merkle::FsVerity, jlanes::merkle::Error>;
"""),
        (r"(?=    const ALGORITHM: Algorithm = Algorithm::SHA(\d+);)", """\
    const LANES: fn(usize, &[u8]) -> Result<jlanes::merkle::FsVerity, jlanes::merkle::Error> =
        jlanes::merkle::FsVerity::sha\\1;
""", 2),
    ],
    "src/fsverity/digest.rs": [
        (r"use core::mem::size_of;\n\nuse crate::digest::\{[^}]*\};\n", "use core::marker::PhantomData;\n\nuse jlanes::merkle::{Format, FsVerity, Hasher};\n"),
        (r"#\[derive\(Debug\)\]\nstruct FsVerityLayer.*?(?=/// Incremental)", ""),
        (r"    layers: Vec<.*?    partial: Vec<u8>,\n", "    tree: Hasher<FsVerity>,\n    hash: PhantomData<H>,\n"),
        (r"            layers: vec!.*?with_capacity\(Self::BLOCK_SIZE\),\n", """\
            tree: H::LANES(Self::BLOCK_SIZE, &[]).expect("a block size of fs-verity").hasher(),
            hash: PhantomData,
"""),
        (r"    fn add_block_from_partial.*?\n    \}\n\n", ""),
        (r"        if let Some\(value\) = self\.value\.take.*?(?=    /// Finalize and return)", """\
        self.tree.update(data);
    }

"""),
        (r"(?<=pub fn digest\(&mut self\) -> H \{\n).*?context\.finalize\(\)\.into\(\)\n    \}", """\
        let Ok(digest) = self.tree.clone().finalize();
        H::read_from_bytes(&digest).expect("a digest of the hash")
    }"""),
        (r"        let len = data\.len\(\);\n        let mut remaining.*?        Ok\(len\)\n", """\
        self.tree.update(data);
        Ok(data.len())
"""),
    ],
}
