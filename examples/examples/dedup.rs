//! How much would deduplication save? Cuts files into content-defined chunks of about 16 KiB and
//! counts the chunks, by SHA-256, that occur more than once.
//!
//! The chunks are many and differ in length, which suits lanes. One call hashes all chunks of a
//! file in place.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example dedup -- FILE...
//! ```

use std::{collections::HashMap, env, fs};

use anyhow::{Context, Result, ensure};
use fastcdc::v2020::FastCDC;
use jlanes::{Sha256, digest::Output, multi::Lanes};

/// The minimum, average and maximum length of a chunk, in bytes.
const CHUNK: [u32; 3] = [4 << 10, 16 << 10, 64 << 10];

/// Length of every distinct chunk, by its digest.
#[derive(Default)]
struct Store {
    chunks: HashMap<Output<Sha256>, usize>,
    seen: usize,
    bytes: usize,
}

impl Store {
    fn add(&mut self, data: &[u8]) {
        let [min, average, max] = CHUNK;
        let chunks: Vec<&[u8]> = FastCDC::new(data, min, average, max)
            .map(|chunk| &data[chunk.offset..][..chunk.length])
            .collect();
        let mut digests = vec![Output::<Sha256>::default(); chunks.len()];
        Lanes::<Sha256>::new().digest(&chunks, &mut digests);

        self.seen += chunks.len();
        self.bytes += data.len();
        let lengths = chunks.iter().map(|chunk| chunk.len());
        self.chunks.extend(digests.into_iter().zip(lengths));
    }

    fn stored(&self) -> usize {
        self.chunks.values().sum()
    }
}

fn main() -> Result<()> {
    let files: Vec<_> = env::args_os().skip(1).collect();
    ensure!(!files.is_empty(), "usage: dedup FILE...");

    let mut store = Store::default();
    for file in &files {
        let data = fs::read(file).with_context(|| file.display().to_string())?;
        store.add(&data);
    }
    let distinct = store.chunks.len();
    println!("{} chunks, {distinct} of them distinct", store.seen);
    println!("{} bytes, {} to store", store.bytes, store.stored());
    Ok(())
}
