//! One message at a time: beside other libraries at the sizes of `openssl speed` (\[SMS\], Figs. 3
//! and 4), and beside other hash functions at 8 KiB (Fig. 7).

use digest::Digest;
use jlanes::{Sha256, Sha512, skein::Skein512};

use crate::{
    contest::Contest,
    method::{Method, one_by_one},
    peers::{Function, libraries, peer},
    workload::{KIB, Workload},
};

/// The sizes of `openssl speed`, and none at all.
const SIZES: [usize; 7] = [0, 16, 64, 256, KIB, 8 * KIB, 16 * KIB];
/// SHA-3's finalists that have crates, the winner, and what came of BLAKE.
const FINALISTS: [&str; 6] = ["Grøstl-256", "JH-256", "SHA3-256", "BLAKE2s", "BLAKE2b", "BLAKE3"];

/// The lines of the table.
#[must_use]
pub fn contests() -> Vec<Contest> {
    let sha256 = sizes::<Sha256>("SHA-256", one_by_one::<sha2::Sha256>, "sha2", Function::Sha256);
    let sha512 = sizes::<Sha512>("SHA-512", one_by_one::<sha2::Sha512>, "sha2", Function::Sha512);
    let finalists = [
        finalists::<Sha256>("SHA-256"),
        finalists::<Sha512>("SHA-512"),
        finalists::<Skein512>("Skein-512"),
    ];
    sha256.chain(sha512).chain(finalists).collect()
}

/// `D` beside the crate that it replaces, which must not win, and beside the libraries.
fn sizes<D: Digest>(
    name: &'static str,
    replaced: fn(&'static str) -> Method,
    crate_name: &'static str,
    function: Function,
) -> impl Iterator<Item = Contest> {
    SIZES.into_iter().map(move |size| {
        Contest::new(name, Workload::equal(1, size), one_by_one::<D>("jlanes"))
            .against(replaced(crate_name), 1.0)
            .beside(libraries(function))
    })
}

/// `D` beside the functions that competed with Skein.
fn finalists<D: Digest>(name: &str) -> Contest {
    let name = format!("{name} and the finalists");
    Contest::new(name, Workload::equal(1, 8 * KIB), one_by_one::<D>("jlanes"))
        .beside(FINALISTS.map(|finalist| peer(finalist, Function::Own)))
        .beside([
            one_by_one::<skein::Skein512<digest::consts::U64>>("Skein-512").of_another_function()
        ])
}
