//! The lines of the table: which corpora, which programs, and the ratios that we mean to reach.

use std::rc::Rc;

use super::{
    FileContest, LazyCorpus,
    tools::{
        b3sum, botocore, cat, check, fsverity, hashdeep, libtorrent, openssl, openssl_by_xargs,
        openssl512, ours, rhash, serial, sha256sum, sha256sum_check, skein, two_threads,
        verity_setup, verity_tree,
    },
};
use crate::{
    contest::ITSELF,
    process::Tool,
    workload::{KIB, MIB, Workload},
};

/// The lines. Corpora that several share are made once; the cold ones come last, because nothing is
/// hot after them.
pub(crate) fn contests() -> Vec<FileContest> {
    let tiny = LazyCorpus::new(Workload::equal(1000, 20));
    let small = LazyCorpus::new(Workload::log_normal(10_000, 4 * KIB));
    let large = LazyCorpus::new(Workload::equal(16, 64 * MIB));
    let registry = LazyCorpus::new(None);
    let big = LazyCorpus::new(Workload::equal(1, 1024 * MIB));
    let mut lines = Vec::from(hashing([&tiny, &small, &registry, &large, &big]));
    lines.extend(blake3([&small, &large, &big]));
    lines.extend(checking([&tiny, &small, &registry, &large]));
    lines.extend(trees(&big));
    lines.extend(skein_trees(&big));
    lines.extend(s_hash());
    lines
}

fn other(tool: Tool) -> Tool {
    tool.of_another_function()
}

fn hashing([tiny, small, registry, large, big]: [&Rc<LazyCorpus>; 5]) -> [FileContest; 5] {
    let hash = |name, files| FileContest::new(name, files, ours());
    let itself = Tool { name: ITSELF.to_owned(), ..ours() };
    [
        hash("tiny files", tiny).against(sha256sum(), 1.0).beside([
            itself,
            openssl(),
            openssl_by_xargs(),
            other(b3sum()),
            hashdeep(),
            rhash(),
            cat(),
        ]),
        hash("small files", small).against(other(b3sum()), 1.0).against(cat(), 1.0).beside([
            sha256sum(),
            openssl(),
            openssl_by_xargs(),
            hashdeep(),
            rhash(),
        ]),
        hash("cargo registry", registry)
            .against(openssl(), 2.0)
            .against(other(b3sum()), 1.0)
            .against(cat(), 1.0)
            .beside([sha256sum(), openssl_by_xargs()]),
        hash("large files", large)
            .against(openssl(), 4.5)
            .against(other(b3sum()), 1.0 / 1.5)
            .beside([openssl_by_xargs(), cat()]),
        hash("one big file", big)
            .against(openssl(), 1.05)
            .beside([other(b3sum()), cat()])
            .with_memory(),
    ]
}

/// BLAKE3, which b3sum computes too.
fn blake3([small, large, big]: [&Rc<LazyCorpus>; 3]) -> [FileContest; 3] {
    let hash = |name, files| FileContest::new(name, files, two_threads("blake3")).with_memory();
    [
        hash("BLAKE3 of small files", small).against(b3sum(), 2.0),
        hash("BLAKE3 of large files", large).against(b3sum(), 1.0),
        hash("BLAKE3 of 1 GiB", big).against(b3sum(), 1.0).beside([serial("blake3"), cat()]),
    ]
}

/// Lists of digests: as fast as making them, but for a tenth.
fn checking([tiny, small, registry, large]: [&Rc<LazyCorpus>; 4]) -> [FileContest; 4] {
    let hashing = || Tool { name: "hashing".to_owned(), ..ours() };
    let check = |name, files| FileContest::new(name, files, check()).against(hashing(), 1.0 / 1.1);
    [
        check("check tiny files", tiny).beside([sha256sum_check()]),
        check("check small files", small).beside([sha256sum_check()]),
        check("check the registry", registry),
        check("check large files", large),
    ]
}

/// One file of 1 GiB as a tree, compared with the tree's own tool and a linear hash, on two threads and on
/// one.
fn trees(big: &Rc<LazyCorpus>) -> [FileContest; 14] {
    let line = |name, tool| FileContest::new(name, big, tool);
    let small = LazyCorpus::new(Workload::log_uniform(10_000, KIB, 64 * KIB));
    let fs_verity = two_threads("fsverity-sha256");
    [
        line("fs-verity of 1 GiB", fs_verity.clone())
            .against(fsverity(), 4.0)
            .against(other(openssl()), 4.5)
            .with_memory(),
        line("fs-verity of 1 GiB, 1 thread", serial("fsverity-sha256")).against(fsverity(), 2.0),
        line("BitTorrent v2 of 1 GiB", two_threads("btv2"))
            .against(libtorrent(), 4.0)
            .against(other(openssl()), 4.5),
        line("BitTorrent v2 of 1 GiB, 1 thread", serial("btv2")).against(libtorrent(), 2.0),
        line("dm-verity of 1 GiB", verity_tree("2")).against(verity_setup(), 4.0),
        line("dm-verity of 1 GiB, 1 thread", verity_tree("1")).against(verity_setup(), 2.0),
        line("fs-verity of 1 GiB with SHA-512", two_threads("fsverity-sha512"))
            .beside([serial("fsverity-sha512"), other(openssl512())]),
        line("SHA256TREE of 1 GiB", two_threads("sha256tree")).beside([serial("sha256tree")]),
        line("Glacier of 1 GiB", two_threads("glacier")).beside([botocore(), serial("glacier")]),
        line("Dropbox of 1 GiB", two_threads("dropbox")).beside([serial("dropbox")]),
        line("RFC 6962 of 1 GiB", two_threads(RFC6962)).beside([serial(RFC6962)]),
        line("32 lanes of 1 GiB", two_threads("jlanes32-sha256")).against(other(openssl()), 4.2),
        line("16 lanes of 1 GiB", two_threads("jlanes16-sha256")).against(other(openssl()), 3.0),
        FileContest::new("fs-verity of small files", &small, fs_verity).beside([fsverity()]),
    ]
}

/// Leaves of 4 KiB.
const RFC6962: &str = "rfc6962-sha256:4096";

/// Leaves of 256 blocks, 256 children a node, as in Table 1.
const TREE: &str = "skein512-tree:8.8.255";

/// \[SK\], Table 1: schedulers, time and memory.
fn skein_trees(big: &Rc<LazyCorpus>) -> [FileContest; 2] {
    let file = LazyCorpus::new(Workload::equal(1, 256 * MIB));
    let by_crate = || other(skein("crate", "1"));
    let parallel = ["lower", "higher", "subtrees"].map(|mode| skein(mode, "2"));
    [
        FileContest::new("[SK] Table 1: Skein-512, schedulers", &file, skein("same", "2"))
            .against(skein("same", "1"), 1.8)
            .beside(parallel)
            .beside([skein("sequential", "1")])
            .against(by_crate(), 15.0)
            .beside([other(skein("simple", "1")), other(openssl512())])
            .with_memory(),
        FileContest::new("Skein-512 tree of 1 GiB", big, two_threads(TREE))
            .against(serial(TREE), 1.8)
            .against(by_crate(), 15.0)
            .with_memory(),
    ]
}

/// \[SH\], Figs. 3 and 4: directories, hot and cold.
fn s_hash() -> [FileContest; 4] {
    let diverse = LazyCorpus::new(Workload::log_uniform(350, KIB, 1_640_000));
    let uniform = LazyCorpus::new(Workload::equal(8, 17_760_000));
    let line = |name, files| FileContest::new(name, files, ours());
    let cold = || [sha256sum(), openssl(), openssl_by_xargs(), cat(), other(b3sum())];
    let hot = |line: FileContest| line.beside(cold()).beside([hashdeep(), rhash()]);
    [
        hot(line("[SH] Fig. 3: DIVERSE, hot", &diverse)),
        hot(line("[SH] Fig. 4: UNIFORM, hot", &uniform)),
        line("[SH] Fig. 3: DIVERSE, cold", &diverse).beside(cold()).cold(),
        line("[SH] Fig. 4: UNIFORM, cold", &uniform).beside(cold()).cold(),
    ]
}
