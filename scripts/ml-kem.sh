#!/usr/bin/env bash
# Replaces SHAKE in RustCrypto's crate ml-kem by outputs on lanes, compares the results of both versions,
# and times them. Fetches ml-kem from crates.io and changes a copy in target/ml-kem; nothing else changes
# than how the outputs are computed that polynomials are sampled from.
set -euo pipefail
cd "$(dirname "$0")/.."

version=0.3.4
root=$PWD
work=$root/target/ml-kem
mkdir -p "$work/contest/src"
cat >"$work/contest/Cargo.toml" <<TOML
[package]
name = "contest"
version = "0.0.0"
edition = "2024"

[dependencies]
ml-kem = "=$version"

[workspace]
TOML
cp scripts/ml-kem/main.rs "$work/contest/src/main.rs"
source=$(cargo metadata --format-version 1 --manifest-path "$work/contest/Cargo.toml" |
    python3 -c 'import json, sys
print(next(p["manifest_path"] for p in json.load(sys.stdin)["packages"] if p["name"] == "ml-kem"))')

rm -rf "$work/ml-kem"
cp -r "$(dirname "$source")" "$work/ml-kem"
chmod -R u+w "$work/ml-kem"
cp scripts/ml-kem/lanes.rs "$work/ml-kem/src/lanes.rs"
python3 - "$work/ml-kem" "$root/crates/jlanes" <<'PYTHON'
import pathlib, re, sys

crate, jlanes = pathlib.Path(sys.argv[1]), sys.argv[2]

def change(name, *changes):
    path = crate / name
    text = path.read_text()
    for pattern, ours in changes:
        text, count = re.subn(pattern, lambda _: ours, text, count=1, flags=re.S)
        assert count == 1, f"{name} has changed: no {pattern}"
    path.write_text(text)

change("Cargo.toml", (r"\Z", f'\n[dependencies.jlanes]\npath = "{jlanes}"\ndefault-features = false\n'
                              'features = ["std", "sha3"]\n\n[workspace]\n'))
change(
    "src/lib.rs",
    (r"\A", "#![allow(dead_code, unused_imports)] // what the lanes replace\n"),
    (r"\nmod pke;", "\nmod pke;\n#[allow(missing_docs)]\nmod lanes;"),
)
change("src/algebra.rs", (r"\nfn rej_uniform", "\npub(crate) fn rej_uniform"))
change(
    "src/pke.rs",
    (r"let s: Vector.*?;\n.*?let e: Vector.*?;", "let (s, e) = crate::lanes::key_noise::<P>(&sigma);"),
    (r"let r = sample_poly.*?let e2: [^;]*;", "let (r, e1, e2) = crate::lanes::noise::<P>(randomness);"),
    (r"= matrix_sample_ntt\(&rho", "= crate::lanes::matrix_sample_ntt(&rho"),
    (r"= matrix_sample_ntt\(&self", "= crate::lanes::matrix_sample_ntt(&self"),
)
PYTHON
cat >"$work/contest/Cargo.toml" <<TOML
[package]
name = "contest"
version = "0.0.0"
edition = "2024"

[dependencies]
ml-kem = { version = "=$version", features = ["hazmat"] }
ml-kem-lanes = { package = "ml-kem", path = "../ml-kem", features = ["hazmat"] }

[workspace]
TOML
exec cargo run --quiet --release --manifest-path "$work/contest/Cargo.toml"
