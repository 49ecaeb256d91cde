//! j-lanes and j-pointers: parameters, pieces, backends and threads, against naive models.

use arbitrary::{Result, Unstructured};
use jlanes::{
    Backend, Digest,
    digest::{block_api::BlockSizeUser, consts::U32},
    multi::{MultiDigest, ReadSource},
    tree::{
        GenericJLanes, GenericJLanesRaw, JLanesDyn, JPointers, JPointersRaw, MhSha256, MultiHash,
        ParUpdate,
    },
};
use jlanes_testing::{message, model::lanes as model};

use crate::input::{backend, length, pieces, pool, slices, text, texts};

/// Builds the tree that `u` describes.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a digest differs from its model's.
pub fn run(u: &mut Unstructured) -> Result<()> {
    match u.int_in_range(0..=8)? {
        0 => lanes::<jlanes::Sha1, sha1::Sha1>(u, 4),
        1 => lanes::<jlanes::Sha256, sha2::Sha256>(u, 4),
        2 => lanes::<jlanes::Sha512, sha2::Sha512>(u, 8),
        3 => lanes::<jlanes::skein::Skein256, skein::Skein256<U32>>(u, 8),
        4 => generic(u),
        5 => pointers::<jlanes::Sha256, sha2::Sha256>(u, 4),
        6 => pointers::<jlanes::Sha512_256, sha2::Sha512_256>(u, 8),
        7 => lanes::<jlanes::Md5, md5::Md5>(u, 4),
        _ => multi_hash(u),
    }
}

/// A message; now and then one that is long enough for threads.
fn long_text(u: &mut Unstructured) -> Result<Vec<u8>> {
    if u.ratio(1, 16)? {
        return Ok(message(1, u.int_in_range(120_000..=300_000)?));
    }
    text(u, 20_000)
}

fn lane_count(u: &mut Unstructured) -> Result<usize> {
    let most = *u.choose(&[8, 20, 256, 300])?;
    u.int_in_range(0..=most)
}

/// Feeds `hasher` the text in pieces, each from this thread or from several.
fn feed<T: Digest + ParUpdate + Send>(
    u: &mut Unstructured,
    hasher: &mut T,
    text: &[u8],
) -> Result<()> {
    let pool = pool(u)?;
    for piece in pieces(u, text, 8)? {
        if u.ratio(1, 2)? {
            pool.install(|| hasher.par_update(piece));
        } else {
            Digest::update(hasher, piece);
        }
    }
    Ok(())
}

fn lanes<H, P>(u: &mut Unstructured, word: usize) -> Result<()>
where
    H: MultiDigest<Backend = Backend> + Clone,
    P: Digest<OutputSize = H::OutputSize> + BlockSizeUser,
    JLanesDyn<H>: ParUpdate + Digest<OutputSize = H::OutputSize> + Clone + Send,
{
    let (backend, j) = (backend(u)?, lane_count(u)?);
    let v1: bool = u.arbitrary()?;
    let Ok(mut hasher) = JLanesDyn::<H>::with_lanes(backend, j, !v1) else {
        assert!(!(1..=256).contains(&j), "{j} lanes are refused");
        return Ok(());
    };
    let text = long_text(u)?;
    let (head, tail) = text.split_at(length(u, text.len())?);
    feed(u, &mut hasher, head)?;
    let copy = hasher.clone();
    feed(u, &mut hasher, tail)?;
    let of = |text| match v1 {
        true => model::jlanes::<P>(text, j, word, P::block_size()),
        false => model::jlanes_raw::<P>(text, j, word),
    };
    let digest = hasher.finalize();
    assert_eq!(digest, of(&text), "{backend}, j = {j}, {} bytes", text.len());
    assert_eq!(copy.finalize(), of(head), "{backend}, j = {j}, {} bytes", head.len());
    Ok(())
}

fn generic(u: &mut Unstructured) -> Result<()> {
    type Hash = sha2::Sha384;
    let (j, word, text) = (lane_count(u)?, u.int_in_range(0..=130)?, text(u, 20_000)?);
    let (Ok(mut v1), Ok(mut raw)) =
        (GenericJLanes::<Hash>::new(j, word), GenericJLanesRaw::<Hash>::new(j, word))
    else {
        assert!(!(1..=256).contains(&j) || !(1..=128).contains(&word), "j = {j}, w = {word}");
        return Ok(());
    };
    for piece in pieces(u, &text, 8)? {
        v1.update(piece);
        raw.update(piece);
    }
    assert_eq!(v1.finalize(), model::jlanes::<Hash>(&text, j, word, 128));
    assert_eq!(raw.finalize(), model::jlanes_raw::<Hash>(&text, j, word));
    Ok(())
}

fn pointers<H, P>(u: &mut Unstructured, word: usize) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    P: Digest<OutputSize = H::OutputSize> + BlockSizeUser,
{
    let (backend, pool) = (backend(u)?, pool(u)?);
    let mut all = Vec::new();
    let mut v1 = JPointers::<H>::with_backend(backend);
    let mut raw = JPointersRaw::<H>::with_backend(backend);
    for _ in 0..u.int_in_range(0..=4)? {
        let more = texts(u, 20, 1500)?;
        let list = slices(&more);
        match u.int_in_range(0..=3)? {
            0 => list.iter().for_each(|message| v1.push(message)),
            1 => v1.push_all(&list),
            2 => pool.install(|| v1.par_push_all(&list)),
            _ => {
                let sources = list.iter().map(|message| ReadSource((), *message));
                v1.push_sources(sources).expect("slices can be read");
            }
        }
        raw.push_all(&list);
        all.extend(more);
    }
    assert_eq!((v1.len(), v1.is_empty()), (all.len(), all.is_empty()));
    assert_eq!(v1.finalize(), model::jpointers::<P>(&all, word, P::block_size()), "{backend}");
    assert_eq!(raw.finalize(), model::jpointers_raw::<P>(&all), "{backend}");
    Ok(())
}

/// ISA-L's construction has known answers but no model: pieces, backends and threads must agree.
fn multi_hash(u: &mut Unstructured) -> Result<()> {
    let (backend, text) = (backend(u)?, long_text(u)?);
    let mut hasher = MultiHash::<jlanes::Sha256>::with_backend(backend);
    feed(u, &mut hasher, &text)?;
    assert_eq!(hasher.finalize(), MhSha256::digest(&text), "{backend}, {} bytes", text.len());
    Ok(())
}
