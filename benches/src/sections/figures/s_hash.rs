//! \[SH\]: many messages at once.

use jlanes::Sha256;

use super::{Figure, Plot};
use crate::{
    contest::Contest,
    cpu::PortModel,
    method::{forced, many, one_by_one, tape},
    peers::{Function, peer},
    workload::{KIB, MIB, Workload},
};

pub(super) fn all() -> Vec<Figure> {
    let title = "[SH] Fig. 2: 16 messages by their length";
    vec![Figure::new(title, CAPTION, Plot::Sizes, by_length())]
}

const CAPTION: &str = "\
Ordinary SHA-256 digests of 16 messages, which together lie in the first cache, the second, the \
third, and in memory.";

fn by_length() -> impl Iterator<Item = Contest> {
    let lengths = [64, 256, KIB, 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB, 4 * MIB];
    lengths.into_iter().map(|length| {
        Contest::new("", Workload::equal(16, length), many::<Sha256>())
            .limited_to(PortModel::SHA256_BUFFERS)
            .beside([one_by_one::<sha2::Sha256>("sha2"), tape()])
            .beside([peer("stringzilla", Function::Sha256), peer("BLAKE3", Function::Own)])
            .beside(
                ["avx512", "avx512vl", "avx2"]
                    .map(|backend| forced::<Sha256>(backend).named(format!("jlanes on {backend}"))),
            )
    })
}
