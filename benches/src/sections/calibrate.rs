//! Which kernel is best for how many live lanes, where the policy selects another, and what kernels cost.

mod costs;

use std::fmt;

use jlanes::{
    Backend, Blake2b512, Blake2s256, Md5, Ripemd160, Sha1, Sha1Checked, Sha3_256, Sha256, Sha512,
    Sm3,
    multi::MultiDigest,
    skein::{Skein256, Skein512, Skein1024},
};
use jlanes_core::{
    compression::max_lanes, hash::HashFunction, hashes::blake3::Blake3Compression,
    kernel::HasKernels,
};

use self::costs::Costs;
use crate::{
    contest::{Contest, ITSELF},
    cpu::Kernel,
    method::forced,
    row::Row,
    workload::{KIB, Workload},
};

/// The policy's speed relative to the best kernel's, at least.
const TARGET: f64 = 0.95;
/// Long enough that starts and ends of messages do not count.
const MESSAGE: usize = 16 * KIB;

/// The policy compared with each backend alone, for each number of live lanes from 1 up.
pub(crate) fn contests() -> Vec<Contest> {
    subjects().into_iter().flat_map(|(contests, _)| contests).collect()
}

/// Costs of the kernels. One BLAKE3 digest fills the lanes alone: there are no messages to count.
pub(crate) fn costs() -> Vec<Costs> {
    let blake3 = Costs::of::<Blake3Compression>("BLAKE3");
    subjects().into_iter().map(|(_, costs)| costs).chain([blake3]).collect()
}

fn subjects() -> [(Vec<Contest>, Costs); 13] {
    [
        subject::<Sha256>("SHA-256", Some(Kernel::SHA256_BUFFERS)),
        subject::<Sha512>("SHA-512", Some(Kernel::SHA512)),
        subject::<Sha1>("SHA-1", None),
        subject::<Md5>("MD5", None),
        subject::<Ripemd160>("RIPEMD-160", None),
        subject::<Sm3>("SM3", None),
        subject::<Skein256>("Skein-256", None),
        subject::<Skein512>("Skein-512", Some(Kernel::THREEFISH512)),
        subject::<Skein1024>("Skein-1024", None),
        subject::<Sha1Checked>("SHA-1 with detection", None),
        subject::<Sha3_256>("SHA3-256", None),
        subject::<Blake2s256>("BLAKE2s", None),
        subject::<Blake2b512>("BLAKE2b", None),
    ]
}

fn subject<H>(hash: &'static str, limit: Option<Kernel>) -> (Vec<Contest>, Costs)
where
    H: MultiDigest<Backend = Backend>,
    Backend: HasKernels<<H::Function as HashFunction>::Compression>,
{
    let contest = |live| {
        let backends = Backend::available().map(|backend| backend.name());
        let alone = backends.filter(|name| *name != "auto").map(forced::<H>);
        let kernel = H::backend().kernel_name(live).to_owned();
        Contest::new(hash, Workload::equal(live, MESSAGE), forced::<H>("auto"))
            .with(|row| row.kernel = Some(kernel))
            .with(|row| row.limit_cpb = limit.and_then(Kernel::limit))
            .against_all(alone, TARGET)
    };
    let most = max_lanes::<<H::Function as HashFunction>::Compression>();
    let costs = Costs::of::<<H::Function as HashFunction>::Compression>(hash);
    ((1..=most).map(contest).collect(), costs)
}

/// Live lanes of a row of a policy.
pub(crate) fn live(row: &Row) -> u32 {
    (row.bytes / MESSAGE as u64) as u32
}

/// Whether it is a row of a policy: those of costs have no peer.
pub(crate) fn is_of_policy(row: &Row) -> bool {
    row.section == super::Table::Calibrate.name() && !row.peer.is_empty() && row.peer != ITSELF
}

/// One line on a terminal: speeds in GB/s of live lanes by backend and where the policy loses too much, or a row of
/// jlanes-simd's table of costs.
pub(crate) struct Summary<'r>(pub(crate) &'r [Row]);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(first) = self.0.first() else { return Ok(()) };
        if first.peer.is_empty() {
            return costs::summary(f, self.0);
        }
        write!(f, "{:20} {:12}", first.name, first.size)?;
        let speed = |row: &Row, seconds: Option<f64>| {
            seconds.map_or(f64::NAN, |seconds| row.gigabytes_per_second(seconds))
        };
        for row in self.0 {
            write!(f, " {} {:.2}", row.peer, speed(row, row.peer_s))?;
        }
        let kernel = first.kernel.as_deref().unwrap_or_default();
        write!(f, " auto {:.2}, takes {kernel}", speed(first, first.ours_s))?;
        for row in self.0.iter().filter(|row| row.met() == Some(false)) {
            let loss = (1.0 - row.ratio.unwrap_or(1.0)) * 100.0;
            write!(f, "; loses {loss:.0} % to {}", row.peer)?;
        }
        Ok(())
    }
}
