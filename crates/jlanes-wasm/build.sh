#!/usr/bin/env bash
# Compiles the module with simd128 and without, into lib/, and writes the first as code.
set -euo pipefail
cd "$(dirname "$0")"
. ../../.ci/std.sh

std_for wasm32-unknown-unknown
build() {
    RUSTFLAGS="${RUSTFLAGS:-} $2" cargo rustc "${std[@]}" --locked --release --lib \
        --target wasm32-unknown-unknown --target-dir "target/$1" -- -Clink-arg=--export=__stack_pointer
    cp "target/$1/wasm32-unknown-unknown/release/jlanes_wasm.wasm" "lib/$1.wasm"
}
build simd128 -Ctarget-feature=+simd128
build portable ""
echo "export const base64 = \"$(base64 <lib/simd128.wasm | tr -d '\n=')\";" >lib/simd128.js
