#!/usr/bin/env bash
# Mutants of the code: does a test fail where the code is wrong? `scripts/mutants.sh PART [K/N]` mutates
# a part, or shard K of N of it, in a copy of the tree, and prints what no test has noticed. A mutant
# takes some seconds of one core. Needs `cargo install cargo-mutants`; .cargo/mutants.toml says what is
# left out.
#
# | part    | code                                     | judged by                              |
# |---------|------------------------------------------|----------------------------------------|
# | lists   | jlanes-sum's lists                       | its unit tests, tests of lists         |
# | lanes   | batches, kernels, MACs of jlanes-core    | the crate's `lanes` and unit tests     |
# | hashes  | hash functions and vectors of the same   | the same                               |
# | trees   | jlanes-tree                              | the same of that crate, `skein_model`  |
# | columns | jlanes-columns                           | the crate's tests                      |
# | streams | jlanes-simd, except kernels              | its unit tests, some of its others     |
# | kernels | vectors and instructions of x86-64       | the same                               |
# | names   | algorithms by name, of jlanes            | some of `algorithm`                    |
# | batches | batches, hashers and trees of jlanes     | the crate's tests of these             |
set -euo pipefail
cd "$(dirname "$0")/.."

part=$1
shard=${2:-0/1}
judges=()
# kernels unoptimised are slow, but a mutant costs seconds to build, and digests of small messages do
level=0
# the tests before a mutation took some seconds, or, on a busy machine, a minute
patience=120
# nothing is inlined then, and kernels take seconds to compile
bare=(-C=--config -C='build.rustflags=["-Cno-prepopulate-passes"]')
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
    files=('batch/**' batch.rs 'mac/**' 'engine/**' engine.rs 'kernel/**' kernel.rs hash/padding.rs
        hash/shared_block.rs)
    if [ "$part" = hashes ]; then
        files=('hashes/**' 'sms**' 'simd/**' 'hash/**' hash.rs)
    fi
    for file in "${files[@]}"; do
        code+=(--file "crates/jlanes-core/src/$file")
    done
    code+=("${quick[@]}" "${bare[@]}")
    ;;
trees)
    code=(--package jlanes-tree --features rayon "${quick[@]}" -C=--test=skein_model)
    # 2 seconds of tests and not 23; what no mutant changes is built once
    level=1
    patience=30
    ;;
columns)
    code=(--package jlanes-columns --features rayon -C=--lib -C=--test=columns)
    # the same: the kernels under this crate take minutes, and then a mutant takes seconds
    level=1
    ;;
streams | kernels)
    code=(--package jlanes-simd -C=--lib -C=--test=engines -C=--test=kernels "${bare[@]}")
    # all of `engines` takes minutes: these have routes of every kind
    judges=(-- tests:: sha1 sha256 md5)
    files=({backend,engine,features,feeds,runs,token,tuning,x86_64/class,x86_64/features}.rs)
    if [ "$part" = kernels ]; then
        files=({kernels,kernels/single,kernels/n_sms,vector,x86_64/{avx{,2,512,512vl},kernels,rows,sha{512ni,ni,ni_vl},sse41,vec{128,256,512}}}.rs
            'x86_64/sha*/*' 'x86_64/vec512/*')
        judges+=(sha512 blake2)
    fi
    for file in "${files[@]}"; do
        code+=(--file "crates/jlanes-simd/src/$file")
    done
    ;;
names)
    code=(--package jlanes --features rayon -C=--test=algorithm "${bare[@]}"
        --file crates/jlanes/src/algorithm.rs --file 'crates/jlanes/src/algorithm/**')
    # seconds, and not four minutes: the others hash too much for kernels that nobody optimised
    judges=(-- blake2 blocks_are copies_of keys_are lanes_over many_messages names_ no_string what_is a_stalled
        digests_are_those lanes_kernels skein_with)
    ;;
batches)
    code=(--package jlanes --features rayon,async)
    for file in blake2 hashers merkle multi sha3 skein tree; do
        code+=(--file "crates/jlanes/src/$file.rs" --file "crates/jlanes/src/$file/**")
    done
    for test in blake2 hashers merkle sha3 skein skein_config skein_trees trees; do
        code+=(-C="--test=$test")
    done
    # the same as for trees
    level=1
    ;;
*)
    echo "mutants.sh: there is no part $part" >&2
    exit 1
    ;;
esac
code+=(-C=--config -C="profile.test.opt-level=$level")
if [ "$level" = 0 ]; then
    # Cargo.toml has levels for these
    for crate in jlanes-core jlanes-simd jlanes-tree; do
        code+=(-C=--config -C="profile.test.package.$crate.opt-level=0")
    done
fi
# a sample of everything, and not a piece of it
exec cargo mutants "${code[@]}" --minimum-test-timeout "$patience" \
    --shard "$shard" --sharding round-robin --output target -- "${judges[@]}"
