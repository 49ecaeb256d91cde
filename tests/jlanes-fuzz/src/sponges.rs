//! Sponges of every rate compared with the reference: hashers and batches of digests, outputs of any
//! lengths read in any splits, KangarooTwelve, ParallelHash, KMAC and TupleHash.

use arbitrary::{Result, Unstructured};
use jlanes::{
    self as ours, Backend,
    digest::{ExtendableOutput, ExtendableOutputReset, Update, XofReader, array::Array},
    multi::{Lanes, MultiDigest, MultiXof, Xofs},
    sha3::{
        CShake128, CShake256, CTurboShake128, CTurboShake256, Kmac, Kmac128, TupleHash, functions,
    },
    tree::ParUpdate,
};
use jlanes_core::hashes::keccak::cshake::Length;
use jlanes_reference as reference;
use jlanes_testing::message;
use jlanes_tree::{
    kangaroo::{Kt128, Kt256},
    parallel_hash::{ParallelHash128, ParallelHash256},
};

use crate::{
    hashers,
    input::{backend, length, pieces, pool, slices, text, texts},
};

/// The longest output.
const LONGEST: usize = 1000;

/// Runs the operations in `u`.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If an output differs from the reference's.
pub fn run(u: &mut Unstructured) -> Result<()> {
    match u.int_in_range(0..=9)? {
        0 => match u.int_in_range(0..=8)? {
            0 => hashers::check::<ours::Sha3_224, sha3::Sha3_224>(u),
            1 => hashers::check::<ours::Sha3_256, sha3::Sha3_256>(u),
            2 => hashers::check::<ours::Sha3_384, sha3::Sha3_384>(u),
            3 => hashers::check::<ours::Sha3_512, sha3::Sha3_512>(u),
            4 => hashers::check::<ours::Keccak224, sha3::Keccak224>(u),
            5 => hashers::check::<ours::Keccak256, sha3::Keccak256>(u),
            6 => hashers::check::<ours::Keccak384, sha3::Keccak384>(u),
            7 => hashers::check::<ours::Keccak512, sha3::Keccak512>(u),
            _ => hashers::check::<ours::Keccak256Full, sha3::Keccak256Full>(u),
        },
        1 => match u.int_in_range(0..=5)? {
            0 => batch::<ours::Sha3_224, 28>(u, reference::sha3_224),
            1 => batch::<ours::Sha3_256, 32>(u, reference::sha3_256),
            2 => batch::<ours::Sha3_384, 48>(u, reference::sha3_384),
            3 => batch::<ours::Sha3_512, 64>(u, reference::sha3_512),
            4 => batch::<ours::Keccak256Full, 200>(u, reference::keccak256full),
            _ => batch::<ours::Keccak256, 32>(u, reference::keccak256),
        },
        2 => match u.int_in_range(0..=3)? {
            0 => xof::<ours::Shake128>(u, reference::shake128),
            1 => xof::<ours::Shake256>(u, reference::shake256),
            2 => xof::<CTurboShake128<7>>(u, |m, out| reference::turboshake128(m, 7, out)),
            _ => xof::<CTurboShake256<0x7f>>(u, |m, out| reference::turboshake256(m, 0x7f, out)),
        },
        3 => match u.int_in_range(0..=3)? {
            0 => xof_batch::<ours::Shake128>(u, reference::shake128),
            1 => xof_batch::<ours::Shake256>(u, reference::shake256),
            2 => xof_batch::<CTurboShake128<1>>(u, |m, out| reference::turboshake128(m, 1, out)),
            _ => xof_batch::<CTurboShake256<2>>(u, |m, out| reference::turboshake256(m, 2, out)),
        },
        4 => cshake(u),
        5 | 6 => kangaroo(u),
        7 => match u.int_in_range(0..=1)? {
            0 => continued::<ours::Shake128>(u, reference::shake128),
            _ => continued::<ours::Shake256>(u, reference::shake256),
        },
        8 => keyed_and_tuples(u),
        _ => parallel_hash(u),
    }
}

/// A batch of digests.
fn batch<H, const N: usize>(u: &mut Unstructured, reference: fn(&[u8]) -> [u8; N]) -> Result<()>
where
    H: MultiDigest<Backend = Backend>,
    Array<u8, H::OutputSize>: AsRef<[u8]>,
{
    let (backend, texts) = (backend(u)?, texts(u, 20, 1000)?);
    let mut digests = vec![Array::default(); texts.len()];
    Lanes::<H>::new().on(backend).digest(&slices(&texts), &mut digests);
    for (text, digest) in texts.iter().zip(&digests) {
        assert_eq!(digest[..], reference(text), "{backend}, {} bytes", text.len());
    }
    Ok(())
}

/// Reads an output from `reader` in any splits, and compares it.
fn check_reader(
    u: &mut Unstructured,
    mut reader: impl XofReader,
    expected: impl FnOnce(&mut [u8]),
) -> Result<()> {
    let mut out = vec![0; length(u, LONGEST)?];
    expected(&mut out);
    for piece in pieces(u, &out, 6)? {
        let mut read = vec![0; piece.len()];
        reader.read(&mut read);
        assert_eq!(read, piece, "of {} bytes", out.len());
    }
    Ok(())
}

/// Reads one output after another from one hasher.
fn xof<H: ExtendableOutputReset + Default>(
    u: &mut Unstructured,
    reference: fn(&[u8], &mut [u8]),
) -> Result<()> {
    let mut hasher = H::default();
    for _ in 0..u.int_in_range(1..=3)? {
        let text = text(u, 3000)?;
        pieces(u, &text, 6)?.into_iter().for_each(|piece| hasher.update(piece));
        check_reader(u, hasher.finalize_xof_reset(), |out| reference(&text, out))?;
    }
    Ok(())
}

/// Outputs of any lengths side by side.
fn xof_batch<H: MultiXof<Backend = Backend>>(
    u: &mut Unstructured,
    reference: fn(&[u8], &mut [u8]),
) -> Result<()> {
    let (backend, texts) = (backend(u)?, texts(u, 20, 1000)?);
    let lengths: Result<Vec<usize>> = texts.iter().map(|_| length(u, LONGEST)).collect();
    let mut outs: Vec<Vec<u8>> = lengths?.into_iter().map(|length| vec![0; length]).collect();
    let mut slots: Vec<&mut [u8]> = outs.iter_mut().map(Vec::as_mut_slice).collect();
    Xofs::<H>::new().on(backend).fill(&slices(&texts), &mut slots);
    for (text, out) in texts.iter().zip(&outs) {
        let mut expected = vec![0; out.len()];
        reference(text, &mut expected);
        assert_eq!(*out, expected, "{backend}, {} bytes", text.len());
    }
    Ok(())
}

/// Outputs that continue, some of them at a time.
fn continued<H: MultiXof<Backend = Backend>>(
    u: &mut Unstructured,
    reference: fn(&[u8], &mut [u8]),
) -> Result<()> {
    let (backend, texts) = (backend(u)?, texts(u, 20, 1000)?);
    let mut xofs = Xofs::<H>::new().on(backend);
    xofs.absorb(&texts);
    let mut outs = vec![Vec::new(); texts.len()];
    for _ in 0..u.int_in_range(0..=6)? {
        let (mut which, mut parts) = (Vec::new(), Vec::new());
        for i in 0..texts.len() {
            if u.ratio(1, 2)? {
                which.push(i);
                parts.push(vec![0; length(u, 400)?]);
            }
        }
        xofs.squeeze_some(&which, &mut parts);
        which.iter().zip(parts).for_each(|(i, part)| outs[*i].extend(part));
    }
    for (text, out) in texts.iter().zip(&outs) {
        let mut expected = vec![0; out.len()];
        reference(text, &mut expected);
        assert_eq!(*out, expected, "{backend}, {} bytes", text.len());
    }
    Ok(())
}

fn cshake(u: &mut Unstructured) -> Result<()> {
    let (name, customization, text) = (text(u, 400)?, text(u, 400)?, text(u, 3000)?);
    let pieces = pieces(u, &text, 6)?;
    if u.ratio(1, 2)? {
        let mut hasher = CShake128::new_with_function_name(&name, &customization);
        pieces.into_iter().for_each(|piece| hasher.update(piece));
        let expected = |out: &mut [u8]| reference::cshake128(&text, &name, &customization, out);
        check_reader(u, hasher.finalize_xof(), expected)
    } else {
        let mut hasher = CShake256::new_with_function_name(&name, &customization);
        pieces.into_iter().for_each(|piece| hasher.update(piece));
        let expected = |out: &mut [u8]| reference::cshake256(&text, &name, &customization, out);
        check_reader(u, hasher.finalize_xof(), expected)
    }
}

/// A message of a few leaves of `leaf` bytes, sometimes of enough leaves for threads.
fn leaves(u: &mut Unstructured, leaf: usize) -> Result<Vec<u8>> {
    let most = if u.ratio(1, 16)? { 300_000 } else { 40_000 };
    let (count, more) = (u.int_in_range(0..=20)?, u.int_in_range(0..=leaf)?);
    Ok(message(u.int_in_range(0..=255)?, (count * leaf + more).min(most)))
}

/// Feeds `hasher` the text in pieces, each from this thread or from several.
fn feed<T: Update + ParUpdate + Send>(
    u: &mut Unstructured,
    hasher: &mut T,
    text: &[u8],
) -> Result<()> {
    let pool = pool(u)?;
    for piece in pieces(u, text, 6)? {
        if u.ratio(1, 2)? {
            pool.install(|| hasher.par_update(piece));
        } else {
            hasher.update(piece);
        }
    }
    Ok(())
}

/// Checks a tree hasher after a part of a text and after all of it, and after a reset.
fn check_tree<T>(
    u: &mut Unstructured,
    mut hasher: T,
    leaf: usize,
    reference: impl Fn(&[u8], &mut [u8]),
) -> Result<()>
where
    T: ExtendableOutputReset + ParUpdate + Clone + Send,
{
    let text = leaves(u, leaf)?;
    let (head, tail) = text.split_at(length(u, text.len())?);
    feed(u, &mut hasher, head)?;
    let copy = hasher.clone();
    feed(u, &mut hasher, tail)?;
    check_reader(u, hasher.finalize_xof_reset(), |out| reference(&text, out))?;
    check_reader(u, copy.finalize_xof(), |out| reference(head, out))?;
    feed(u, &mut hasher, tail)?;
    check_reader(u, hasher.finalize_xof(), |out| reference(tail, out))
}

/// KMAC under one key and under many, and TupleHash of the same texts.
fn keyed_and_tuples(u: &mut Unstructured) -> Result<()> {
    let (backend, custom) = (backend(u)?, text(u, 400)?);
    let (texts, mut key) = (texts(u, 40, 500)?, text(u, 300)?);
    key.push(1);
    let (slices, size) = (slices(&texts), length(u, LONGEST)?.max(1));
    let mac = Kmac::<functions::CShake256, _>::with_backend(backend, &key, &custom);
    let mut outs = vec![0; size * texts.len()];
    let start = (Length::Fixed, &custom[..]);
    mac.expect("a key").fill(start, |i| slices[i], (&mut outs, size));
    let (keys, mut tags) = (vec![&key[..]; texts.len()], vec![Array::default(); texts.len()]);
    Kmac128::tags_keyed(&keys, &custom, &slices, &mut tags).expect("keys");
    for ((text, out), tag) in slices.iter().zip(outs.chunks(size)).zip(&tags) {
        let mut expected = vec![0; size];
        reference::kmac256(&key, &[&custom, *text].concat(), &custom, &mut expected);
        assert_eq!(out, expected, "{backend}, {} bytes", text.len());
        let mut expected = [0; 32];
        reference::kmac128(&key, text, &custom, &mut expected);
        assert_eq!(tag[..], expected, "{} bytes", text.len());
    }
    let (mut out, mut expected) = (vec![0; size], vec![0; size]);
    let tuple = TupleHash::<functions::CShake128, _>::with_backend(backend, &custom);
    tuple.chain(&slices).finalize_into_slice(&mut out);
    reference::tuplehash128(&slices, &custom, &mut expected);
    assert_eq!(out, expected, "{backend}, {} items", slices.len());
    Ok(())
}

fn kangaroo(u: &mut Unstructured) -> Result<()> {
    let (backend, customization) = (backend(u)?, text(u, 9000)?);
    if u.ratio(1, 2)? {
        let hasher = Kt128::with_backend(backend, &customization);
        check_tree(u, hasher, 8192, |text, out| reference::kt128(text, &customization, out))
    } else {
        let hasher = Kt256::with_backend(backend, &customization);
        check_tree(u, hasher, 8192, |text, out| reference::kt256(text, &customization, out))
    }
}

fn parallel_hash(u: &mut Unstructured) -> Result<()> {
    let (backend, custom) = (backend(u)?, text(u, 400)?);
    let most = *u.choose(&[2, 10, 200, 10_000, 300_000])?;
    let size = u.int_in_range(0..=most)?;
    let (Ok(mut short), Ok(long)) = (
        ParallelHash128::with_backend(backend, size, &custom),
        ParallelHash256::with_backend(backend, size, &custom),
    ) else {
        assert_eq!(size, 0, "blocks of {size} bytes are refused");
        return Ok(());
    };
    if u.ratio(1, 2)? {
        let reference =
            |text: &[u8], out: &mut [u8]| reference::parallelhashxof256(text, size, &custom, out);
        return check_tree(u, long, size, reference);
    }
    let (text, mut out) = (leaves(u, size)?, vec![0; length(u, LONGEST)?]);
    feed(u, &mut short, &text)?;
    let mut expected = out.clone();
    short.finalize_into_slice(&mut out);
    reference::parallelhash128(&text, size, &custom, &mut expected);
    assert_eq!(out, expected, "{backend}, {} bytes in blocks of {size}", text.len());
    Ok(())
}
