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
    cpu::PortModel,
    method::forced,
    row::Row,
    workload::{KIB, Workload},
};

/// The policy's speed relative to the best kernel's, at least.
const TARGET: f64 = 0.95;
/// Bytes of a message, long enough that its start and end do not count.
const MESSAGE_BYTES: usize = 16 * KIB;

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
        subject::<Sha256>("SHA-256", Some(PortModel::SHA256_BUFFERS)),
        subject::<Sha512>("SHA-512", Some(PortModel::SHA512)),
        subject::<Sha1>("SHA-1", None),
        subject::<Md5>("MD5", None),
        subject::<Ripemd160>("RIPEMD-160", None),
        subject::<Sm3>("SM3", None),
        subject::<Skein256>("Skein-256", None),
        subject::<Skein512>("Skein-512", Some(PortModel::THREEFISH512)),
        subject::<Skein1024>("Skein-1024", None),
        subject::<Sha1Checked>("SHA-1 with detection", None),
        subject::<Sha3_256>("SHA3-256", None),
        subject::<Blake2s256>("BLAKE2s", None),
        subject::<Blake2b512>("BLAKE2b", None),
    ]
}

fn subject<H>(hash: &'static str, limit: Option<PortModel>) -> (Vec<Contest>, Costs)
where
    H: MultiDigest<Backend = Backend>,
    Backend: HasKernels<<H::Hash as HashFunction>::Compression>,
{
    let contest = |live| {
        let backends = Backend::available().map(|backend| backend.name());
        let alone = backends.filter(|name| *name != "auto").map(forced::<H>);
        let kernel = H::backend().kernels().name(live).to_owned();
        Contest::new(hash, Workload::equal(live, MESSAGE_BYTES), forced::<H>("auto"))
            .with(|row| row.kernel = Some(kernel))
            .with(|row| row.limit_cpb = limit.and_then(PortModel::limit_cpb))
            .against_all(alone, TARGET)
    };
    let most = max_lanes::<<H::Hash as HashFunction>::Compression>();
    let costs = Costs::of::<<H::Hash as HashFunction>::Compression>(hash);
    ((1..=most).map(contest).collect(), costs)
}

/// Live lanes of a row of a policy.
pub(crate) fn live_lanes(row: &Row) -> u32 {
    (row.bytes / MESSAGE_BYTES as u64) as u32
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

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path};

    use super::*;
    use crate::{
        age::{HASHES, KECCAK},
        record::Record,
    };

    /// Bounds of expected cycles over measured time, relative to the median of the record's lines. Estimates of
    /// BLAKE2, Keccak and Skein-256 are near the lower one; neighbours on rented machines do the rest.
    const BOUNDS: std::ops::Range<f64> = 0.57..1.45;

    #[test]
    fn costs_are_those_of_the_records() {
        let mut classes = Vec::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/records");
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        // pages of records may lie next to them
        for path in paths.filter(|path| path.extension().is_some_and(|it| it == "csv")) {
            let Record { name, rows } = Record::read(&path).unwrap();
            let class = rows[0].cpu.rsplit(' ').next().unwrap();
            let backend = Backend::policies().find(|backend| backend.class() == class).unwrap();
            let mut best = BTreeMap::new();
            for row in rows.iter().filter(|row| is_of_policy(row)) {
                let times = [row.ours_s, row.peer_s].into_iter().flatten();
                let seconds = times.fold(f64::INFINITY, f64::min);
                let best = best.entry((&*row.name, live_lanes(row))).or_insert(seconds);
                *best = best.min(seconds);
            }
            let mut clocks = Vec::new();
            for ((hash, live), seconds) in best {
                let name = if KECCAK.contains(&hash) { "Keccak" } else { hash };
                let function = HASHES.iter().find(|function| function.name == name).unwrap();
                let cycles = (function.expected_cycles)(&backend, live as usize, MESSAGE_BYTES);
                clocks.push((cycles / seconds, hash, live));
            }
            clocks.sort_by(|a, b| a.0.total_cmp(&b.0));
            let Some((median, ..)) = clocks.get(clocks.len() / 2).copied() else { continue };
            for (clock, hash, live) in clocks {
                let belief = clock / median;
                assert!(
                    BOUNDS.contains(&belief),
                    "{name}: {hash} x {live} is believed to take {belief:.2} of its time"
                );
            }
            classes.push(class.to_owned());
        }
        classes.sort();
        classes.dedup();
        assert_eq!(classes, ["Avx512", "Zen", "Zen3", "Zen4", "Zen5"]);
    }
}
