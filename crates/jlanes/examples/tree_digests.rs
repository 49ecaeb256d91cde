//! The digests of several trees from one read of a file, a line each.
//!
//! `tree_digests FILE [SALT [TREE]]`: the salt is text; dm-verity's hash tree goes to the file TREE.

use std::{
    env,
    error::Error,
    fs::{self, File},
    io::Read,
};

use jlanes::{
    Sha256,
    merkle::{BitTorrent, DmVerity, Dropbox, Format, FsVerity, Glacier},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let mut file = File::open(args.next().ok_or("which file?")?)?;
    let salt = args.next().unwrap_or_default();
    let mut fsverity = FsVerity::sha256(4096, salt.as_bytes())?.hasher();
    let mut dmverity = DmVerity::new::<Sha256>(4096, salt.as_bytes())?.with_tree().hasher();
    let mut bittorrent = BitTorrent::default().hasher();
    let mut glacier = Glacier.hasher();
    let mut dropbox = Dropbox.hasher();

    let mut buffer = vec![0; 1 << 20];
    loop {
        let piece = match file.read(&mut buffer)? {
            0 => break,
            n => &buffer[..n],
        };
        fsverity.update(piece);
        dmverity.update(piece);
        bittorrent.update(piece);
        glacier.update(piece);
        dropbox.update(piece);
    }

    println!("fsverity {}", hex(fsverity.finalize()?));
    println!("glacier {}", hex(glacier.finalize()?));
    println!("dropbox {}", hex(dropbox.finalize()?));
    match bittorrent.finalize() {
        Ok(pieces) => println!("btv2 {}", hex(pieces.root)),
        Err(why) => println!("btv2 - {why}"),
    }
    match dmverity.finalize() {
        Ok(verity) => {
            println!("dmverity {}", hex(verity.root));
            args.next().map_or(Ok(()), |path| fs::write(path, verity.tree))?;
        }
        Err(why) => println!("dmverity - {why}"),
    }
    Ok(())
}

fn hex(digest: impl AsRef<[u8]>) -> String {
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
