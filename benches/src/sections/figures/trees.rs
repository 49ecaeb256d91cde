//! \[SK\]: Skein, simple and in trees. Table 1, with memory, is among the
//! [files](crate::sections::files).

use std::thread;

use digest::{Digest, consts};
use jlanes::{
    multi::MultiDigest,
    skein::{Schedule, Skein256, Skein512, Skein1024, SkeinConfig, SkeinDigest, TreeParams},
};
use jlanes_core::{
    hashes::skein::{
        params::{self, Arguments},
        ubi::{self, BlockType},
    },
    kernel::{HasKernels as _, Kernels},
    simd::{
        vector::ByteOrder,
        words::{read_words, write_words},
    },
};
use jlanes_tree::join::Join;

use super::{Figure, Plot};
use crate::{
    contest::Contest,
    method::{Method, another},
    workload::{KIB, MIB, Workload},
};

/// Leaves of 256 blocks and nodes of 256 children: 8 to 32 KiB.
const BUSHY: (u8, u8) = (8, 8);

pub(super) fn all() -> Vec<Figure> {
    let bars = |title, contest| Figure::new(title, SCHEDULERS, Plot::Methods, [contest]);
    vec![
        bars(
            "[SK] Fig. 8: Skein-256, 32 MiB",
            schedulers::<Skein256>(another::<skein::Skein256<consts::U32>>("simple, crate skein")),
        ),
        bars(
            "[SK] Fig. 8: Skein-512, 32 MiB",
            schedulers::<Skein512>(another::<skein::Skein512<consts::U64>>("simple, crate skein")),
        ),
        bars(
            "[SK] Fig. 8: Skein-1024, 32 MiB",
            schedulers::<Skein1024>(another::<skein::Skein1024<consts::U128>>(
                "simple, crate skein",
            )),
        ),
        Figure::new("[SK] Skein-512 by length", LENGTHS, Plot::Sizes, by_length()),
    ]
}

const SCHEDULERS: &str = "\
Simple hashing, one tree (leaves of 256 blocks, 256 children a node) by each of the schedulers on two \
threads, and what the paper warns of: a thread for every node.";
const LENGTHS: &str = "Trees on one thread: leaves of 4 blocks and 4 children, or of 16 and 16.";

/// All schedulers over one tree; their digests must agree.
fn schedulers<H>(simple_of_crate: Method) -> Contest
where
    H: MultiDigest + SkeinDigest + Digest + 'static,
{
    let subtrees = Schedule::Subtrees { height: 2 };
    let parallel = [
        ("lower level first", Schedule::LowerLevelFirst),
        ("higher level first", Schedule::HigherLevelFirst),
        ("subtrees", subtrees),
    ];
    let threads = parallel.map(|(name, schedule)| tree::<H>(name, BUSHY, schedule).on_threads(2));
    let same_level = tree::<H>("same level (default)", BUSHY, Schedule::default());
    Contest::new("", Workload::equal(1, 32 * MIB), same_level.on_threads(2))
        .on_all_cores()
        .beside([tree::<H>("default, 1 thread", BUSHY, Schedule::default()).on_threads(1)])
        .beside(threads)
        .beside([tree::<H>("sequential", BUSHY, Schedule::Sequential)])
        .beside([one_thread_a_node::<H>(BUSHY)])
        .beside([another::<H>("simple, jlanes"), simple_of_crate])
        .beside([another::<sha2::Sha512>("SHA-512, sha2")])
}

fn by_length() -> impl Iterator<Item = Contest> {
    let lengths = [KIB, 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, MIB];
    lengths.into_iter().map(|length| {
        let of = |name, shape| tree_on::<Skein512>(Join::Serial, name, shape, Schedule::default());
        Contest::new("", Workload::equal(1, length), of("tree 4.4", (4, 4))).beside([
            of("tree 2.2", (2, 2)).of_another_function(),
            another::<Skein512>("simple, jlanes"),
            another::<skein::Skein512<consts::U64>>("simple, crate skein"),
            another::<sha2::Sha512>("SHA-512, sha2"),
        ])
    })
}

/// A tree of any height by one scheduler, on the threads of the pool it runs in.
pub(crate) fn tree<H: SkeinDigest + 'static>(
    name: &'static str,
    shape: (u8, u8),
    schedule: Schedule,
) -> Method {
    tree_on::<H>(Join::Rayon, name, shape, schedule)
}

fn tree_on<H: SkeinDigest + 'static>(
    join: Join,
    name: &'static str,
    (leaf, fan_out): (u8, u8),
    schedule: Schedule,
) -> Method {
    Method::prepared(name, (H::BITS / 8) as usize, move |messages| {
        let tree = TreeParams::new(leaf, fan_out, u8::MAX).expect("a legal tree");
        let config = SkeinConfig::<H>::builder().tree(tree).build();
        let config = config.expect("a legal output length").with_join(join);
        Box::new(move |out| out.copy_from_slice(&config.hash_with(schedule, messages[0])))
    })
}

/// Threads that exist at a time: the system allows no thread for each of a large tree's leaves.
const AT_A_TIME: usize = 64;

/// A thread for every node of a tree: the simplest way to use several cores, and the slowest. \[SK\], section 5, starts
/// from it. It is here alone, because nobody should use it.
fn one_thread_a_node<H: SkeinDigest + 'static>((leaf, fan_out): (u8, u8)) -> Method {
    let tree = TreeParams::new(leaf, fan_out, u8::MAX).expect("a legal tree");
    Method::each("a thread a node", (H::BITS / 8) as usize, move |message, digest| {
        let kernels = H::backend().kernels();
        let block = kernels.shape.block_bytes;
        let mut start = vec![0; kernels.shape.state_words];
        params::initial(kernels, &Arguments::default(), H::BITS, tree, &mut start);
        let mut values = level(kernels, &start, 1, message, block << leaf);
        for number in 2.. {
            if values.len() == block {
                break;
            }
            values = level(kernels, &start, number, &values, block << fan_out);
        }
        read_words(ByteOrder::Little, &values, &mut start);
        ubi::output(kernels, &start, 0, digest);
    })
}

/// The values of a level's nodes, each of which takes `size` bytes of the level below.
fn level(kernels: Kernels<u64>, start: &[u64], level: u8, input: &[u8], size: usize) -> Vec<u8> {
    let node = |index: usize, data: &[u8]| {
        let mut state = start.to_vec();
        ubi::begin_call(&mut state, BlockType::Message, level, (index * size) as u128);
        ubi::one_call(kernels, &mut state, data, 0);
        let mut value = vec![0; kernels.shape.block_bytes];
        write_words(ByteOrder::Little, &state, &mut value);
        value
    };
    let nodes: Vec<(usize, &[u8])> = input.chunks(size).enumerate().collect();
    let mut values = Vec::new();
    for group in nodes.chunks(AT_A_TIME) {
        thread::scope(|scope| {
            let threads: Vec<_> =
                group.iter().map(|&(index, data)| scope.spawn(move || node(index, data))).collect();
            for thread in threads {
                values.extend(thread.join().expect("hashing does not panic"));
            }
        });
    }
    values
}
