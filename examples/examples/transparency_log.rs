//! A transparency log (RFC 6962) with the lines of a file as entries. It publishes its root. It proves to
//! holders of an older root that nothing before was changed, and to holders of an entry that it is in
//! the log. Both sides are here: the log proves, and the verifier, who has the roots and the proof but
//! not the log, checks. With a directory it also writes the log's static form: tiles of 256 digests, as
//! C2SP's tlog-tiles has them, for servers of files.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example transparency_log -- LOG ENTRY OLD-SIZE [DIRECTORY]
//! ```

use std::{env, fs, path::Path};

use anyhow::{Context, Result, bail};
use jlanes::{
    Sha256,
    merkle::{Rfc6962, TiledLog, Tree, verify_consistency, verify_inclusion},
};

type Log = Tree<Rfc6962>;
/// A log's published state: the number of entries, and their root.
type Head = (u64, Box<[u8]>);

fn log(entries: &[&[u8]]) -> Result<(Log, Head)> {
    let mut log = Tree::new(Rfc6962::entries::<Sha256>());
    log.extend(entries)?; // all entries share the lanes, and so do the nodes above them
    let Ok(root) = log.digest();
    Ok((log, (entries.len() as u64, root)))
}

/// Writes the tiles of a log, and its root as a text. Returns the number of tiles.
fn write_tiles(entries: &[&[u8]], directory: &Path) -> Result<usize> {
    let mut log = TiledLog::new::<Sha256>();
    let mut tiles = log.extend(entries); // these never change
    tiles.extend(log.partial()); // these are of this size of the log
    for (tile, digests) in &tiles {
        let path = directory.join(tile.to_string());
        fs::create_dir_all(path.parent().context("a tile is below a directory")?)?;
        fs::write(path, digests)?;
    }
    let root = format!("{}\n{}\n", log.leaves(), hex::encode(log.root()));
    fs::write(directory.join("root"), root)?;
    Ok(tiles.len())
}

fn main() -> Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let ([file, entry, old] | [file, entry, old, _]) = &args[..] else {
        bail!("usage: transparency_log LOG ENTRY OLD-SIZE [DIRECTORY]")
    };
    let text = fs::read_to_string(file).context("cannot read the log")?;
    let entries: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
    let (index, old): (usize, usize) = (entry.parse()?, old.parse()?);
    let before = entries.get(..old).context("the log was never so long")?;

    let (_, old_head) = log(before)?;
    let (log, head) = log(&entries)?;
    println!("{} entries, root {}", head.0, hex::encode(&head.1));

    let proof = log.consistency(old)?;
    verify_consistency::<Sha256>((old_head.0, &old_head.1), (head.0, &head.1), &proof)?;
    println!("it extends the log of {old} entries: {} digests prove it", proof.len());

    let proof = log.inclusion(index)?;
    verify_inclusion::<Sha256>(entries[index], (index as u64, head.0), &proof, &head.1)?;
    println!("entry {index} is in it: {} digests prove it", proof.len());

    if let [_, _, _, directory] = &args[..] {
        let tiles = write_tiles(&entries, Path::new(directory))?;
        println!("{tiles} tiles written");
    }
    Ok(())
}
