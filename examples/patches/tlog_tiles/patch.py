"""The hash of a tile is computed level by level: the pairs of a level are one batch."""

crate, version = "tlog_tiles", "0.2.0"
features = ["std", "sha2"]

changes = {
    "src/tile.rs": [
        (r"        let n = data\.len\(\) / 2;\n        node_hash\(.*?\n        \)\n", """\
        let lanes = jlanes::multi::Lanes::<jlanes::Sha256>::new().prefix(&[0x01]);
        let mut level = data.to_vec();
        while level.len() > HASH_SIZE {
            let mut parents = vec![Default::default(); level.len() / (2 * HASH_SIZE)];
            lanes.nodes(&level, 2 * HASH_SIZE, &mut parents);
            level = parents.concat();
        }
        Hash(level.try_into().unwrap())
"""),
    ],
}
