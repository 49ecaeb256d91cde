//! One job of [`AnyLanes`](super::AnyLanes), for a function with messages that share lanes.

use jlanes_core::{
    batch::{
        Start,
        function::{AnyFunction, Function, List},
    },
    jobs::Jobs,
    mac::pbkdf2::Passwords,
};

use super::lists::in_groups;
use crate::{
    Backend,
    multi::{Messages, MultiDigest, parts::Parts},
};

/// The function of `H` on a backend.
pub(super) type OnBackend = fn(Backend) -> AnyFunction;

/// [`OnBackend`] of `H`.
pub(super) fn function<H: MultiDigest>(engine: H::Engine) -> AnyFunction {
    Start::<H::Function>::new().function(engine)
}

/// Calls `$body` with the [`Function`] in an [`AnyFunction`] of either word size.
macro_rules! with {
    ($any:expr, |$function:pat_param| $body:expr) => {
        match $any {
            jlanes_core::batch::function::AnyFunction::U32($function) => $body,
            jlanes_core::batch::function::AnyFunction::U64($function) => $body,
        }
    };
}
pub(super) use with;

/// One job under a function.
pub(super) struct Job<'j, W: Jobs> {
    pub(super) function: &'j Function<W>,
    pub(super) prefix: &'j [u8],
    pub(super) parts: Parts,
}

impl<W: Jobs> Job<'_, W> {
    /// Calls `job` with parts of the digests' bytes. Message `i` costs its own blocks plus `more`.
    pub(super) fn each(
        &self,
        messages: Messages<'_>,
        more: u64,
        out: &mut [u8],
        job: &(dyn Fn(usize, &mut [u8]) + Sync),
    ) {
        let hash = self.function.descriptor();
        let blocks = |i: usize, _: &[u8]| hash.blocks(messages.get(i).len()) as u64 + more;
        self.parts.each_of(self.function, &blocks, (out, hash.digest), job);
    }

    pub(super) fn digest(&self, messages: Messages<'_>, out: &mut [u8]) {
        let Self { function, prefix, .. } = self;
        self.each(messages, 0, out, &|first, out| {
            let count = function.count(out);
            let one = |i: usize| messages.get(first + i);
            let list = if let Some((records, width)) = messages.as_records() {
                List::Records(&records[first * width..][..count * width], width)
            } else if let Some(slices) = messages.as_slices() {
                List::Slices(&slices[first..][..count])
            } else {
                List::Each(&one)
            };
            function.digest(prefix, list, out);
        });
    }

    pub(super) fn hmac(&self, key: &[u8], messages: Messages<'_>, out: &mut [u8]) {
        self.each(messages, 1, out, &|first, out| {
            self.function.hmac(key, self.prefix, &|i| messages.get(first + i), out);
        });
    }

    pub(super) fn hmac_keyed(&self, keys: Messages<'_>, messages: Messages<'_>, out: &mut [u8]) {
        self.each(messages, 3, out, &|first, out| {
            let key = |i: usize| keys.get(first + i);
            self.function.hmac_keyed(&key, self.prefix, &|i| messages.get(first + i), out);
        });
    }

    pub(super) fn pbkdf2(
        &self,
        passwords: Messages<'_>,
        salts: Messages<'_>,
        rounds: u32,
        (out, width): (&mut [u8], usize),
    ) {
        let size = self.function.descriptor().digest;
        let blocks =
            |_: usize, _: &[u8]| width.div_ceil(size) as u64 * 2 * u64::from(rounds.max(1));
        self.parts.each_of(self.function, &blocks, (out, width), &|start, out| {
            in_groups(out, width, &mut |first, outs| {
                let password = |i: usize| passwords.get(start + first + i);
                let salt = |i: usize| salts.get(start + first + i);
                let (password, salt, prefix) = (&password, &salt, self.prefix);
                self.function.pbkdf2(&Passwords { password, prefix, salt, rounds }, outs);
            });
        });
    }
}
