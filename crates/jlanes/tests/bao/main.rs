//! BLAKE3's tree in parts and Bao: against the answers of other tools, on every backend, and against
//! encodings that somebody changed.

#![allow(clippy::unwrap_used)] // the helpers too are tests

mod corpora;
mod hostile;
mod ranges;
mod subtrees;

use std::{io::Cursor, ops::Range};

use jlanes::bao::{Bao, Decoded, Error, Layout, Value, Verified, verify_range};

type Bytes<'f> = Cursor<&'f [u8]>;

/// An outboard, and the message.
type Files<'f> = (Bytes<'f>, Bytes<'f>);

fn files<'f>(outboard: &'f [u8], message: &'f [u8]) -> Files<'f> {
    (Cursor::new(outboard), Cursor::new(message))
}

/// Opens a message with its digest and the outboard of a layout.
fn open<'f>(
    root: &Value,
    layout: Layout,
    outboard: &'f [u8],
    message: &'f [u8],
) -> Result<Verified<Bytes<'f>, Bytes<'f>>, Error> {
    let files = files(outboard, message);
    Verified::open(Bao::default(), root, layout, message.len() as u64, files)
}

/// The slice of a range.
fn slice(layout: Layout, message: &[u8], range: Range<u64>) -> Vec<u8> {
    let outboard = Bao::default().outboard(layout, message);
    let bytes = outboard.to_bytes();
    let mut slice = Vec::new();
    open(&outboard.root(), layout, &bytes, message).unwrap().slice(range, &mut slice).unwrap();
    slice
}

/// Decodes a slice; also returns what has been written before an error.
fn decode(root: &Value, range: Range<u64>, slice: &[u8]) -> (Result<Decoded, Error>, Vec<u8>) {
    let mut out = Vec::new();
    (Bao::default().decode_slice(root, range, slice, &mut out), out)
}

/// Verifies a range of a message by an outboard.
fn verify(
    root: &Value,
    (layout, len): (Layout, u64),
    files: Files<'_>,
    range: Range<u64>,
) -> Result<Vec<u8>, Error> {
    let mut out = Vec::new();
    let written = verify_range(root, (layout, len), files, range, &mut out)?;
    assert_eq!(out.len() as u64, written);
    Ok(out)
}

/// The part of a message in a range that may go past its end.
fn part(message: &[u8], range: Range<u64>) -> &[u8] {
    let within = |at: u64| at.min(message.len() as u64) as usize;
    message.get(within(range.start)..within(range.end)).unwrap_or_default()
}
