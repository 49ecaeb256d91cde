//! A task: one result of a run over columns, and the lanes that compute it.

use core::ops::Range;
use std::sync::Arc;

use jlanes::algorithm::AnyLanes;

use crate::Error;

/// A callback that says whether to go on.
type Watch = Arc<dyn Fn() -> bool + Send + Sync>;

/// The lanes of an operation on one thread and on all, and the callback that may stop it.
#[derive(Clone)]
pub(crate) struct Workers {
    alone: AnyLanes,
    /// The same lanes on all threads, if the operation may use these.
    #[cfg(feature = "rayon")]
    wide: Option<AnyLanes>,
    watch: Option<Watch>,
}

impl From<AnyLanes> for Workers {
    fn from(alone: AnyLanes) -> Self {
        Self {
            alone,
            #[cfg(feature = "rayon")]
            wide: None,
            watch: None,
        }
    }
}

impl Workers {
    pub(crate) fn map(self, f: impl Fn(AnyLanes) -> AnyLanes) -> Self {
        Self {
            alone: f(self.alone),
            #[cfg(feature = "rayon")]
            wide: self.wide.map(f),
            watch: self.watch,
        }
    }

    #[cfg(feature = "rayon")]
    pub(crate) fn parallel(self) -> Self {
        let wide = Some(self.alone.clone().parallel());
        Self { wide, ..self }
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
        return self.wide.is_some();
        #[cfg(not(feature = "rayon"))]
        false
    }

    /// The lanes, on all threads if `wide`.
    pub(crate) fn lanes(&self, wide: bool) -> &AnyLanes {
        #[cfg(feature = "rayon")]
        if let (true, Some(lanes)) = (wide, &self.wide) {
            return lanes;
        }
        let _ = wide; // without threads, there is one way to run
        &self.alone
    }
}

/// Computes contiguous values from the messages of all operands.
pub(crate) type Job<'j> =
    dyn Fn(&AnyLanes, &[&[&[u8]]], &mut [u8]) -> Result<(), Error> + Sync + 'j;

/// One result of a run.
pub(crate) struct Task<'j> {
    pub(crate) workers: &'j Workers,
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
        wide: bool,
        operands: &[Vec<&[u8]>],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let (lanes, rows) = (self.workers.lanes(wide), operands[0].len());
        let slices = |rows: Range<usize>| -> Vec<&[&[u8]]> {
            operands.iter().map(|operand| &operand[rows.clone()]).collect()
        };
        if self.workers.watch.is_none() {
            return (self.job)(lanes, &slices(0..rows), out);
        }
        let fewest = ALL_LANES_ROWS
            * if wide { threads(rows.saturating_mul(MIN_ROW_BYTES + self.cost)) } else { 1 };
        let mut first = 0;
        while first < rows {
            self.workers.check()?;
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
