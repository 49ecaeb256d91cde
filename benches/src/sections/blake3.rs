//! BLAKE3 compared with the crate `blake3`: one message as a tree, and many on shared lanes.

use jlanes::{Backend, Blake3, digest::array::Array, multi::Xofs, tree::par_digest};
use jlanes_core::{
    function::Batch,
    hashes::blake3::{Mode, hasher::Hasher},
};

use crate::{
    contest::Contest,
    cpu::target,
    method::{Method, many, one_by_one},
    peers::{Function, peer},
    workload::{KIB, MIB, Workload},
};

/// The instructions of a build that measures the crate without newer ones.
const FORCED: Option<&str> = if cfg!(feature = "blake3-sse41") {
    Some("sse41")
} else if cfg!(feature = "blake3-avx2") {
    Some("avx2")
} else {
    None
};

pub(crate) fn contests() -> Vec<Contest> {
    FORCED.map_or_else(detected, forced)
}

/// Both on a backend.
fn forced(name: &'static str) -> Vec<Contest> {
    let title = |what: &str| format!("{what} on {name}");
    let ours = || -> Method {
        let Ok(backend) = name.parse::<Backend>() else {
            return Method::missing("jlanes", format!("this CPU lacks {name}"));
        };
        Method::plain("jlanes", 32, move |messages, out| {
            let out = Array::cast_slice_from_core_mut(out.as_chunks_mut().0);
            Hasher::with_mode(backend, Mode::HASH).digest_many(&Batch::slices(messages), out);
        })
    };
    let row = |what: &str, workload, wanted| {
        Contest::new(title(what), workload, ours()).against(theirs(Function::Own), wanted)
    };
    let mut contests = Vec::from(
        [64 * KIB, MIB].map(|len| row("BLAKE3", Workload::equal(1, len), target(0.95, 0.95, 0.9))),
    );
    contests.extend(
        [32, 64, 100, 256, KIB, 4 * KIB]
            .map(|len| row("BLAKE3 batch", Workload::equal(1024, len), target(1.0, 1.0, 1.0))),
    );
    contests.push(row("BLAKE3 batch", Workload::uniform(1024, 0, 8 * KIB), target(1.0, 1.0, 1.0)));
    contests
}

/// Both on what the CPU has.
fn detected() -> Vec<Contest> {
    let one = [64 * KIB, MIB].map(|len| {
        Contest::new("BLAKE3", Workload::equal(1, len), one_by_one::<Blake3>("jlanes"))
            .against(theirs(Function::Own), target(0.95, 0.95, 0.9))
    });
    let shared = Method::each("jlanes", 32, |message, digest| {
        digest.copy_from_slice(&par_digest::<Blake3>(message));
    });
    let threads =
        Contest::new("BLAKE3 on two threads", Workload::equal(1, 64 * MIB), shared.on_threads(2))
            .on_all_cores()
            .against(theirs(Function::OwnOnAllCores), 1.0);
    let short = [32, 64, 100, 256, KIB, 4 * KIB].map(|len| {
        let wanted = if len > KIB { target(2.0, 2.0, 2.0) } else { target(5.0, 5.0, 6.0) };
        batch(Workload::equal(1024, len)).against(theirs(Function::Own), wanted)
    });
    let mixed = batch(Workload::uniform(1024, 0, 8 * KIB))
        .against(theirs(Function::Own), target(3.0, 3.0, 3.5));
    let mut contests = Vec::from(one);
    contests.push(threads);
    contests.extend(short);
    contests.extend([mixed, outputs()]);
    contests
}

fn batch(workload: Workload) -> Contest {
    Contest::new("BLAKE3 batch", workload, many::<Blake3>())
}

/// The same function, so that digests are compared.
fn theirs(function: Function) -> Method {
    Method { other_function: false, ..peer("BLAKE3", function).named("blake3") }
}

/// Bytes of the outputs.
const OUTPUT_BYTES: usize = 1024;

/// Outputs that are longer than their messages.
fn outputs() -> Contest {
    let ours = Method::plain("jlanes", OUTPUT_BYTES, |messages, out| {
        let mut outs: Vec<&mut [u8]> = out.chunks_mut(OUTPUT_BYTES).collect();
        Xofs::<Blake3>::new().fill(messages, &mut outs);
    });
    let theirs = Method::each("blake3", OUTPUT_BYTES, |message, out| {
        blake3::Hasher::new().update(message).finalize_xof().fill(out);
    });
    Contest::new("BLAKE3, 1 KiB of each", Workload::equal(64, 32), ours)
        .against(theirs, target(1.0, 1.0, 1.0))
}
