//! BLAKE3's output from a position on, as b3sum's `--seek` has it.

use std::io;

use jlanes::{
    Blake3,
    algorithm::{self, Blake3Mode},
    digest::{ExtendableOutput, Update, XofReader},
    tree::{ParRead, ParUpdate, ReadPart},
};
use jlanes_files::FileHasher;

use super::Parameters;

/// The hasher of an output that does not begin at its start. It runs on the detected backend: only
/// b3sum has the option, and b3sum has no option for backends.
pub(super) struct Sought {
    hasher: Blake3,
    parallel: bool,
    position: u64,
    size: usize,
}

impl Sought {
    /// The hasher of `function`, if `parameters` have a position.
    pub(super) fn boxed(
        function: algorithm::Blake3,
        parameters: &Parameters,
        parallel: bool,
    ) -> Option<Box<dyn FileHasher>> {
        let position = parameters.seek?;
        let hasher = match parameters.blake3_mode() {
            Blake3Mode::Keyed(key) => Blake3::new_keyed(key),
            Blake3Mode::DeriveKey(context) => Blake3::new_derive_key(context),
            _ => Blake3::default(),
        };
        Some(Box::new(Self { hasher, parallel, position, size: function.output_size() }))
    }
}

impl FileHasher for Sought {
    fn update(&mut self, data: &[u8]) {
        if self.parallel {
            self.hasher.par_update(data);
        } else {
            self.hasher.update(data);
        }
    }

    fn read_parts(&mut self, len: usize, read: &ReadPart<'_>) -> bool {
        if self.parallel {
            self.hasher.par_read(len, read);
        }
        self.parallel
    }

    fn finish(self: Box<Self>) -> io::Result<Box<[u8]>> {
        let mut reader = self.hasher.finalize_xof();
        reader.set_position(self.position);
        let mut out = vec![0; self.size];
        reader.read(&mut out);
        Ok(out.into())
    }
}
