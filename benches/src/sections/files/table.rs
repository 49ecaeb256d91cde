//! The lines of the table: which corpora, which programs, and the ratios that we mean to reach.

use std::rc::Rc;

use super::{
    FileContest,
    stock::Stock,
    tools::{
        Job,
        Program::{
            self, B3Sum, BotoCore, Cat, FsVerity, HashDeep, LibTorrent, OpenSsl, OpenSsl512,
            OpenSslByXargs, Ours, Rhash, Sha256Sum, Sha256SumCheck, Skein, VeritySetup,
        },
    },
};
use crate::workload::{KIB, MIB, Workload};

/// The lines. Corpora that several share are made once; the cold ones come last, because nothing is
/// hot after them.
#[must_use]
pub fn contests() -> Vec<FileContest> {
    let corpora = Corpora::new();
    let tables = [
        hashing(&corpora),
        blake3(&corpora),
        checking(&corpora),
        trees(&corpora),
        skein(&corpora),
        s_hash(),
    ];
    tables.into_iter().flatten().collect()
}

/// What several lines share.
struct Corpora {
    tiny: Rc<Stock>,
    small: Rc<Stock>,
    large: Rc<Stock>,
    registry: Rc<Stock>,
    big: Rc<Stock>,
}

impl Corpora {
    fn new() -> Self {
        Self {
            tiny: Stock::made(Workload::equal(1000, 20)),
            small: Stock::made(Workload::log_normal(10_000, 4 * KIB)),
            large: Stock::made(Workload::equal(16, 64 * MIB)),
            registry: Stock::cargo_registry(),
            big: Stock::made(Workload::equal(1, 1024 * MIB)),
        }
    }
}

/// Plain SHA-256.
fn hashing(corpora: &Corpora) -> Vec<FileContest> {
    let hash = |name, stock: &Rc<Stock>| FileContest::new(name, stock, Ours(Job::Hash));
    vec![
        hash("tiny files", &corpora.tiny)
            .against(Sha256Sum, 1.0)
            .beside(&[OpenSsl, OpenSslByXargs])
            .beside_others(&[B3Sum])
            .beside(&[HashDeep, Rhash, Cat]),
        hash("small files", &corpora.small).against_other(B3Sum, 1.0).against(Cat, 1.0).beside(&[
            Sha256Sum,
            OpenSsl,
            OpenSslByXargs,
            HashDeep,
            Rhash,
        ]),
        hash("cargo registry", &corpora.registry)
            .against(OpenSsl, 2.0)
            .against_other(B3Sum, 1.0)
            .against(Cat, 1.0)
            .beside(&[Sha256Sum, OpenSslByXargs]),
        hash("large files", &corpora.large)
            .against(OpenSsl, 4.5)
            .against_other(B3Sum, 1.0 / 1.5)
            .beside(&[OpenSslByXargs, Cat]),
        hash("one big file", &corpora.big)
            .against(OpenSsl, 1.05)
            .beside_others(&[B3Sum])
            .beside(&[Cat])
            .with_memory(),
    ]
}

/// BLAKE3, which b3sum computes too.
fn blake3(corpora: &Corpora) -> Vec<FileContest> {
    let hash = |name, stock: &Rc<Stock>| {
        FileContest::new(name, stock, Ours(Job::HashBy("blake3", "2"))).with_memory()
    };
    vec![
        hash("BLAKE3 of small files", &corpora.small).against(B3Sum, 2.0),
        hash("BLAKE3 of large files", &corpora.large).against(B3Sum, 1.0),
        hash("BLAKE3 of 1 GiB", &corpora.big)
            .against(B3Sum, 1.0)
            .beside(&[one_thread("blake3")])
            .beside(&[Cat]),
    ]
}

/// Lists of digests: as fast as making them, but for a tenth.
fn checking(corpora: &Corpora) -> Vec<FileContest> {
    let check = |name, stock| {
        FileContest::new(name, stock, Ours(Job::Check)).against(Ours(Job::Hash), 1.0 / 1.1)
    };
    vec![
        check("check tiny files", &corpora.tiny).beside(&[Sha256SumCheck]),
        check("check small files", &corpora.small).beside(&[Sha256SumCheck]),
        check("check the registry", &corpora.registry),
        check("check large files", &corpora.large),
    ]
}

/// One file of 1 GiB as a tree, compared with the tree's own tool and a plain hash, on two threads and on
/// one.
fn trees(corpora: &Corpora) -> Vec<FileContest> {
    let big = &corpora.big;
    let by = |name, spec| FileContest::new(name, big, Ours(Job::HashBy(spec, "2")));
    let alone = |name, spec| FileContest::new(name, big, one_thread(spec));
    let verity = |name, threads| FileContest::new(name, big, Ours(Job::VerityTree(threads)));
    let small = Stock::made(Workload::log_uniform(10_000, KIB, 64 * KIB));
    let fs_verity = Ours(Job::HashBy("fsverity-sha256", "2"));
    vec![
        by("fs-verity of 1 GiB", "fsverity-sha256")
            .against(FsVerity, 4.0)
            .against_other(OpenSsl, 4.5)
            .with_memory(),
        alone("fs-verity of 1 GiB, 1 thread", "fsverity-sha256").against(FsVerity, 2.0),
        by("BitTorrent v2 of 1 GiB", "btv2").against(LibTorrent, 4.0).against_other(OpenSsl, 4.5),
        alone("BitTorrent v2 of 1 GiB, 1 thread", "btv2").against(LibTorrent, 2.0),
        verity("dm-verity of 1 GiB", "2").against(VeritySetup, 4.0),
        verity("dm-verity of 1 GiB, 1 thread", "1").against(VeritySetup, 2.0),
        by("fs-verity of 1 GiB with SHA-512", "fsverity-sha512")
            .beside(&[one_thread("fsverity-sha512")])
            .beside_others(&[OpenSsl512]),
        by("SHA256TREE of 1 GiB", "sha256tree").beside(&[one_thread("sha256tree")]),
        by("Glacier of 1 GiB", "glacier").beside(&[BotoCore, one_thread("glacier")]),
        by("Dropbox of 1 GiB", "dropbox").beside(&[one_thread("dropbox")]),
        by("RFC 6962 of 1 GiB", RFC6962).beside(&[one_thread(RFC6962)]),
        by("32 lanes of 1 GiB", "jlanes32-sha256").against_other(OpenSsl, 4.2),
        by("16 lanes of 1 GiB", "jlanes16-sha256").against_other(OpenSsl, 3.0),
        FileContest::new("fs-verity of small files", &small, fs_verity).beside(&[FsVerity]),
    ]
}

/// Leaves of 4 KiB.
const RFC6962: &str = "rfc6962-sha256:4096";

fn one_thread(spec: &'static str) -> Program {
    Ours(Job::HashBy(spec, "1"))
}

/// Leaves of 256 blocks, 256 children a node, as in Table 1.
const TREE: &str = "skein512-tree:8.8.255";

/// \[SK\], Table 1: schedulers, time and memory.
fn skein(corpora: &Corpora) -> Vec<FileContest> {
    let file = Stock::made(Workload::equal(1, 256 * MIB));
    let two = |mode| Skein { mode, threads: "2" };
    let one = |mode| Skein { mode, threads: "1" };
    let schedulers = [two("lower"), two("higher"), two("subtrees"), one("sequential")];
    vec![
        FileContest::new("[SK] Table 1: Skein-512, schedulers", &file, two("same"))
            .against(one("same"), 1.8)
            .beside(&schedulers)
            .against_other(one("crate"), 15.0)
            .beside_others(&[one("simple"), OpenSsl512])
            .with_memory(),
        FileContest::new("Skein-512 tree of 1 GiB", &corpora.big, Ours(Job::HashBy(TREE, "2")))
            .against(one_thread(TREE), 1.8)
            .against_other(one("crate"), 15.0)
            .with_memory(),
    ]
}

/// \[SH\], Figs. 3 and 4: directories, hot and cold.
fn s_hash() -> Vec<FileContest> {
    let diverse = Stock::made(Workload::log_uniform(350, KIB, 1_640_000));
    let uniform = Stock::made(Workload::equal(8, 17_760_000));
    let hash = |name, stock: &Rc<Stock>, rivals: &[Program]| {
        FileContest::new(name, stock, Ours(Job::Hash)).beside(rivals).beside_others(&[B3Sum])
    };
    let hot = [Sha256Sum, OpenSsl, OpenSslByXargs, HashDeep, Rhash, Cat];
    let cold = [Sha256Sum, OpenSsl, OpenSslByXargs, Cat];
    vec![
        hash("[SH] Fig. 3: DIVERSE, hot", &diverse, &hot),
        hash("[SH] Fig. 4: UNIFORM, hot", &uniform, &hot),
        hash("[SH] Fig. 3: DIVERSE, cold", &diverse, &cold).cold(),
        hash("[SH] Fig. 4: UNIFORM, cold", &uniform, &cold).cold(),
    ]
}
