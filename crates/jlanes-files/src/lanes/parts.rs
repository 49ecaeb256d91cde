//! Files in parts, as S3's composites and entity tags have them: parts of several files share the lanes.
//!
//! A file keeps its lane from part to part, so it is read once and in order. Few files, and files with parts
//! enough for all lanes, are hashed one at a time instead.

use std::{
    ops::ControlFlow,
    task::{Context, Poll},
};

use jlanes::{
    Algorithm, Backend,
    algorithm::{AnyScheduler, BaseHash},
    multi::{Source, Usage},
};

use super::{FileLanes, FinishedFile, LaneReport, LanesConfig, Receiver, WholeFiles};
use crate::{
    computation::{Multipart, PartDigests},
    read::{Buffer, FileSource, ReadError},
};

/// Fewer files than these are hashed one at a time, by all threads.
const MIN_FILES_TOGETHER: usize = 4;

/// The most parts of a file that shares the lanes.
const MAX_PARTS: u64 = 16;

/// Lanes with parts of files.
pub(super) struct PartLanes {
    multipart: Multipart,
    backend: Backend,
    /// Files that came since the last step.
    new: Vec<FileSource>,
    scheduler: AnyScheduler<PartSource>,
    whole: WholeFiles,
    kernels: Vec<(usize, &'static str)>,
}

impl PartLanes {
    pub(super) fn new(multipart: Multipart, config: LanesConfig) -> Self {
        let lanes = Algorithm::from(BaseHash::Fixed(multipart.hash)).lanes();
        let lanes = lanes.expect("a hash has a digest of everything").on(config.backend);
        let (scheduler, kernels) = (lanes.scheduler(), config.kernels());
        let backend = config.backend;
        Self {
            multipart,
            backend,
            new: Vec::new(),
            scheduler,
            whole: WholeFiles::new(config),
            kernels,
        }
    }

    /// Chooses how new files are hashed.
    fn assign_new(&mut self) {
        let is_few = self.scheduler.is_empty() && self.new.len() < MIN_FILES_TOGETHER;
        let most = MAX_PARTS.saturating_mul(self.multipart.size as u64);
        for source in self.new.drain(..) {
            // equal files need equal first buffers, however many come together
            let is_few = is_few && !source.ends_after_one_buffer();
            if !is_few && source.size().is_some_and(|size| size <= most) {
                self.scheduler.submit(PartSource::new(source, self.multipart, self.backend));
            } else {
                self.whole.submit(source);
            }
        }
    }
}

impl FileLanes for PartLanes {
    fn submit(&mut self, source: FileSource) {
        self.new.push(source);
    }

    fn len(&self) -> usize {
        self.new.len() + self.scheduler.len() + self.whole.len()
    }

    fn step(&mut self, receiver: &mut Receiver<'_>) {
        self.assign_new();
        if self.whole.len() > 0 {
            return self.whole.step(receiver);
        }
        let ended: Vec<_> = self.scheduler.step().collect();
        let mut finished = Vec::new();
        for (part, digest) in ended {
            match part.end_part(digest, self.multipart) {
                ControlFlow::Continue(next) => self.scheduler.submit(next),
                ControlFlow::Break(file) => finished.push(file),
            }
        }
        receiver(&mut finished.into_iter());
    }

    fn usage(&self) -> Usage {
        let mut usage = self.whole.usage();
        usage.add(self.scheduler.usage());
        usage
    }

    fn report(&self) -> LaneReport {
        let (kernels, lanes) = (self.kernels.clone(), self.scheduler.lanes());
        LaneReport { kernels, lanes, usage: self.usage() }
    }
}

/// A file with its current part as the message.
struct PartSource {
    file: FileSource,
    buffer: Buffer,
    /// Bytes that the part may still have.
    left: usize,
    digests: PartDigests,
}

impl PartSource {
    fn new(file: FileSource, multipart: Multipart, backend: Backend) -> Self {
        Self {
            file,
            buffer: Buffer::default(),
            left: multipart.size,
            digests: multipart.digests(backend),
        }
    }

    /// Adds the digest of the current part. Continues with the next part, or breaks with the file's digest.
    fn end_part(
        mut self,
        digest: Result<Box<[u8]>, ReadError>,
        multipart: Multipart,
    ) -> ControlFlow<FinishedFile, Self> {
        let has_more = digest.and_then(|digest| {
            self.digests.add(&digest);
            self.file.read_on(&mut self.buffer)?;
            Ok(!self.file.piece(&self.buffer).is_empty())
        });
        let digests = match has_more {
            Ok(true) => {
                self.left = multipart.size;
                return ControlFlow::Continue(self);
            }
            Ok(false) => Ok(vec![self.digests.finish()]),
            Err(error) => Err(error),
        };
        ControlFlow::Break(FinishedFile { summary: self.file.into_key(), digests })
    }
}

impl Source for PartSource {
    type Key = Self;
    type Error = ReadError;
    type Buffer = ();

    fn fill(&mut self, _: &mut Context<'_>, (): &mut ()) -> Poll<Result<(), ReadError>> {
        let has_ended = self.left == 0;
        Poll::Ready(if has_ended { Ok(()) } else { self.file.read_on(&mut self.buffer) })
    }

    fn piece<'a>(&'a self, (): &'a ()) -> &'a [u8] {
        let piece = self.file.piece(&self.buffer);
        &piece[..piece.len().min(self.left)]
    }

    fn consume(&mut self, (): &mut (), n: usize) {
        self.file.consume(&mut self.buffer, n);
        self.left -= n;
    }

    fn into_key(self) -> Self {
        self
    }
}
