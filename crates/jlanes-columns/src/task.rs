//! A task: one result of a run over columns, and the lanes that compute it.

use core::ops::Range;
use std::sync::Arc;

use jlanes::algorithm::AnyLanes;

use crate::Error;

/// A callback that says whether to go on.
type Watch = Arc<dyn Fn() -> bool + Send + Sync>;

/// The lanes of an operation on one thread and on all, and the callback that may stop it.
#[derive(Clone)]
pub(crate) struct ThreadedLanes {
    serial: AnyLanes,
    /// The same lanes on all threads, if the operation may use these.
    #[cfg(feature = "rayon")]
    parallel: Option<AnyLanes>,
    watch: Option<Watch>,
}

impl From<AnyLanes> for ThreadedLanes {
    fn from(serial: AnyLanes) -> Self {
        Self {
            serial,
            #[cfg(feature = "rayon")]
            parallel: None,
            watch: None,
        }
    }
}

impl ThreadedLanes {
    pub(crate) fn map(self, f: impl Fn(AnyLanes) -> AnyLanes) -> Self {
        Self {
            serial: f(self.serial),
            #[cfg(feature = "rayon")]
            parallel: self.parallel.map(f),
            watch: self.watch,
        }
    }

    #[cfg(feature = "rayon")]
    pub(crate) fn parallel(self) -> Self {
        let parallel = Some(self.serial.clone().parallel());
        Self { parallel, ..self }
    }

    pub(crate) fn watched(self, go_on: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { watch: Some(Arc::new(go_on)), ..self }
    }

    /// An error if the callback says to stop.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match &self.watch {
            Some(go_on) if !go_on() => Err(Error::Stopped),
            _ => Ok(()),
        }
    }

    pub(crate) fn is_parallel(&self) -> bool {
        #[cfg(feature = "rayon")]
        return self.parallel.is_some();
        #[cfg(not(feature = "rayon"))]
        false
    }

    /// The lanes, on all threads if `parallel`.
    pub(crate) fn select(&self, parallel: bool) -> &AnyLanes {
        #[cfg(feature = "rayon")]
        if let (true, Some(lanes)) = (parallel, &self.parallel) {
            return lanes;
        }
        let _ = parallel; // without threads, there is one way to run
        &self.serial
    }
}

/// Computes contiguous values from the messages of all operands.
pub(crate) type Job<'j> =
    dyn Fn(&AnyLanes, &[&[&[u8]]], &mut [u8]) -> Result<(), Error> + Sync + 'j;

/// One result of a run.
pub(crate) struct Task<'j> {
    pub(crate) lanes: &'j ThreadedLanes,
    /// The number of bytes of a value.
    pub(crate) width: usize,
    /// The number of bytes hashed for a value, in addition to the operands'.
    pub(crate) cost: usize,
    pub(crate) job: Box<Job<'j>>,
}

/// The number of bytes to hash between two calls of the callback: a few milliseconds.
const BYTES_PER_CALLBACK: usize = 4 << 20;

/// The minimum number of bytes to count for a row: hashes pad messages to a block.
pub(crate) const MIN_ROW_BYTES: usize = 64;

/// The number of rows that fill all lanes. Fewer take as long.
const ALL_LANES_ROWS: usize = 16;

impl Task<'_> {
    /// Runs the job on all messages, in parts if there is a callback.
    pub(crate) fn run(
        &self,
        parallel: bool,
        operands: &[Vec<&[u8]>],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let (lanes, rows) = (self.lanes.select(parallel), operands[0].len());
        let slices = |rows: Range<usize>| -> Vec<&[&[u8]]> {
            operands.iter().map(|operand| &operand[rows.clone()]).collect()
        };
        if self.lanes.watch.is_none() {
            return (self.job)(lanes, &slices(0..rows), out);
        }
        let fewest = ALL_LANES_ROWS
            * if parallel { threads(rows.saturating_mul(MIN_ROW_BYTES + self.cost)) } else { 1 };
        let mut first = 0;
        while first < rows {
            self.lanes.check()?;
            let (mut end, mut bytes) = (first, 0_usize);
            while end < rows && bytes < BYTES_PER_CALLBACK {
                let last = rows.min(end + fewest);
                for operand in operands {
                    bytes += operand[end..last].iter().map(|value| value.len()).sum::<usize>();
                }
                bytes = bytes.saturating_add(self.cost.saturating_mul(last - end));
                end = last;
            }
            let out = &mut out[first * self.width..end * self.width];
            (self.job)(lanes, &slices(first..end), out)?;
            first = end;
        }
        Ok(())
    }
}

/// The number of threads for `bytes` bytes of work. A little work starts none.
pub(crate) fn threads(bytes: usize) -> usize {
    #[cfg(feature = "rayon")]
    return jlanes_tree::join::Join::Rayon.threads(bytes);
    #[cfg(not(feature = "rayon"))]
    {
        let _ = bytes;
        1
    }
}
