//! Merkle formats: sizes, salts, pieces, backends and threads against naive models; kept trees and
//! proofs.

use std::fmt::Debug;

use arbitrary::{Result, Unstructured};
use jlanes::{
    Sha256,
    digest::Output,
    merkle::{
        BitTorrent, Bitcoin, DmVerity, Error, Format, FsVerity, HashRequest, Rfc6962, S3,
        Sha256Tree, Ssz, Subtree, Tree, TreeHead, Version, cover, leaf_hash, verify_consistency,
        verify_inclusion, verify_leaf_inclusion, verify_subtree_consistency,
    },
};
use jlanes_testing::{
    message,
    model::{merkle as model, sha256tree as sha256tree_model},
};

use crate::input::{backend, length, pieces, pool, slices, text, texts};

/// Builds the tree that `u` describes.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a root differs from its model's, or a wrong proof is accepted.
pub fn run(u: &mut Unstructured) -> Result<()> {
    match u.int_in_range(0..=9)? {
        0 => fsverity(u),
        1 => dmverity(u),
        2 => btv2(u),
        3 => s3(u),
        4 => rfc6962(u),
        5 => ssz(u),
        6 => bitcoin(u),
        7 => sha256tree(u),
        8 => kept(u),
        _ => proofs(u).and_then(|()| nodes(u)),
    }
}

/// The result of `format` for `data`: in pieces on a backend, at once, and on threads.
fn result<T>(
    u: &mut Unstructured,
    format: &T,
    data: &[u8],
) -> Result<std::result::Result<T::Output, T::Error>>
where
    T: Format<Output: PartialEq + Debug + Send, Error: PartialEq + Debug + Send> + Sync,
{
    let backend = backend(u)?;
    let mut hasher = format.on(backend);
    pieces(u, data, 8)?.into_iter().for_each(|piece| hasher.update(piece));
    let result = hasher.finalize();
    assert_eq!(result, format.digest(data), "{backend}, {} bytes", data.len());
    assert_eq!(result, pool(u)?.install(|| format.parallel().digest(data)), "on threads");
    Ok(result)
}

fn fsverity(u: &mut Unstructured) -> Result<()> {
    let (block, salt) = (1 << u.int_in_range(9..=17)?, text(u, 40)?);
    let format = match FsVerity::sha256(block, &salt) {
        Ok(format) => format,
        Err(Error::BlockSize { .. }) => {
            assert!(!(1024..=65536).contains(&block));
            return Ok(());
        }
        Err(error) => {
            assert!(matches!(error, Error::SaltTooLong { .. }) && salt.len() > 32, "{error}");
            return Ok(());
        }
    };
    let data = text(u, 40 * block.min(4096))?;
    let Ok(digest) = result(u, &format, &data)?;
    assert_eq!(*digest, model::fsverity(&data, block, &salt), "{} in {block}", data.len());
    Ok(())
}

fn dmverity(u: &mut Unstructured) -> Result<()> {
    let (block, salt) = (1 << u.int_in_range(9..=12)?, text(u, 256)?);
    let v1: bool = u.arbitrary()?;
    let format = DmVerity::new::<Sha256>(block, &salt).expect("legal parameters");
    let format = format.version(if v1 { Version::V1 } else { Version::V0 }).with_tree();
    let data = message(1, length(u, 100 * block)?);
    let whole = &data[..data.len() / block * block];
    assert!(whole.len() == data.len() || format.digest(&data).is_err(), "no whole blocks");
    match result(u, &format, whole)? {
        Ok(found) => {
            let (root, tree) = model::dmverity(whole, block, &salt, v1);
            assert_eq!((&found.root[..], found.tree), (&root[..], tree), "{} bytes", whole.len());
        }
        Err(error) => assert!(whole.is_empty(), "{error}"),
    }
    Ok(())
}

fn btv2(u: &mut Unstructured) -> Result<()> {
    let data = message(2, length(u, 300_000)?);
    match result(u, &BitTorrent::with_pieces(32 << 10).expect("a power of two"), &data)? {
        Ok(found) => assert_eq!(found.root, model::btv2(&data), "{} bytes", data.len()),
        Err(error) => assert!(data.is_empty(), "{error}"),
    }
    Ok(())
}

fn s3(u: &mut Unstructured) -> Result<()> {
    let (part, data) = (u.int_in_range(1..=5000)?, text(u, 20_000)?);
    let Ok(found) = result(u, &S3::new(part).expect("some bytes"), &data)?;
    assert_eq!(*found.digest, model::s3(&data, part), "{} in {part}", data.len());
    Ok(())
}

fn rfc6962(u: &mut Unstructured) -> Result<()> {
    let (leaf, data) = (u.int_in_range(1..=300)?, text(u, 8000)?);
    let Ok(root) = result(u, &Rfc6962::chunks::<Sha256>(leaf).expect("some bytes"), &data)?;
    assert_eq!(*root, model::rfc6962(&data.chunks(leaf).collect::<Vec<_>>()), "leaves of {leaf}");
    Ok(())
}

fn sha256tree(u: &mut Unstructured) -> Result<()> {
    let data = message(3, length(u, 100_000)?);
    let Ok(digest) = result(u, &Sha256Tree::default(), &data)?;
    assert_eq!(digest, sha256tree_model::sha256tree(&data), "{} bytes", data.len());
    Ok(())
}

fn ssz(u: &mut Unstructured) -> Result<()> {
    let (data, limit) = (text(u, 8000)?, u.int_in_range(0..=500)?);
    match result(u, &Ssz::with_limit(limit), &data)? {
        Ok(root) => assert_eq!(root, model::ssz(&data, limit as usize), "limit {limit}"),
        Err(error) => assert!(data.len().div_ceil(32) as u64 > limit, "{error}"),
    }
    Ok(())
}

fn bitcoin(u: &mut Unstructured) -> Result<()> {
    let data = text(u, 8000)?;
    let ids = &data[..data.len() / 32 * 32];
    match result(u, &Bitcoin, ids)? {
        Ok(found) => assert_eq!(found.root, model::bitcoin(ids), "{} bytes", ids.len()),
        Err(error) => assert!(ids.is_empty(), "{error}"),
    }
    Ok(())
}

fn root(entries: &[Vec<u8>]) -> Box<[u8]> {
    Box::new(model::rfc6962(&slices(entries)))
}

/// A tree that grows and changes.
fn kept(u: &mut Unstructured) -> Result<()> {
    let mut tree = Tree::new(Rfc6962::entries::<Sha256>()).on(backend(u)?);
    let mut entries = Vec::new();
    for _ in 0..u.int_in_range(0..=8)? {
        match u.int_in_range(0..=2)? {
            0 => {
                let entry = text(u, 500)?;
                tree.push(&entry).expect("entries of any length");
                entries.push(entry);
            }
            1 => {
                let more = texts(u, 20, 200)?;
                tree.extend(&slices(&more)).expect("entries of any length");
                entries.extend(more);
            }
            _ => {
                let (index, entry) = (u.int_in_range(0..=entries.len())?, text(u, 500)?);
                let replaced = tree.replace(index, &entry);
                assert_eq!(replaced.is_ok(), index < entries.len(), "leaf {index}");
                if let Some(old) = entries.get_mut(index) {
                    *old = entry;
                }
            }
        }
        assert_eq!(tree.digest(), Ok(root(&entries)), "{} leaves", entries.len());
    }
    Ok(())
}

/// Right proofs are accepted, altered ones are refused.
fn proofs(u: &mut Unstructured) -> Result<()> {
    let entries: Vec<Vec<u8>> = (0..u.int_in_range(1..=70)?).map(|i| message(i, 5)).collect();
    let mut tree = Tree::new(Rfc6962::entries::<Sha256>());
    tree.extend(&slices(&entries)).expect("entries of any length");
    let (new, all) = (root(&entries), entries.len() as u64);

    let index = u.choose_index(entries.len())?;
    let mut proof = tree.inclusion(index).expect("a leaf");
    let shows = |index: usize, proof: &[_]| {
        verify_inclusion::<Sha256>(&entries[index], (index as u64, all), proof, &new).is_ok()
    };
    assert!(shows(index, &proof), "leaf {index} of {all}");
    let other = u.choose_index(entries.len())?;
    assert_eq!(shows(other, &proof), other == index, "the proof of {index} for {other}");
    assert!(!alter(u, &mut proof)? || !shows(index, &proof), "an altered proof of {index}");

    let old = u.int_in_range(1..=entries.len())?;
    let (before, first) = (root(&entries[..old]), old as u64);
    let mut proof = tree.consistency(old).expect("an older tree");
    let shows =
        |proof: &[_]| verify_consistency::<Sha256>((first, &before), (all, &new), proof).is_ok();
    assert!(shows(&proof), "{old} of {all}");
    assert!(!alter(u, &mut proof)? || !shows(&proof), "an altered proof of {old} in {all}");

    let [part, _] = cover(u.int_in_range(0..=all - 1)?..all).expect("in order");
    let node = root(&entries[part.start as usize..part.end as usize]);
    let mut proof = tree.subtree_consistency(part.clone(), all).expect("a subtree");
    let (subtree, head) =
        (Subtree { range: part.clone(), hash: &node }, TreeHead { leaves: all, root: &new });
    let shows =
        |proof: &[_]| verify_subtree_consistency::<Sha256>(subtree.clone(), head, proof).is_ok();
    assert!(shows(&proof), "{part:?} of {all}");
    assert!(!alter(u, &mut proof)? || !shows(&proof), "an altered proof of {part:?} in {all}");

    let index = u.int_in_range(part.start..=part.end - 1)?;
    let mut proof = tree.inclusion_in(part.clone(), index).expect("in the subtree");
    let leaf = leaf_hash::<Sha256>(&entries[index as usize]);
    let shows =
        |proof: &[_]| verify_leaf_inclusion::<Sha256>(&leaf, index, proof, subtree.clone()).is_ok();
    assert!(shows(&proof), "{index} in {part:?}");
    assert!(!alter(u, &mut proof)? || !shows(&proof), "an altered proof of {index} in {part:?}");
    Ok(())
}

/// The same of trees that are filled up to a power of two.
fn nodes(u: &mut Unstructured) -> Result<()> {
    let count = u.int_in_range(1..=70)?;
    let chunks: Vec<_> = message(7, 32 * count).chunks(32).map(<[u8]>::to_vec).collect();
    let boxed = |proof: Vec<_>| -> Vec<Box<[u8]>> {
        proof.into_iter().map(|digest: Output<Sha256>| Box::from(&digest[..])).collect()
    };
    let (index, all) = (u.choose_index(count)?, count as u64);

    let mut block = Tree::new(Bitcoin).on(backend(u)?);
    block.extend(&slices(&chunks)).expect("ids");
    let (root, mut proof) =
        (block.root().expect("ids"), boxed(block.inclusion(index).expect("an id")));
    let shows =
        |proof: &[_]| Bitcoin::verify(&chunks[index], (index as u64, all), proof, &root).is_ok();
    assert!(shows(&proof), "{index} of {all}");
    assert!(!alter(u, &mut proof)? || !shows(&proof), "an altered proof of {index} of {all}");

    let width = all.next_power_of_two() << u.int_in_range(0..=3)?;
    let mut tree = Tree::new(Ssz::with_limit(width)).on(backend(u)?);
    tree.extend(&slices(&chunks)).expect("chunks");
    let root = tree.digest().expect("within the limit");
    let some = u.int_in_range(1..=5)?;
    let places = (0..some).map(|_| u.int_in_range(0..=width - 1)).collect::<Result<Vec<_>>>()?;
    let given = places.iter().map(|place| {
        let chunk = chunks.get(*place as usize).map_or(&[0; 32][..], Vec::as_slice);
        (width + place, chunk)
    });
    let (given, indices): (Vec<_>, Vec<_>) = given.map(|node| (node, node.0)).unzip();
    let mut proof = boxed(tree.proof(&indices).expect("in the tree"));
    let shows = |proof: &[_]| Ssz::verify(&given, proof, &root).is_ok();
    assert!(shows(&proof), "{places:?} of {all} in {width}");
    assert!(!alter(u, &mut proof)? || !shows(&proof), "an altered proof of {places:?}");

    let data = message(8, length(u, 200_000)?);
    let mut file = Tree::new(BitTorrent::default()).on(backend(u)?);
    file.extend(&data.chunks(16 << 10).collect::<Vec<_>>()).expect("blocks");
    let request = HashRequest {
        base_layer: u.int_in_range(0..=4)?,
        index: u.int_in_range(0..=16)?,
        length: u.int_in_range(0..=16)?,
        proof_layers: u.int_in_range(0..=4)?,
    };
    if let Ok(hashes) = file.hashes(&request) {
        let (root, len) = (file.root().expect("blocks"), data.len() as u64);
        let mut hashes = boxed(hashes);
        let top = request.top_hash(&hashes).expect("an answer");
        match request.verify(len, &hashes, &root) {
            Ok(()) => assert_eq!(top[..], *root),
            Err(error) => assert_eq!(error, Error::NoSuchNode),
        }
        let is_other = !alter(u, &mut hashes)? || request.top_hash(&hashes) != Ok(top);
        assert!(is_other, "an altered answer to {request:?}");
    }
    Ok(())
}

/// Changes a proof somewhere, if it is not empty. Returns whether it did.
fn alter(u: &mut Unstructured, proof: &mut Vec<Box<[u8]>>) -> Result<bool> {
    if proof.is_empty() || u.ratio(1, 4)? {
        proof.push([0; 32].into());
        return Ok(true);
    }
    let at = u.choose_index(proof.len())?;
    if u.ratio(1, 4)? {
        proof.remove(at);
    } else {
        proof[at][u.int_in_range(0..=31)?] ^= u.int_in_range(1..=255)?;
    }
    Ok(true)
}
