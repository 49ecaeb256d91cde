//! BLAKE-256, the finalist of the SHA-3 competition, with a crate that has traits of an older time.

use jlanes::digest::{
    FixedOutput, HashMarker, Output, OutputSizeUser, Update,
    block_api::BlockSizeUser,
    consts::{U32, U64},
};

#[derive(Clone, Default)]
pub(crate) struct Blake256(blake_hash::Blake256);

impl Update for Blake256 {
    fn update(&mut self, data: &[u8]) {
        blake_hash::Digest::update(&mut self.0, data);
    }
}

impl OutputSizeUser for Blake256 {
    type OutputSize = U32;
}

impl BlockSizeUser for Blake256 {
    type BlockSize = U64;
}

impl FixedOutput for Blake256 {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(&blake_hash::Digest::finalize(self.0));
    }
}

impl HashMarker for Blake256 {}
