//! Hashes and proofs of a log, from tiles that are authenticated first.

mod contest;

use std::collections::HashMap;

use contest::contest;

/// The number of records: the last tiles of such a log are not full.
const RECORDS: u64 = 1_000_000;
const READ: u64 = 1 << 16;
const PROVEN: u64 = 123_456;

/// Reads hashes of records, and proves one, from tiles in memory.
macro_rules! version {
    ($krate:ident) => {{
        use $krate::*;

        struct Hashes(Vec<Hash>);

        impl HashReader for Hashes {
            fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<Hash>, tlog::Error> {
                Ok(indexes.iter().map(|i| self.0[*i as usize]).collect())
            }
        }

        struct Tiles(HashMap<Tile, Vec<u8>>);

        impl TileReader for Tiles {
            fn height(&self) -> u8 {
                8
            }

            fn read_tiles(&self, tiles: &[Tile]) -> Result<Vec<Vec<u8>>, tlog::Error> {
                Ok(tiles.iter().map(|tile| self.0[tile].clone()).collect())
            }

            fn save_tiles(&self, _: &[Tile], _: &[Vec<u8>]) {}
        }

        let mut hashes = Hashes(Vec::new());
        for i in 0..RECORDS {
            let new = stored_hashes(i, &i.to_le_bytes(), &hashes).expect("hashes of a record");
            hashes.0.extend(new);
        }
        let root = tree_hash(RECORDS, &hashes).expect("a root");
        let tiles = Tile::new_tiles(8, 0, RECORDS).into_iter();
        let tiles = tiles.map(|tile| (tile, tile.read_data(&hashes).expect("a tile")));
        let tiles: &Tiles = Box::leak(Box::new(Tiles(tiles.collect()))); // until the end
        let reader = move || TileHashReader::new(RECORDS, root, tiles);
        let bytes = |hashes: Vec<Hash>| hashes.into_iter().map(|hash| hash.0).collect::<Vec<_>>();
        let indexes: Vec<u64> = (0..READ).map(|i| stored_hash_index(0, i)).collect();
        let read = move || bytes(reader().read_hashes(&indexes).expect("hashes in the log"));
        (read, move || bytes(prove_record(RECORDS, PROVEN, &reader()).expect("a proof")))
    }};
}

fn main() {
    let (their_read, their_proof) = version!(theirs);
    let (our_read, our_proof) = version!(ours);
    contest(&format!("{READ} hashes of records"), 1, their_read, our_read);
    contest("proof of a record", 1, their_proof, our_proof);
}
