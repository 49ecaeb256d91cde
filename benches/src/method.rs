//! Ways to hash messages: ours, and those of the peers that are always built.

use digest::{Digest, Output, OutputSizeUser, typenum::Unsigned};
use jlanes::{
    Backend,
    merkle::Error,
    multi::{BatchDigest, Lanes, MultiDigest},
    tree::JLanesRaw,
};
use jlanes_core::{function::Function, hash::HashFunction, kernel::HasKernels};
use jlanes_tree::linear::LinearHash;

use crate::measure::{Contestant, Run};

/// Makes a [`Run`] over given messages. What happens here is not timed.
type Prepare = Box<dyn for<'m> Fn(&'m [&'m [u8]]) -> Run<'m>>;

/// A named way to hash a list of messages.
pub(crate) struct Method {
    pub(crate) name: String,
    /// Bytes of one message's digest.
    pub(crate) digest_bytes: usize,
    /// Whether its digests are another function's, so that only speeds compare.
    pub(crate) other_function: bool,
    /// How to run it, or why it cannot be run here.
    pub(crate) prepare: Result<Prepare, String>,
}

impl Method {
    /// A method that prepares something for its messages.
    pub(crate) fn prepared(
        name: impl Into<String>,
        digest_bytes: usize,
        prepare: impl for<'m> Fn(&'m [&'m [u8]]) -> Run<'m> + 'static,
    ) -> Self {
        let prepare: Result<Prepare, String> = Ok(Box::new(prepare));
        Self { name: name.into(), digest_bytes, other_function: false, prepare }
    }

    /// A method that is a function of messages and room for their digests.
    pub(crate) fn plain(
        name: impl Into<String>,
        digest_bytes: usize,
        hash: impl Fn(&[&[u8]], &mut [u8]) + Copy + Send + 'static,
    ) -> Self {
        Self::prepared(name, digest_bytes, move |messages| {
            Box::new(move |digests| hash(messages, digests))
        })
    }

    /// A function of one message and room for its digest, message after message.
    pub(crate) fn each(
        name: impl Into<String>,
        digest_bytes: usize,
        hash: impl Fn(&[u8], &mut [u8]) + Copy + Send + 'static,
    ) -> Self {
        Self::plain(name, digest_bytes, move |messages, digests| {
            for (message, digest) in messages.iter().zip(digests.chunks_exact_mut(digest_bytes)) {
                hash(message, digest);
            }
        })
    }

    /// A method that cannot be run here.
    pub(crate) fn missing(name: impl Into<String>, why: impl Into<String>) -> Self {
        let (name, prepare) = (name.into(), Err(why.into()));
        Self { name, digest_bytes: 0, other_function: false, prepare }
    }

    /// This method as a contestant over `messages`, if it can be run here.
    pub(crate) fn contestant<'m>(&self, messages: &'m [&'m [u8]]) -> Option<Contestant<'m>> {
        let run = self.prepare.as_ref().ok()?(messages);
        Some(Contestant::new(&self.name, messages.len() * self.digest_bytes, run))
    }

    /// Why it cannot be run here.
    pub(crate) fn gap(&self) -> Option<String> {
        self.prepare.as_ref().err().map(|why| format!("{}: {why}", self.name))
    }

    /// Says that the digests are another function's.
    pub(crate) fn of_another_function(self) -> Self {
        Self { other_function: true, ..self }
    }

    pub(crate) fn named(self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Runs it in a pool of `threads` threads.
    pub(crate) fn on_threads(self, threads: usize) -> Self {
        let prepare = self.prepare.map(|prepare| -> Prepare {
            Box::new(move |messages| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                let pool = pool.expect("the system has threads to spare");
                let mut run = prepare(messages);
                Box::new(move |digests| pool.install(|| run(digests)))
            })
        });
        Self { prepare, ..self }
    }
}

/// `H` over the messages at once, on all that the CPU has.
pub(crate) fn many<H: BatchDigest>() -> Method {
    Method::plain("jlanes", <H as Digest>::output_size(), |messages, digests| {
        Lanes::<H>::new().digest(messages, outputs::<H>(digests));
    })
}

/// `H` over the messages at once, on one backend.
pub(crate) fn forced<H: MultiDigest<Backend = Backend>>(name: &'static str) -> Method {
    on_backend(name, |backend| {
        Method::plain(name, <H as Digest>::output_size(), move |messages, digests| {
            Lanes::<H>::new().on(backend).digest(messages, outputs::<H>(digests));
        })
    })
}

/// `H` of one message after the other, on one backend and not in lanes.
pub(crate) fn linear_on<H>(name: &'static str) -> Method
where
    H: MultiDigest<Backend = Backend>,
    Backend: HasKernels<<H::Hash as HashFunction>::Compression>,
{
    on_backend(name, |backend| linear::<H>(name, backend))
}

/// [`linear_on`] for a backend with n-SMS (\[SMS\]).
pub(crate) fn n_sms_on<H>(name: &'static str) -> Method
where
    H: MultiDigest<Backend = Backend>,
    Backend: HasKernels<<H::Hash as HashFunction>::Compression>,
{
    linear_on::<H>(name).named(format!("n-SMS on {}", name.trim_end_matches("+n-sms")))
}

fn linear<H>(name: &'static str, backend: Backend) -> Method
where
    H: MultiDigest<Backend = Backend>,
    Backend: HasKernels<<H::Hash as HashFunction>::Compression>,
{
    Method::each(name, <H as Digest>::output_size(), move |message, digest| {
        let mut hasher = LinearHash::new(&Function::of::<H::Hash, _>(backend));
        hasher.update(message);
        hasher.finish(digest);
    })
}

/// Each message dealt out to `J` lanes of `H` as the paper does it, on one backend.
pub(crate) fn lanes_on<H: MultiDigest<Backend = Backend>, const J: usize>(
    name: &'static str,
) -> Method {
    on_backend(name, |backend| {
        Method::each(name, <H as Digest>::output_size(), move |message, digest| {
            let lanes = JLanesRaw::<H, J>::with_backend(backend);
            digest.copy_from_slice(&lanes.chain_update(message).finalize());
        })
    })
}

/// A method for the backend of that name, unless this CPU lacks it.
pub(crate) fn on_backend(name: &'static str, method: impl FnOnce(Backend) -> Method) -> Method {
    match name.parse::<Backend>() {
        Ok(backend) => method(backend),
        Err(error) => Method::missing(name, format!("{error}")),
    }
}

/// Any hasher, message after message.
pub(crate) fn one_by_one<D: Digest>(name: &'static str) -> Method {
    Method::each(name, D::OutputSize::USIZE, |message, digest| {
        digest.copy_from_slice(&D::digest(message));
    })
}

/// A hasher of another function than the contest's, message after message.
pub(crate) fn another<D: Digest>(name: &'static str) -> Method {
    one_by_one::<D>(name).of_another_function()
}

/// A Merkle tree of each message.
pub(crate) fn tree<D: AsRef<[u8]> + 'static>(
    name: &'static str,
    digest_bytes: usize,
    root: fn(&[u8]) -> Result<D, Error>,
) -> Method {
    Method::each(name, digest_bytes, move |message, digest| {
        digest.copy_from_slice(root(message).expect("parameters and sizes are legal").as_ref());
    })
}

/// tape-sha256, the nearest Rust peer.
pub(crate) fn tape() -> Method {
    Method::plain("tape-sha256", 32, |messages, digests| {
        tape_sha256::hash_many(messages, digests.as_chunks_mut().0);
    })
}

/// Flat bytes as the digests of `D`.
pub(crate) fn outputs<D: OutputSizeUser>(digests: &mut [u8]) -> &mut [Output<D>] {
    Output::<D>::slice_as_chunks_mut(digests).0
}
