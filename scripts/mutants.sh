#!/usr/bin/env bash
# Mutants of the code: does a test fail where the code is wrong? `scripts/mutants.sh PART [K/N]` mutates
# a part, or shard K of N of it, in a copy of the tree, and prints what no test has noticed. A mutant
# takes some seconds of one core. Needs `cargo install cargo-mutants`; .cargo/mutants.toml says what is
# left out.
#
# | part    | code                                     | judged by                              |
# |---------|------------------------------------------|----------------------------------------|
# | lists   | jlanes-sum's lists                       | its unit tests, tests of lists         |
# | lanes   | padding, scheduling, MACs of jlanes-core | the crate's `lanes` and unit tests     |
# | hashes  | hash functions and vectors of the same   | the same                               |
# | trees   | jlanes-tree                              | the same of that crate                 |
# | columns | jlanes-columns                           | the crate's tests                      |
set -euo pipefail
cd "$(dirname "$0")/.."

part=$1
shard=${2:-0/1}
judges=()
# the builds too are of these tests alone
quick=(-C=--lib -C=--test=lanes)
lists=(lists:: formats:: verdicts:: audit:: update:: keys:: snapshots:: gnu::lists gnu::broken gnu::the_two gnu::what_is
    cksum::tags cksum::warnings algorithms::fsverity_lines)
case $part in
lists)
    code=(--package jlanes-cli --file 'crates/jlanes-cli/src/lists/**')
    judges=(--bin jlanes-sum --test cli -- "${lists[@]}")
    ;;
lanes | hashes)
    code=(--package jlanes-core)
    files=('batch/**' batch.rs 'mac/**' 'engine/**' engine.rs hash/padding.rs hash/shared_block.rs)
    if [ "$part" = hashes ]; then
        files=('hashes/**' 'sms**' 'simd/**' 'hash/**' hash.rs)
    fi
    for file in "${files[@]}"; do
        code+=(--file "crates/jlanes-core/src/$file")
    done
    # nothing is inlined then, and kernels take seconds to compile
    code+=("${quick[@]}" -C=--config -C='build.rustflags=["-Cno-prepopulate-passes"]')
    ;;
trees)
    code=(--package jlanes-tree --features rayon "${quick[@]}")
    ;;
columns)
    code=(--package jlanes-columns -C=--lib -C=--tests)
    ;;
*)
    echo "mutants.sh: there is no part $part" >&2
    exit 1
    ;;
esac
# a sample of everything, and not a piece of it
exec cargo mutants "${code[@]}" --shard "$shard" --sharding round-robin --output target -- "${judges[@]}"
