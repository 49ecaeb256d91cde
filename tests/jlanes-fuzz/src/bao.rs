//! BLAKE3's tree and Bao: outboards with the digests of the crate `blake3`, ranges and slices that decode
//! to the message's bytes, and encodings that somebody changed or made up, which give out no others.

use std::{io::Cursor, ops::Range};

use arbitrary::{Result, Unstructured};
use jlanes::bao::{Bao, Error, Layout, Value, Verified};
use jlanes_testing::message;

use crate::input::backend;

/// Lengths that claim to be a message's.
const CLAIMS: [u64; 7] = [0, 1, 1024, 1 << 20, 1 << 54, (1 << 63) + 1, u64::MAX];

/// Runs the operations in `u`.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a digest differs from the crate's, or bytes that are given out from the message.
pub fn run(u: &mut Unstructured) -> Result<()> {
    let bao = Bao::default().on(backend(u)?);
    let most = if u.ratio(1, 16)? { 600 } else { 40 };
    let len = u.int_in_range(0..=most)? * 1024 + u.int_in_range(0..=1024)?;
    let data = message(u.int_in_range(0..=255)?, len);
    let layout = match u.int_in_range(0..=8)? {
        8 => Layout::BAO,
        log => Layout::groups(log).expect("at most 7"),
    };
    let outboard = bao.outboard(layout, &data);
    let root = outboard.root();
    assert_eq!(root, *blake3::hash(&data).as_bytes(), "{len} bytes");
    let case = Case { bao, layout, data, root, range: range(u, len as u64)? };
    match u.int_in_range(0..=2)? {
        0 => case.subtrees(u),
        1 => case.outboard(u, outboard.to_bytes()),
        _ => case.encodings(u, &outboard.to_bytes()),
    }
}

/// A range, mostly of a message of `len` bytes.
fn range(u: &mut Unstructured, len: u64) -> Result<Range<u64>> {
    let position = |u: &mut Unstructured| match u.ratio(1, 16)? {
        true => u.arbitrary(),
        false => u.int_in_range(0..=len + 2000),
    };
    let (start, end) = (position(u)?, position(u)?);
    Ok(start.min(end)..start.max(end))
}

/// Changes some bytes, or the length. Returns whether the result differs.
fn change(u: &mut Unstructured, bytes: &mut Vec<u8>) -> Result<bool> {
    let before = bytes.clone();
    for _ in 0..u.int_in_range(0..=2)? {
        let at = u.int_in_range(0..=bytes.len())?;
        match (u.int_in_range(0..=3)?, bytes.get_mut(at)) {
            (0, _) => bytes.truncate(at),
            (1, _) => bytes.insert(at, u.arbitrary()?),
            (_, Some(byte)) => *byte ^= 1 << u.int_in_range(0..=7)?,
            (_, None) => {}
        }
    }
    Ok(*bytes != before)
}

type Bytes<'f> = Cursor<&'f [u8]>;

struct Case {
    bao: Bao,
    layout: Layout,
    data: Vec<u8>,
    root: Value,
    range: Range<u64>,
}

impl Case {
    /// The bytes of the message in the range.
    fn part(&self) -> &[u8] {
        let within = |at: u64| at.min(self.data.len() as u64) as usize;
        &self.data[within(self.range.start)..within(self.range.end)]
    }

    /// Joins the values of subtrees of random lengths.
    fn subtrees(&self, u: &mut Unstructured) -> Result<()> {
        let Some(left) = jlanes::bao::left_len(self.data.len() as u64) else { return Ok(()) };
        let (first, second) = self.data.split_at(left as usize);
        let (first, second) = (self.value(u, 0, first)?, self.value(u, left, second)?);
        assert_eq!(self.bao.merge_root(&first, &second), self.root, "{} bytes", self.data.len());
        Ok(())
    }

    /// The value of a subtree, which is cut in halves or not.
    fn value(&self, u: &mut Unstructured, offset: u64, data: &[u8]) -> Result<Value> {
        match jlanes::bao::left_len(data.len() as u64) {
            Some(left) if u.ratio(3, 4)? => {
                let (first, second) = data.split_at(left as usize);
                let first = self.value(u, offset, first)?;
                Ok(self.bao.merge(&first, &self.value(u, offset + left, second)?))
            }
            _ => Ok(self.bao.subtree(offset, data).expect("a subtree")),
        }
    }

    fn open<'f>(
        &self,
        outboard: &'f [u8],
        data: &'f [u8],
        len: u64,
    ) -> std::result::Result<Verified<Bytes<'f>, Bytes<'f>>, Error> {
        let files = (Cursor::new(outboard), Cursor::new(data));
        Verified::open(self.bao.clone(), &self.root, self.layout, len, files)
    }

    /// Reads a range, perhaps with a changed outboard, message or length.
    fn outboard(&self, u: &mut Unstructured, mut outboard: Vec<u8>) -> Result<()> {
        let len = self.data.len() as u64;
        let mut data = self.data.clone();
        let claim = if u.ratio(1, 8)? { *u.choose(&CLAIMS)? } else { len };
        let is_changed = change(u, &mut outboard)? | change(u, &mut data)? | (claim != len);
        let mut out = Vec::new();
        match self.open(&outboard, &data, claim) {
            Ok(mut verified) => {
                assert_eq!(verified.length(), len, "a wrong length was accepted");
                let read = verified.read(self.range.clone(), &mut out);
                assert!(read.is_ok() || is_changed, "{read:?}");
                assert!(read.is_err() || out == self.part());
            }
            Err(error) => assert!(is_changed, "{error}"),
        }
        assert!(self.part().starts_with(&out));
        Ok(())
    }

    /// Decodes a slice or an encoding of groups, perhaps a changed one.
    fn encodings(&self, u: &mut Unstructured, outboard: &[u8]) -> Result<()> {
        let len = self.data.len() as u64;
        let mut verified = self.open(outboard, &self.data, len).expect("the message");
        let (range, is_slice) = (self.range.clone(), u.arbitrary()?);
        let (mut encoded, mut out) = (Vec::new(), Vec::new());
        let written = match is_slice {
            true => verified.slice(range.clone(), &mut encoded),
            false => verified.encode(range.clone(), &mut encoded),
        };
        written.expect("the message");
        let mut claim = len;
        let mut is_changed = change(u, &mut encoded)?;
        if u.ratio(1, 8)? {
            claim = *u.choose(&CLAIMS)?;
            is_changed |= claim != len;
            if let (true, Some(front)) = (is_slice, encoded.first_chunk_mut()) {
                *front = claim.to_le_bytes();
            }
        }
        let decoded = match is_slice {
            true => self.bao.decode_slice(&self.root, range, &encoded[..], &mut out),
            false => {
                self.bao.decode(&self.root, (self.layout, claim), range, &encoded[..], &mut out)
            }
        };
        assert!(self.part().starts_with(&out), "other bytes were given out");
        match decoded {
            Ok(decoded) => {
                assert_eq!(decoded.bytes, out.len() as u64);
                assert!(decoded.length.is_none_or(|found| found == len), "a wrong length");
                assert!(is_changed || out == self.part());
            }
            Err(error) => assert!(is_changed, "{error}"),
        }
        Ok(())
    }
}
