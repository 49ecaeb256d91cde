//! What is mutated together, and what judges it.

pub struct Group {
    pub name: &'static str,
    /// Files, and of how many of their mutants one is taken.
    pub files: &'static [(&'static str, usize)],
    /// Arguments of cargo for the tests that judge.
    pub build: &'static [&'static str],
}

pub const GROUPS: [Group; 5] = [
    // on plain arrays as lanes, and on terms
    Group {
        name: "core",
        files: &[("crates/jlanes-core/src/**", 1)],
        build: &["--package=jlanes-core", "--package=jlanes-proof"],
    },
    Group {
        name: "tree",
        files: &[("crates/jlanes-tree/src/**", 1)],
        build: &[
            "--package=jlanes-tree",
            "--package=jlanes",
            "--features=jlanes-tree/rayon,jlanes/rayon,jlanes/full",
            "--lib",
            "--test=lanes",
            "--test=skein_model",
            "--test=merkle",
            "--test=trees",
            "--test=skein_trees",
            "--test=sha3",
            "--test=blake3",
            "--test=algorithm",
        ],
    },
    Group {
        name: "lists",
        files: &[
            ("crates/jlanes-files/src/lists.rs", 1),
            ("crates/jlanes-files/src/lists/**", 1),
            ("crates/jlanes-cli/src/lists/**", 1),
        ],
        build: &["--package=jlanes-files", "--package=jlanes-cli"],
    },
    Group {
        name: "files",
        files: &[
            ("crates/jlanes-files/src/**", 4),
            ("crates/jlanes-cli/src/**", 4),
            ("crates/jlanes-columns/src/**", 4),
            ("crates/jlanes/src/**", 4),
        ],
        build: &[
            "--package=jlanes-files",
            "--package=jlanes-cli",
            "--package=jlanes-columns",
            "--package=jlanes",
            "--features=jlanes/rayon,jlanes/async",
        ],
    },
    Group {
        name: "simd",
        files: &[("crates/jlanes-simd/src/**", 1)],
        build: &["--package=jlanes-simd", "--lib", "--test=backends", "--test=kernels"],
    },
];
