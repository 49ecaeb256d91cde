//! Whether figures are those of today's kernels: the machine code that a record notes, and that of the files
//! which `.ci/codegen` keeps true.
//!
//! A record has a row for each kernel of the CPU: `name` is the hash function, `ours` the backend, `size` the hash
//! of the code, and `kernel` whether the policy chooses it. A row of figures depends on the kernels of the hash
//! functions in its name, of all where it names none; of the backend that it forces, else of all that the policy
//! chooses. So a change may mark too many rows, and never too few.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use jlanes::Backend;
use jlanes_core::{
    compression::{Compression, max_lanes},
    hashes::{
        blake2::Blake2,
        blake3::Blake3Compression,
        keccak::Keccak,
        md5::Md5Compression,
        ripemd160::Ripemd160Compression,
        sha1::{Sha1Compression, checked::CheckedCompression},
        sha2::Sha2,
        skein::{Threefish256, Threefish512, Threefish1024},
        sm3::Sm3Compression,
    },
    kernel::{HasKernels, plan::InputKind},
};

use crate::row::Row;

/// The section of kernels' code.
pub(crate) const CODE: &str = "code";

/// The hashes of the code, by backend and hash function; the first line has the compiler.
const TODAY: [&str; 2] =
    [include_str!("../../.ci/kernels-x86_64.txt"), include_str!("../../.ci/kernels-aarch64.txt")];

/// Other names of a hash function that rows have.
pub(crate) const KECCAK: [&str; 3] = ["SHA3-256", "SHAKE128", "KT128"];

/// Whether the kernels behind a figure have changed since.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Age {
    /// They have not changed.
    Today,
    /// They have changed.
    Changed,
    /// The record does not note them.
    #[default]
    Unknown,
}

impl Age {
    /// The mark behind a figure of this age.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Today => "",
            Self::Changed => " †",
            Self::Unknown => " ?",
        }
    }
}

/// Hashes of code, by backend and hash function.
pub(crate) type CodeHashes<'a> = BTreeMap<(&'a str, &'a str), &'a str>;

/// The hashes of today's code.
pub(crate) fn today() -> CodeHashes<'static> {
    let lines = TODAY.iter().flat_map(|file| file.lines().skip(1));
    let code = |line: &'static str| {
        let (code, kernel) = line.split_once(' ')?;
        Some((kernel.split_once(' ')?, code))
    };
    lines
        .map(|line| code(line).expect(".ci/codegen writes a hash, a backend, a function"))
        .collect()
}

/// The hashes of code that a record notes.
pub(crate) fn code_of_record(rows: &[Row]) -> CodeHashes<'_> {
    let code = rows.iter().filter(|row| row.section == CODE);
    code.map(|row| ((&*row.ours, &*row.name), &*row.size)).collect()
}

/// The age of one of a record's `rows`, compared with the code of `others`.
pub(crate) fn age(row: &Row, rows: &[Row], others: &CodeHashes<'_>) -> Age {
    let code = || rows.iter().filter(|row| row.section == CODE);
    let is_named = |code: &&Row| {
        let keccak = code.name == "Keccak" && KECCAK.iter().any(|name| row.name.contains(name));
        keccak || row.name.contains(&*code.name)
    };
    let names_one = code().any(|code| is_named(&code));
    let backend = row.ours.rsplit(' ').next().unwrap_or_default();
    let forces = code().any(|code| code.ours == backend) || backend == "portable";
    let runs = |code: &Row| if forces { code.ours == backend } else { code.kernel.is_some() };
    let mut kernels = code().filter(|code| (!names_one || is_named(code)) && runs(code)).peekable();
    if row.older_code || kernels.peek().is_none() {
        return Age::Unknown;
    }
    let same = |code: &Row| others.get(&(&*code.ours, &*code.name)) == Some(&&*code.size);
    if kernels.all(same) { Age::Today } else { Age::Changed }
}

/// The rows for this program's kernels. Empty if another compiler than the files name built it, or without
/// optimization: the hashes are of other code.
pub(crate) fn of_this_program(compiler: &str) -> Result<Vec<Row>> {
    if cfg!(debug_assertions) || !is_built_by(compiler) { Ok(Vec::new()) } else { kernels() }
}

/// Whether the hashes are of code by this compiler, which names itself as `rustc 1.95.0 (...)`.
fn is_built_by(compiler: &str) -> bool {
    let version = compiler.split(" (").next().unwrap_or_default();
    TODAY.iter().all(|file| file.contains(&format!(" by {version},")))
}

/// A row for each kernel that this CPU can run.
fn kernels() -> Result<Vec<Row>> {
    let today = today();
    let supported = all().filter(|kernel| kernel.runs);
    let row = |HashKernels { hash, backend, chosen, .. }| {
        let code = today.get(&(backend, hash));
        let code = code.with_context(|| format!("no code of {backend} {hash} is known"))?;
        let [section, name, ours, size] = [CODE, hash, backend, *code].map(str::to_owned);
        let kernel = chosen.then(|| "auto".to_owned());
        Ok(Row { section, name, ours, size, kernel, ..Row::default() })
    };
    supported.map(row).collect()
}

/// The kernels of a hash function on a backend.
struct HashKernels {
    hash: &'static str,
    backend: &'static str,
    /// Whether this CPU can run one of them.
    runs: bool,
    /// Whether the policy chooses one of them.
    chosen: bool,
}

/// A hash function by name, with its kernels and their costs.
pub(crate) struct NamedHash {
    pub(crate) name: &'static str,
    kernels: fn(&'static str) -> Vec<HashKernels>,
    /// Cycles of a number of messages of some length, by the costs of the backend's class.
    #[cfg(test)]
    pub(crate) expected_cycles: fn(&Backend, usize, usize) -> f64,
}

/// All kernels but portable code, which has no hash.
fn all() -> impl Iterator<Item = HashKernels> {
    HASHES.iter().flat_map(|hash| (hash.kernels)(hash.name))
}

fn of<C: Compression>(hash: &'static str) -> Vec<HashKernels>
where
    Backend: HasKernels<C>,
{
    let kernels = HasKernels::<C>::kernels(&Backend::detect());
    let live = || 1..=max_lanes::<C>();
    let inputs = [InputKind::Contiguous, InputKind::Interleaved, InputKind::Short];
    let chosen: BTreeSet<_> = inputs
        .into_iter()
        .flat_map(|input| live().map(move |live| kernels.kernel(input, live).name))
        .collect();
    let mut runs = BTreeMap::new();
    for kernel in kernels.table.iter().filter(|kernel| kernel.name != "portable") {
        *runs.entry(kernel.name).or_default() |= kernel.needs & kernels.has == kernel.needs;
    }
    let of_backend =
        |(backend, runs)| HashKernels { hash, backend, runs, chosen: chosen.contains(backend) };
    runs.into_iter().map(of_backend).collect()
}

#[cfg(test)]
fn expected_cycles<C: Compression>(backend: &Backend, live: usize, bytes: usize) -> f64
where
    Backend: HasKernels<C>,
{
    let steps = bytes as f64 / C::BLOCK_BYTES as f64;
    steps * f64::from(HasKernels::<C>::kernels(backend).step_cycles(live))
}

const fn named<C: Compression>(name: &'static str) -> NamedHash
where
    Backend: HasKernels<C>,
{
    NamedHash {
        name,
        kernels: of::<C>,
        #[cfg(test)]
        expected_cycles: expected_cycles::<C>,
    }
}

/// The hash functions with their kernels. Keccak's rates share them.
pub(crate) const HASHES: [NamedHash; 14] = [
    named::<Sha2<u32>>("SHA-256"),
    named::<Sha2<u64>>("SHA-512"),
    named::<Sha1Compression>("SHA-1"),
    named::<CheckedCompression>("SHA-1 with detection"),
    named::<Md5Compression>("MD5"),
    named::<Ripemd160Compression>("RIPEMD-160"),
    named::<Sm3Compression>("SM3"),
    named::<Threefish256>("Skein-256"),
    named::<Threefish512>("Skein-512"),
    named::<Threefish1024>("Skein-1024"),
    named::<Keccak<17, 24>>("Keccak"),
    named::<Blake2<u32>>("BLAKE2s"),
    named::<Blake2<u64>>("BLAKE2b"),
    named::<Blake3Compression>("BLAKE3"),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of a code section.
    fn code(hash: &str, backend: &str, chosen: bool) -> Row {
        Row {
            section: CODE.to_owned(),
            name: hash.to_owned(),
            ours: backend.to_owned(),
            size: "1".to_owned(),
            kernel: chosen.then(|| "auto".to_owned()),
            ..Row::default()
        }
    }

    /// Ages of rows of these names and methods, if only that kernel has changed.
    fn ages<const N: usize>(changed: (&str, &str), rows: [(&str, &str); N]) -> [Age; N] {
        let record = [
            code("SHA-256", "avx512", true),
            code("SHA-256", "sse41", false),
            code("SHA-512", "avx512", true),
            code("Keccak", "avx2", true),
        ];
        let mut today = code_of_record(&record);
        today.insert(changed, "2").expect("it was there");
        rows.map(|(name, ours)| {
            let row = Row { name: name.to_owned(), ours: ours.to_owned(), ..Row::default() };
            age(&row, &record, &today)
        })
    }

    #[test]
    fn rows_depend_on_the_kernels_that_they_name() {
        use Age::{Changed, Today, Unknown};
        let rows = [
            ("SHA-256 batch", "jlanes"),
            ("SHA-256 on sse41", "sse41"),
            ("SHA-256", "n-SMS on sse41"),
            ("SHA-512 batch", "jlanes"),
            ("small files", "jlanes-sum"),
            ("KT128", "jlanes"),
            ("SHA-256", "portable"),
        ];
        let of_avx512 = [Changed, Today, Today, Today, Changed, Today, Unknown];
        assert_eq!(ages(("avx512", "SHA-256"), rows), of_avx512);
        let of_sse41 = [Today, Changed, Changed, Today, Today, Today, Unknown];
        assert_eq!(ages(("sse41", "SHA-256"), rows), of_sse41);
        let of_keccak = [Today, Today, Today, Today, Changed, Changed, Unknown];
        assert_eq!(ages(("avx2", "Keccak"), rows), of_keccak);
        assert_eq!(age(&Row::default(), &[], &today()), Unknown, "an old record");
        let gone = age(&code("SHA-256", "avx512", true), &[code("SHA-256", "mmx", true)], &today());
        assert_eq!(gone, Changed);
    }

    #[test]
    fn hashes_are_of_one_compiler() {
        let (_, rest) = TODAY[0].split_once(" by ").unwrap();
        let (version, _) = rest.split_once(',').unwrap();
        assert!(is_built_by(&format!("{version} (59807616e 2026-04-14)")), "{version}");
        assert!(
            !is_built_by("rustc 1.0.0 (a59de37e9 2015-05-13)")
                && !is_built_by("rustc")
                && !is_built_by("")
        );
    }

    #[test]
    fn every_kernel_of_every_backend_has_a_hash() {
        let today = today();
        for HashKernels { backend, hash, .. } in all() {
            assert!(today.contains_key(&(backend, hash)), "{backend} {hash}");
        }
        for (_, hash) in today.keys() {
            assert!(HASHES.iter().any(|known| known.name == *hash), "{hash}");
        }
        for row in kernels().unwrap() {
            assert_eq!(age(&row, std::slice::from_ref(&row), &today), Age::Today);
        }
    }
}
