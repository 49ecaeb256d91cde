//! SHA-3 and its relatives against RustCrypto's crates and the literal reference, on every backend
//! of the CPU.

mod digests;
mod kangaroo;
#[path = "../common/xofs.rs"]
mod machine;
mod macs;
mod parallel_hash;
mod sp800_185;
mod xof;
mod xofs;

/// Lengths around every edge of the rates, which are 72, 104, 136, 144 and 168 bytes.
fn lengths() -> impl Iterator<Item = usize> {
    let edges = [72, 104, 136, 144, 168].into_iter().flat_map(|rate| [rate, 2 * rate, 5 * rate]);
    (0..18).chain(edges.flat_map(|edge| edge - 2..edge + 3)).chain([4000])
}
