//! The folders of the crate are layers: a file uses its own folder and those below it.

use jlanes_testing::layers;

/// From the ground up.
const LAYERS: [&str; 13] = [
    "unroll",
    "longest",
    "memory",
    "simd",
    "wipe",
    "compression",
    "kernel",
    "hash",
    "lanes",
    "jobs",
    "function",
    "schedules",
    "hashes",
];

#[test]
#[cfg_attr(target_family = "wasm", ignore = "there are no files")]
fn a_file_uses_only_its_own_layer_and_those_below() {
    let count = layers(env!("CARGO_MANIFEST_DIR"), &LAYERS);
    assert!(count > 200, "{count} uses are too few: are they found?");
}
