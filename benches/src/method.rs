//! Ways to hash messages: ours, and those of the peers that are always built.

use digest::{Digest, Output, OutputSizeUser, typenum::Unsigned};
use jlanes::{
    Backend,
    multi::{self, MultiDigest},
};
use jlanes_core::{engine::Engine, hash::HashFunction};

use crate::measure::{Contestant, Run};

/// Makes a [`Run`] over given messages. What happens here is not timed.
type Prepare = Box<dyn for<'m> Fn(&'m [&'m [u8]]) -> Run<'m>>;

/// A named way to hash a list of messages.
pub struct Method {
    /// What people call it.
    pub name: String,
    /// Bytes of one message's digest.
    pub digest_bytes: usize,
    /// Whether its digests are another function's, so that only speeds compare.
    pub other_function: bool,
    /// How to run it, or why it cannot be run here.
    pub prepare: Result<Prepare, String>,
}

impl Method {
    /// A method that prepares something for its messages.
    pub fn prepared(
        name: impl Into<String>,
        digest_bytes: usize,
        prepare: impl for<'m> Fn(&'m [&'m [u8]]) -> Run<'m> + 'static,
    ) -> Self {
        let prepare: Result<Prepare, String> = Ok(Box::new(prepare));
        Self { name: name.into(), digest_bytes, other_function: false, prepare }
    }

    /// A method that is a function of messages and room for their digests.
    pub fn plain(
        name: impl Into<String>,
        digest_bytes: usize,
        hash: impl Fn(&[&[u8]], &mut [u8]) + Copy + 'static,
    ) -> Self {
        Self::prepared(name, digest_bytes, move |messages| {
            Box::new(move |digests| hash(messages, digests))
        })
    }

    /// A method that cannot be run here.
    pub fn missing(name: impl Into<String>, why: impl Into<String>) -> Self {
        let (name, prepare) = (name.into(), Err(why.into()));
        Self { name, digest_bytes: 0, other_function: false, prepare }
    }

    /// This method as a contestant over `messages`, if it can be run here.
    #[must_use]
    pub fn contestant<'m>(&self, messages: &'m [&'m [u8]]) -> Option<Contestant<'m>> {
        let run = self.prepare.as_ref().ok()?(messages);
        Some(Contestant::new(&self.name, messages.len() * self.digest_bytes, run))
    }

    /// Why it cannot be run here.
    #[must_use]
    pub fn gap(&self) -> Option<String> {
        self.prepare.as_ref().err().map(|why| format!("{}: {why}", self.name))
    }

    /// Says that the digests are another function's.
    #[must_use]
    pub fn of_another_function(self) -> Self {
        Self { other_function: true, ..self }
    }
}

/// `H` over the messages at once, on all that the CPU has.
#[must_use]
pub fn many<H: MultiDigest>() -> Method {
    Method::plain("jlanes", <H as Digest>::output_size(), |messages, digests| {
        multi::digest_many::<H>(messages, outputs::<H>(digests));
    })
}

/// `H` over the messages at once, on one backend.
#[must_use]
pub fn forced<H>(backend: &'static str) -> Method
where
    H: MultiDigest,
    Backend: Engine<<H::Function as HashFunction>::Compression>,
{
    let engine = match backend.parse::<Backend>() {
        Ok(engine) => engine,
        Err(error) => return Method::missing(backend, error.to_string()),
    };
    Method::plain(backend, <H as Digest>::output_size(), move |messages, digests| {
        multi::digest_many_with::<H>(engine, messages, outputs::<H>(digests));
    })
}

/// Any hasher, message after message.
#[must_use]
pub fn one_by_one<D: Digest>(name: &'static str) -> Method {
    Method::plain(name, D::OutputSize::USIZE, |messages, digests| {
        for (message, digest) in messages.iter().zip(outputs::<D>(digests)) {
            *digest = D::digest(message);
        }
    })
}

/// tape-sha256, the nearest Rust peer.
#[must_use]
pub fn tape() -> Method {
    Method::plain("tape-sha256", 32, |messages, digests| {
        tape_sha256::hash_many(messages, digests.as_chunks_mut().0);
    })
}

/// Flat bytes as the digests of `D`.
fn outputs<D: OutputSizeUser>(digests: &mut [u8]) -> &mut [Output<D>] {
    Output::<D>::slice_as_chunks_mut(digests).0
}
