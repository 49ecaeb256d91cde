//! Verifies the objects of a git pack, with detection of collision attacks on SHA-1.
//!
//! Reads the pack and its index, and compares the name of each object with its digest, many objects at
//! once. Compares the digests with those of the crate `sha1dc`, which gitoxide uses. Objects must fit
//! into memory.
//!
//! ```console
//! $ cargo run --release -p jlanes-examples --example git_pack -- PACK [--time]
//! ```
//!
//! `--time` times both, and prints the whole time and that of `git verify-pack`.

use std::{
    collections::HashMap,
    env, fs,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Instant,
};

use anyhow::{Context, Result, bail, ensure};
use flate2::bufread::ZlibDecoder;
use jlanes::{Sha1Checked, multi::Lanes};
use jlanes_examples::{Contest, ms};

/// The name of an object.
type Id = [u8; 20];

/// An object: its type in git's words, and its bytes after git's header.
struct Object {
    kind: &'static str,
    /// The header and the content; the digest of this text is the object's name.
    text: Vec<u8>,
    header: usize,
}

impl Object {
    fn new(kind: &'static str, content: &[u8]) -> Self {
        let mut text = format!("{kind} {}\0", content.len()).into_bytes();
        let header = text.len();
        text.extend_from_slice(content);
        Self { kind, text, header }
    }

    fn content(&self) -> &[u8] {
        &self.text[self.header..]
    }
}

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [pack, rest @ ..] = &*arguments else { bail!("usage: git_pack PACK [--time]") };
    let pack = Path::new(pack);
    let begin = Instant::now();
    let (ids, objects) = read(pack)?;
    let texts: Vec<&[u8]> = objects.iter().map(|object| &object.text[..]).collect();
    let mut wrong = 0;
    for (id, result) in ids.iter().zip(Lanes::<Sha1Checked>::new().try_digests(&texts)) {
        match result {
            Ok(digest) if digest[..] == id[..] => {}
            Ok(_) => {
                eprintln!("{}: the name of an object with another digest", hex::encode(id));
                wrong += 1;
            }
            Err(collision) => {
                eprintln!("{}: {collision}", hex::encode(id));
                wrong += 1;
            }
        }
    }
    let whole = begin.elapsed();
    println!("{} objects, {wrong} wrong", ids.len());
    if rest.iter().any(|option| option == "--time") {
        Contest::default().run(
            "git_pack: digests",
            "sha1dc",
            || one_by_one(&texts),
            || {
                let results = Lanes::<Sha1Checked>::new().try_digests(&texts).into_iter();
                results.map(|result| result.ok().map(Into::into)).collect()
            },
        )?;
        let begin = Instant::now();
        let git = Command::new("git").arg("verify-pack").arg(pack).status()?;
        println!("whole: {}, git verify-pack: {}", ms(whole), ms(begin.elapsed()));
        ensure!(git.success(), "git finds it wrong");
    }
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn one_by_one(texts: &[&[u8]]) -> Vec<Option<Id>> {
    let digest = |text: &&[u8]| {
        let mut hasher = sha1dc::Hasher::new();
        hasher.update(text);
        hasher.finalize().ok().map(|digest| *digest.as_bytes())
    };
    texts.iter().map(digest).collect()
}

/// The objects of a pack and their names, by its index of version 2.
fn read(pack: &Path) -> Result<(Vec<Id>, Vec<Object>)> {
    let index: PathBuf = pack.with_extension("idx");
    let index = fs::read(&index).with_context(|| index.display().to_string())?;
    let pack = fs::read(pack).with_context(|| pack.display().to_string())?;
    ensure!(pack.starts_with(b"PACK\0\0\0\x02"), "no pack of version 2");
    ensure!(index.starts_with(b"\xfftOc\0\0\0\x02"), "no index of version 2");
    let word = |at: usize| -> Result<u32> {
        let bytes = index.get(at..at + 4).context("the index is cut off")?;
        Ok(u32::from_be_bytes(bytes.try_into()?))
    };
    let count = word(8 + 4 * 255)? as usize;
    let names = 8 + 4 * 256;
    let offsets = names + 24 * count;
    let mut entries = Vec::new();
    for i in 0..count {
        let id: Id = index
            .get(names + 20 * i..)
            .and_then(|rest| rest.first_chunk())
            .copied()
            .context("the index is cut off")?;
        let mut offset = u64::from(word(offsets + 4 * i)?);
        if offset >> 31 != 0 {
            // in the table of long offsets
            let at = offsets + 4 * count + 8 * (offset as usize & 0x7fff_ffff);
            offset = u64::from(word(at)?) << 32 | u64::from(word(at + 4)?);
        }
        entries.push((usize::try_from(offset)?, id));
    }
    // a delta mostly follows its base
    entries.sort_unstable();
    let at: HashMap<Id, usize> = entries.iter().map(|(offset, id)| (*id, *offset)).collect();
    let mut done = HashMap::new();
    for (offset, _) in &entries {
        resolve(&pack, *offset, &at, &mut done)?;
    }
    let objects = entries.iter().map(|(offset, _)| done.remove(offset).context("an offset twice"));
    Ok((entries.iter().map(|(_, id)| *id).collect(), objects.collect::<Result<_>>()?))
}

/// Reads the object at `offset`, and before it the bases that it is a delta of.
fn resolve(
    pack: &[u8],
    offset: usize,
    at: &HashMap<Id, usize>,
    done: &mut HashMap<usize, Object>,
) -> Result<()> {
    let mut deltas = Vec::new();
    let mut next = offset;
    while !done.contains_key(&next) {
        let mut data = pack.get(next..).context("an offset beyond the pack")?;
        let first = byte(&mut data)?;
        let mut more = first;
        while more & 0x80 != 0 {
            more = byte(&mut data)?; // the size, which zlib knows too
        }
        let kind = match first >> 4 & 7 {
            1 => "commit",
            2 => "tree",
            3 => "blob",
            4 => "tag",
            6 => {
                let mut back = 0;
                loop {
                    let more = byte(&mut data)?;
                    back = back << 7 | usize::from(more & 0x7f);
                    if more & 0x80 == 0 {
                        break;
                    }
                    back += 1;
                }
                deltas.push((next, inflate(data)?));
                next = next
                    .checked_sub(back)
                    .filter(|_| back > 0)
                    .context("a base before the pack")?;
                continue;
            }
            7 => {
                let (id, rest) = data.split_first_chunk::<20>().context("the pack is cut off")?;
                deltas.push((next, inflate(rest)?));
                next = *at.get(id).context("a base in another pack")?;
                ensure!(deltas.iter().all(|(offset, _)| *offset != next), "its own base");
                continue;
            }
            other => bail!("an object of type {other}"),
        };
        done.insert(next, Object::new(kind, &inflate(data)?));
    }
    for (offset, delta) in deltas.into_iter().rev() {
        let base = &done[&next];
        let object = Object::new(base.kind, &apply(base.content(), &delta)?);
        done.insert(offset, object);
        next = offset;
    }
    Ok(())
}

fn byte(data: &mut &[u8]) -> Result<u8> {
    let (first, rest) = data.split_first().context("the pack is cut off")?;
    *data = rest;
    Ok(*first)
}

fn inflate(data: &[u8]) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    ZlibDecoder::new(data).read_to_end(&mut out)?;
    Ok(out)
}

/// The object that `delta` makes of `base`.
fn apply(base: &[u8], mut delta: &[u8]) -> Result<Vec<u8>> {
    let size = |delta: &mut &[u8]| -> Result<usize> {
        let (mut size, mut shift) = (0, 0);
        loop {
            let next = byte(delta)?;
            size |= usize::from(next & 0x7f) << shift;
            shift += 7;
            if next & 0x80 == 0 {
                return Ok(size);
            }
            ensure!(shift < 57, "a size beyond all memory");
        }
    };
    ensure!(size(&mut delta)? == base.len(), "a delta of another base");
    let expected = size(&mut delta)?;
    let mut out = Vec::new();
    while !delta.is_empty() {
        let op = byte(&mut delta)?;
        if op & 0x80 == 0 {
            let (new, rest) = delta.split_at_checked(op.into()).context("the delta is cut off")?;
            ensure!(op != 0, "a reserved instruction");
            out.extend_from_slice(new);
            delta = rest;
            continue;
        }
        // four bytes of an offset and three of a length; zeros are left out
        let mut number = 0_u64;
        for i in 0..7 {
            if op >> i & 1 != 0 {
                number |= u64::from(byte(&mut delta)?) << (8 * i);
            }
        }
        let (from, len) = ((number & 0xffff_ffff) as usize, (number >> 32) as usize);
        let len = if len == 0 { 0x1_0000 } else { len };
        out.extend_from_slice(base.get(from..from + len).context("a copy beyond the base")?);
    }
    ensure!(out.len() == expected, "an object of another size");
    Ok(out)
}
