//! BLAKE3 compared with the crate `blake3`: one message as a tree, and many on shared lanes.

use jlanes::{Blake3, multi, tree::par_digest};

use crate::{
    contest::Contest,
    cpu::target,
    method::{Method, many, one_by_one},
    peers::{Function, peer},
    workload::{KIB, MIB, Workload},
};

/// The lines of the table.
#[must_use]
pub fn contests() -> Vec<Contest> {
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
const OUTPUT: usize = 1024;

/// Outputs that are longer than their messages.
fn outputs() -> Contest {
    let ours = Method::plain("jlanes", OUTPUT, |messages, out| {
        let mut outs: Vec<&mut [u8]> = out.chunks_mut(OUTPUT).collect();
        multi::xof_many::<Blake3>(messages, &mut outs);
    });
    let theirs = Method::each("blake3", OUTPUT, |message, out| {
        blake3::Hasher::new().update(message).finalize_xof().fill(out);
    });
    Contest::new("BLAKE3, 1 KiB of each", Workload::equal(64, 32), ours)
        .against(theirs, target(1.0, 1.0, 1.0))
}
