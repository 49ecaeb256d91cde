#!/usr/bin/env bash
# Compares jlanes's trees with the tools they come from, on fresh random files:
# fsverity (Debian: fsverity), veritysetup (cryptsetup-bin), libtorrent and botocore (PyPI).
# What is not installed is skipped, and named. PYTHON names the interpreter that has the packages.
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo build --quiet --release --package jlanes --example tree_digests
ours=${CARGO_TARGET_DIR:-target}/release/examples/tree_digests

compared=0
failed=0

have() { # NAME COMMAND...: whether the command runs
    local name=$1
    shift
    "$@" >/dev/null 2>&1 || { echo "not compared: $name is not installed" >&2; return 1; }
}

expect() { # FORMAT SIZE THEIRS: compares a line of our output
    local line="$1 $3"
    compared=$((compared + 1))
    grep -qxF "$line" "$work/ours" && return
    failed=$((failed + 1))
    echo "$1 of $2 bytes: $(grep "^$1 " "$work/ours"), the tool says $3" >&2
}

libtorrent_root() {
    "$python" -W ignore - "$1" <<'PYTHON'
import os, sys, libtorrent as lt
path = sys.argv[1]
files = lt.file_storage()
files.add_file(os.path.basename(path), os.path.getsize(path))
torrent = lt.create_torrent(files, flags=lt.create_torrent_flags_t.v2_only)
lt.set_piece_hashes(torrent, os.path.dirname(path))
(entry,) = torrent.generate()[b"info"][b"file tree"].values()
print(entry[b""][b"pieces root"].hex())
PYTHON
}

glacier_hash() {
    "$python" -c 'import sys
from botocore.utils import calculate_tree_hash
print(calculate_tree_hash(open(sys.argv[1], "rb")))' "$1"
}

with_fsverity=$(have fsverity fsverity --version && echo 1 || true)
with_veritysetup=$(have veritysetup veritysetup --version && echo 1 || true)
with_libtorrent=$(have libtorrent "$python" -c 'import libtorrent' && echo 1 || true)
with_botocore=$(have botocore "$python" -c 'import botocore' && echo 1 || true)

for size in 0 1 4096 8192 100000 524288 524289 1048576 2097153 16777216 50000001 67108864; do
    file=$work/file
    head -c "$size" /dev/urandom >"$file"
    for salt in "" "salt of 32 bytes, all of them !!"; do
        salt_hex=$(printf %s "$salt" | od -An -v -tx1 | tr -d ' \n')
        "$ours" "$file" "$salt" "$work/tree" >"$work/ours"
        if [[ $with_fsverity ]]; then
            salted=()
            [[ $salt ]] && salted=(--salt "$salt_hex")
            expect fsverity "$size" "$(fsverity digest --compact "${salted[@]}" "$file")"
        fi
        if [[ $with_veritysetup && $size -gt 0 && $((size % 4096)) -eq 0 ]]; then
            rm -f "$work/theirs"
            root=$(veritysetup format --no-superblock --salt "${salt_hex:--}" "$file" \
                "$work/theirs" | sed -n 's/^Root hash:[[:space:]]*//p')
            expect dmverity "$size" "$root"
            compared=$((compared + 1))
            cmp "$work/tree" "$work/theirs" >&2 || failed=$((failed + 1))
        fi
    done
    if [[ $with_libtorrent && $size -gt 0 ]]; then
        expect btv2 "$size" "$(libtorrent_root "$file")"
    fi
    if [[ $with_botocore && $size -gt 0 ]]; then
        expect glacier "$size" "$(glacier_hash "$file")"
    fi
done

echo "$compared comparisons, $failed differences"
[[ $failed -eq 0 ]]
