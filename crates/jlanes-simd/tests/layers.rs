//! The folders of the crate are layers: a file uses its own folder and those below it.

use jlanes_testing::layers;

/// From the ground up. The architectures stand side by side: only one is compiled, so none can use another.
/// `target` is its name above.
const LAYERS: [&str; 10] = [
    "common", "aarch64", "fallback", "wasm32", "x86_64", "target", "features", "plans", "backend",
    "kernels",
];

#[test]
#[cfg_attr(target_family = "wasm", ignore = "there are no files")]
fn a_file_uses_only_its_own_layer_and_those_below() {
    let count = layers(env!("CARGO_MANIFEST_DIR"), &LAYERS);
    assert!(count > 40, "{count} uses are too few: are they found?");
}
