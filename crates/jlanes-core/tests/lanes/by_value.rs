//! The jobs of a hash function as a value, with digests of its type.

use digest::array::Array;
use jlanes_core::{
    function::{Batch, BatchFunction, Function, Start, filling},
    hash::{Output, WordOf},
    kernel::HasKernels,
};

fn function<H: BatchFunction>(
    backend: impl HasKernels<H::Compression>,
    start: &Start<H>,
) -> Function<WordOf<H>> {
    Function::new(start, backend)
}

pub(crate) fn digest<'a, H: BatchFunction, B: HasKernels<H::Compression>, const P: usize>(
    backend: B,
    start: &Start<H>,
    message: impl Fn(usize) -> [&'a [u8]; P] + Sync,
    out: &mut [Output<H>],
) {
    function(backend, start).digest_with(&[], message, Array::slice_as_flattened_mut(out));
}

pub(crate) fn source<H: BatchFunction, B: HasKernels<H::Compression>>(
    backend: B,
    prefix: &[u8],
    messages: &Batch<'_, '_>,
    out: &mut [Output<H>],
) {
    let out = Array::slice_as_flattened_mut(out);
    function(backend, &Start::<H>::new()).digest(prefix, messages, out);
}

pub(crate) fn chains<H: BatchFunction, B: HasKernels<H::Compression>>(
    backend: B,
    prefix: &[u8],
    digests: &mut [Output<H>],
    steps: u64,
) {
    let digests = Array::slice_as_flattened_mut(digests);
    function(backend, &Start::<H>::new()).chains(prefix, digests, steps);
}

pub(crate) fn double<'a, H: BatchFunction, B: HasKernels<H::Compression>, const P: usize>(
    backend: B,
    start: &Start<H>,
    message: impl Fn(usize) -> [&'a [u8]; P] + Sync,
    out: &mut [Output<H>],
) {
    let fill = filling(message);
    let messages = Batch::filled(out.len(), &fill);
    function(backend, start).double(&[], &messages, Array::slice_as_flattened_mut(out));
}

pub(crate) fn hmac<'a, H: BatchFunction, B: HasKernels<H::Compression>>(
    backend: B,
    key: &[u8],
    prefix: &[u8],
    message: impl Fn(usize) -> &'a [u8] + Sync,
    out: &mut [Output<H>],
) {
    let fill = filling(|i| [message(i)]);
    let messages = Batch::filled(out.len(), &fill);
    let out = Array::slice_as_flattened_mut(out);
    function(backend, &Start::<H>::new()).hmac(key, prefix, &messages, out);
}

pub(crate) fn hmac_keyed<'a, H: BatchFunction, B: HasKernels<H::Compression>>(
    backend: B,
    key: impl Fn(usize) -> &'a [u8] + Sync,
    prefix: &[u8],
    message: impl Fn(usize) -> &'a [u8] + Sync,
    out: &mut [Output<H>],
) {
    let (keys, messages) = (filling(|i| [key(i)]), filling(|i| [message(i)]));
    let keys = Batch::filled(out.len(), &keys);
    let messages = Batch::filled(out.len(), &messages);
    let out = Array::slice_as_flattened_mut(out);
    function(backend, &Start::<H>::new()).hmac_keyed(&keys, prefix, &messages, out);
}

pub(crate) fn pbkdf2<'a, H: BatchFunction, B: HasKernels<H::Compression>>(
    backend: B,
    password: impl Fn(usize) -> &'a [u8] + Sync,
    (prefix, salt): (&[u8], impl Fn(usize) -> &'a [u8] + Sync),
    rounds: u32,
    outs: &mut [&mut [u8]],
) {
    let (passwords, salts) = (filling(|i| [password(i)]), filling(|i| [salt(i)]));
    let passwords = Batch::filled(outs.len(), &passwords);
    let salts = Batch::filled(outs.len(), &salts);
    function(backend, &Start::<H>::new()).pbkdf2(&passwords, (prefix, &salts), rounds, outs);
}
