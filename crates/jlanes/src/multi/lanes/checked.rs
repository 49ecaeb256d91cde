//! [`Lanes::try_digests`]: SHA-1 of many messages, with an error for each that is part of a collision attack.
//!
//! The other jobs return the safe hash and no error, so this one asks for digests that end with a word of
//! flags.

use alloc::{vec, vec::Vec};

use digest::{Output, array::Array};
use jlanes_core::{
    function::{Batch, Function, filling},
    hash::Output as OutputOf,
    hashes::sha1::checked::Sha1WithFlags,
};

use crate::multi::{Lanes, jobs::ThreadedJobs};
use crate::{Collision, Sha1Checked};

impl Lanes<'_, Sha1Checked> {
    /// The digests of `messages`, in order, with an error for each that has a block of a collision
    /// attack.
    ///
    /// ```
    /// use jlanes::{Digest, Sha1, Sha1Checked, multi::Lanes};
    ///
    /// let results = Lanes::<Sha1Checked>::new().try_digests(&["one", "another"]);
    /// assert_eq!(results[1], Ok(Sha1::digest(b"another")));
    /// ```
    #[must_use]
    pub fn try_digests(
        &self,
        messages: &[impl AsRef<[u8]> + Sync],
    ) -> Vec<Result<Output<Sha1Checked>, Collision>> {
        let mut outputs = vec![OutputOf::<Sha1WithFlags>::default(); messages.len()];
        let fill = filling(|i| [messages[i].as_ref()]);
        let messages = Batch::filled(outputs.len(), &fill);
        let function = &Function::of::<Sha1WithFlags, _>(self.backend);
        let jobs = ThreadedJobs { function, prefix: self.prefix, threads: self.threads };
        jobs.digest(&messages, Array::slice_as_flattened_mut(&mut outputs));
        outputs.iter().map(|output| crate::sha1_checked::result(output)).collect()
    }
}
