//! [`Document::verify`]: all checksums of a document from one read of a file, under every part size that is
//! possible.

use std::io::{self, Read};

use jlanes::{Algorithm, Backend, algorithm::S3Checksum};
use rayon::iter::{IntoParallelRefMutIterator, ParallelIterator};

use super::{
    Document, algorithm,
    document::{Coverage, ObjectSum, Part},
    hasher, shown,
};
use crate::{
    Computation, Engine, FileHasher, computation::SequentialParts, read::ProgressCallback,
};

/// The unit of guessed part sizes.
const MIB: u64 = 1 << 20;
/// The part size of the usual tools.
const USUAL_PART_BYTES: u64 = 8 * MIB;

/// The most part sizes that are tried: the parts of a long object in two parts might have thousands.
const MAX_TRIED_PART_SIZES: usize = 1024;

/// Bytes read at once: several whole parts of the usual size share the lanes.
const READ_BYTES: u64 = 32 * MIB;

/// The verdict on a file, for one checksum or for all of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The file has the checksum.
    Ok,
    /// The file has another checksum, or another length.
    Failed,
    /// Nobody can tell, because S3 does not store the size of parts and no likely one fits.
    Unknown,
}

/// The result for one checksum of the object.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifiedChecksum {
    /// The algorithm, with the size of parts if one fits.
    pub algorithm: Algorithm,
    /// The object's value as S3 prints it.
    pub expected: String,
    /// The file's value, if there is one of this kind and it was computed.
    pub found: Option<String>,
    /// Whether they are equal.
    pub verdict: Verdict,
}

/// The result of comparing a file with all checksums of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct VerifiedObject {
    /// The length of the file, if it is not the object's.
    pub other_length: Option<u64>,
    /// A result for each checksum; none if the length is enough to tell.
    pub checked: Vec<VerifiedChecksum>,
}

impl VerifiedObject {
    /// [`Failed`](Verdict::Failed) if the length or a checksum differs; [`Ok`](Verdict::Ok) if a checksum is
    /// right and none is wrong.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let has = |verdict| self.checked.iter().any(|checked| checked.verdict == verdict);
        match self.other_length.is_some() || has(Verdict::Failed) {
            true => Verdict::Failed,
            false if has(Verdict::Ok) => Verdict::Ok,
            false => Verdict::Unknown,
        }
    }
}

impl Document {
    /// Compares what `reader` returns with the object, in one read, on the engine's backend and threads.
    ///
    /// `len` is the length of the file, if it is known before the read; without it, the document's counts.
    /// `sizes` are part sizes that the caller knows, for composites without a list of parts.
    ///
    /// # Errors
    /// The reader's.
    pub fn verify(
        &self,
        engine: &Engine,
        mut reader: impl Read,
        len: Option<u64>,
        sizes: &[(S3Checksum, usize)],
    ) -> io::Result<VerifiedObject> {
        if let (Some(size), Some(len)) = (self.size, len)
            && size != len
        {
            return Ok(VerifiedObject { other_length: Some(len), checked: Vec::new() });
        }
        let mut trials = self.trials(engine, len.or(self.size), sizes);
        let read = hash_all(engine, &mut reader, &mut trials)?;
        if self.size.is_some_and(|size| size != read) {
            return Ok(VerifiedObject { other_length: Some(read), checked: Vec::new() });
        }
        let (mut results, mut sizes) = (Vec::new(), Vec::new());
        for Trial { sum: at, part, algorithm, is_certain, hasher } in trials {
            let (sum, result) = (&self.sums[at], hasher.finish()?);
            let (digest, count) = result.split_at(result.len().min(sum.digest.len()));
            let count = <[u8; 8]>::try_from(count).ok().map(u64::from_be_bytes);
            let is_right = *digest == sum.digest[..] && sum.fits(count);
            sizes.extend(part.filter(|_| is_right));
            let found = (!digest.is_empty()).then(|| shown(digest, count));
            results.push((at, part, algorithm, is_certain, is_right, found));
        }
        let mut checked: Vec<_> = self.sums.iter().map(VerifiedChecksum::unknown).collect();
        for (at, part, algorithm, is_certain, is_right, found) in results {
            // a size that fits one checksum is that of all: they are of the same parts
            if is_right || is_certain || part.is_some_and(|part| sizes.contains(&part)) {
                let verdict = if is_right { Verdict::Ok } else { Verdict::Failed };
                let expected = std::mem::take(&mut checked[at].expected);
                checked[at] = VerifiedChecksum { algorithm, expected, found, verdict };
            }
        }
        Ok(VerifiedObject { other_length: None, checked })
    }

    /// The computations that may give the object's checksums.
    fn trials(
        &self,
        engine: &Engine,
        len: Option<u64>,
        sizes: &[(S3Checksum, usize)],
    ) -> Vec<Trial> {
        let mut trials = Vec::new();
        for (at, sum) in self.sums.iter().enumerate() {
            // there is no trial of parts that the address space has no room for
            let trial = |part: Option<u64>, is_certain| {
                let part = part.map(usize::try_from).transpose().ok()?;
                let algorithm = algorithm(sum.checksum, part);
                let is_parallel = engine.threads.pool().is_some();
                let hasher = Computation::from(algorithm).hasher(engine.backend(), is_parallel);
                Some(Trial { sum: at, part, algorithm, is_certain, hasher })
            };
            let known = sizes.iter().find(|(checksum, _)| *checksum == sum.checksum);
            match (sum.coverage, known, len) {
                (Coverage::Whole, ..) => trials.extend(trial(None, true)),
                (Coverage::Parts(_), ..) if !self.parts.is_empty() => {
                    trials.push(Trial {
                        sum: at,
                        part: None,
                        algorithm: algorithm(sum.checksum, None),
                        is_certain: true,
                        hasher: self.listed_parts(sum.checksum, engine.backend()),
                    });
                }
                (Coverage::Parts(_), Some((_, part)), _) => {
                    trials.extend(trial(Some(*part as u64), true));
                }
                (Coverage::Parts(Some(1)), None, Some(len)) => {
                    trials.extend(trial(Some(len.max(1)), true));
                }
                (Coverage::Parts(Some(count)), None, Some(len)) => {
                    trials.extend(guesses(len, count).filter_map(|part| trial(Some(part), false)));
                }
                (Coverage::Parts(_), None, _) => {}
            }
        }
        trials
    }

    /// The hasher of a composite of the listed parts.
    fn listed_parts(&self, checksum: S3Checksum, backend: Backend) -> Box<dyn FileHasher> {
        let listed = |part: &Part| {
            let known = part.sums.iter().find(|(other, _)| *other == checksum);
            (part.size, known.map(|(_, digest)| digest.clone()))
        };
        let parts = self.parts.iter().map(listed).collect();
        Box::new(SequentialParts::listed(parts, move || hasher(checksum, backend, false)))
    }
}

impl ObjectSum {
    /// Whether the object may have this number of parts.
    fn fits(&self, count: Option<u64>) -> bool {
        match self.coverage {
            Coverage::Parts(Some(known)) => count == Some(known),
            Coverage::Parts(None) | Coverage::Whole => true,
        }
    }
}

impl VerifiedChecksum {
    fn unknown(sum: &ObjectSum) -> Self {
        let count = if let Coverage::Parts(count) = sum.coverage { count } else { None };
        Self {
            algorithm: algorithm(sum.checksum, None),
            expected: shown(&sum.digest, count),
            found: None,
            verdict: Verdict::Unknown,
        }
    }
}

/// The whole mebibytes that cut `len` bytes into `count` parts, at least two, the usual size first.
fn guesses(len: u64, count: u64) -> impl Iterator<Item = u64> {
    let least = len.div_ceil(count).div_ceil(MIB);
    // an empty object has no two parts
    let most = len.checked_sub(1).map_or(0, |last| last / (count - 1) / MIB);
    let all = (least.max(1)..=most).map(|part| part * MIB);
    let usual = all.clone().filter(|part| *part == USUAL_PART_BYTES);
    usual.chain(all.filter(|part| *part != USUAL_PART_BYTES)).take(MAX_TRIED_PART_SIZES)
}

/// A computation that may give a checksum of the object.
struct Trial {
    /// The index of the checksum.
    sum: usize,
    /// The size of parts, if all but the last have one.
    part: Option<usize>,
    algorithm: Algorithm,
    /// Whether another result is a mismatch, not a wrong guess.
    is_certain: bool,
    hasher: Box<dyn FileHasher>,
}

/// Passes everything that `reader` returns to all trials. Returns the number of bytes.
fn hash_all(engine: &Engine, reader: &mut impl Read, trials: &mut [Trial]) -> io::Result<u64> {
    let (mut piece, mut len) = (Vec::new(), 0);
    loop {
        piece.clear();
        reader.take(READ_BYTES).read_to_end(&mut piece)?;
        len += piece.len() as u64;
        if let Some(ProgressCallback(count)) = &engine.reading.progress {
            count(piece.len() as u64);
        }
        match engine.threads.pool() {
            Some(pool) => pool.install(|| {
                trials.par_iter_mut().for_each(|trial| trial.hasher.update(&piece));
            }),
            None => trials.iter_mut().for_each(|trial| trial.hasher.update(&piece)),
        }
        if (piece.len() as u64) < READ_BYTES {
            return Ok(len);
        }
    }
}
