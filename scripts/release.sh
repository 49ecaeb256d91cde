#!/usr/bin/env bash
# Makes the files of a release in target/dist, from a clean checkout, and `SHA256SUMS` over them. `usage` has the
# parts; without a name, all are made.
#
# The end checks that no archive lacks a licence; it names what was left out because a tool is missing, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."
. .ci/std.sh

usage() {
    cat <<'TEXT'
usage: scripts/release.sh [--twice] [--trial] [PART...]

Replaces target/dist with the files of a release, or of these parts of it:

  crates  *.crate                         what `cargo publish` would upload
  deb     jlanes-sum-VERSION-HOST.tar.gz  the tool, its manual page, completions, licences, also of what it links
          jlanes-sum_VERSION-1_ARCH.deb   the same for Debian and what derives from it
  c       jlanes-c-VERSION-HOST.tar.gz    the C libraries and their header; with cargo-c the pkg-config file too
  python  jlanes-VERSION-*.whl            the Python package, if there is Python 3.11 with venv
  npm     jlanes-VERSION.tgz              the npm package, if there are npm and a standard library for wasm32
  sbom    *.cdx.json                      what is in them (CycloneDX), if cargo-cyclonedx is installed

  --twice  builds everything again in another folder, at another path, and fails if a byte differs
  --trial  also while CHANGELOG.md has unreleased entries
TEXT
}

twice=false trial=()
parts=()
for argument in "$@"; do
    case $argument in
        --twice) twice=true ;;
        --trial) trial=(--trial) ;;
        crates | deb | c | python | npm | sbom) parts+=("$argument") ;;
        -h | --help) usage; exit ;;
        *) printf 'unknown: %s\n\n' "$argument" >&2; usage >&2; exit 2 ;;
    esac
done
[ ${#parts[@]} -gt 0 ] || parts=(crates deb c python npm sbom)

if $twice; then
    here=$PWD/target/dist
    "$0" "${trial[@]}" "${parts[@]}"
    other=$(mktemp -d)
    trap 'rm -rf "$other"' EXIT
    git clone --quiet . "$other/jlanes"
    "$other/jlanes/scripts/release.sh" "${trial[@]}" "${parts[@]}" >"$other/log" 2>&1 ||
        { cat "$other/log" >&2; exit 1; }
    diff --recursive --brief "$here" "$other/jlanes/target/dist"
    echo "the same bytes twice"
    exit
fi

[ -z "$(git status --porcelain)" ] || { echo "there are changes that are not committed" >&2; exit 1; }
if [ ${#trial[@]} = 0 ] && sed -n '/^## \[Unreleased\]/,/^## \[[0-9]/{/^## /d;p}' CHANGELOG.md | grep -q .; then
    echo "CHANGELOG.md has unreleased entries: give them a version, or pass --trial" >&2
    exit 1
fi
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
host=$(rustc -vV | sed -n 's/^host: //p')
work=$PWD/target/release-build
dist=$PWD/target/dist
missing=()
rm -rf "$dist"
mkdir -p "$dist" "$work"

# What would differ: paths in panics, and times in archives.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
export RUSTFLAGS="--remap-path-prefix=$PWD=jlanes --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
export CARGO_INCREMENTAL=0

archive() { # NAME FOLDER
    tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
        -C "$work" -cf - "$2" | gzip -n9 >"$dist/$1"
}

# cargo names crates outside of a workspace by their paths: they have the same everywhere
sources=/tmp/jlanes-$version
flags="--remap-path-prefix=$sources=jlanes $RUSTFLAGS"

copied=false

copy_sources() {
    $copied && return
    mkdir "$sources"
    trap 'rm -rf "$sources"' EXIT
    copied=true
    git archive HEAD | tar -x -C "$sources"
}

build_crates() {
    echo "crates"
    cargo package --quiet --no-verify --target-dir "$work" --package jlanes-core --package jlanes-simd \
        --package jlanes-tree --package jlanes --package jlanes-columns \
        --package jlanes-files --package jlanes-cli
    cp "$work"/package/*-"$version".crate "$dist"
}

build_deb() {
    echo "jlanes-sum"
    cargo build --quiet --release --locked --target-dir "$work" --package jlanes-cli
    tool=jlanes-sum-$version-$host
    rm -rf "${work:?}/$tool"
    mkdir "$work/$tool"
    cp -r "$work/release/jlanes-sum" LICENSE-* CHANGELOG.md crates/jlanes-cli/{README.md,man/jlanes-sum.1,completions} \
        "$work/$tool"
    scripts/notices.py crates/jlanes-cli/Cargo.toml >"$work/$tool/LICENSE-THIRD-PARTY"
    archive "$tool.tar.gz" "$tool"

    echo "Debian"
    if command -v dpkg-deb >/dev/null; then
        scripts/debian.sh "$work/$tool" "$version" "$dist"
        command -v lintian >/dev/null || missing+=("lintian: the Debian package is not checked")
    else
        missing+=("dpkg-deb: no Debian package")
    fi
}

build_c() {
    echo "C"
    library=jlanes-c-$version-$host
    rm -rf "${work:?}/$library"
    if cargo capi --version >/dev/null 2>&1; then
        cargo cinstall --release --locked --target-dir "$work" -p jlanes-capi \
            --prefix /usr --libdir lib --destdir "$work/$library"
        # never static; the compiler adds what fits
        sed -i 's/-lgcc_s//' "$work/$library/usr/lib/pkgconfig/jlanes.pc"
    else
        missing+=("cargo-c: the C archive has no pkg-config file, and its library no soname")
        mkdir -p "$work/$library"/{lib,include,share/cmake/jlanes}
        cargo rustc --quiet --release --locked --target-dir "$work" -p jlanes-capi --crate-type cdylib,staticlib
        cp crates/jlanes-capi/include/jlanes.h "$work/$library/include"
        cp crates/jlanes-capi/cmake/*.cmake "$work/$library/share/cmake/jlanes"
        for kind in so a; do
            cp "$work/release/libjlanes_capi.$kind" "$work/$library/lib/libjlanes.$kind"
        done
    fi
    cp LICENSE-* "$work/$library"
    scripts/notices.py crates/jlanes-capi/Cargo.toml >"$work/$library/LICENSE-THIRD-PARTY"
    archive "$library.tar.gz" "$library"
}

build_python() {
    echo "Python"
    if python3 -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        copy_sources
        python3 -m venv "$work/venv"
        scripts/notices.py crates/jlanes-python/Cargo.toml >"$sources/crates/jlanes-python/LICENSE-THIRD-PARTY"
        RUSTFLAGS=$flags CARGO_TARGET_DIR=$work "$work/venv/bin/pip" --disable-pip-version-check wheel --quiet --no-deps \
            --config-settings=build-args=--compression-level=9 --wheel-dir "$dist" "$sources/crates/jlanes-python"
    else
        missing+=("Python 3.11 with venv: no wheel")
    fi
}

build_npm() {
    echo "npm"
    if command -v npm >/dev/null && (std_for wasm32-unknown-unknown); then
        copy_sources
        RUSTFLAGS=$flags "$sources/crates/jlanes-wasm/build.sh"
        scripts/notices.py crates/jlanes-wasm/Cargo.toml wasm32-unknown-unknown \
            >"$sources/crates/jlanes-wasm/LICENSE-THIRD-PARTY"
        (cd "$sources/crates/jlanes-wasm" && npm pack --silent --pack-destination "$dist" >/dev/null)
    else
        missing+=("npm, or a standard library for wasm32: no npm package")
    fi
}

build_sbom() {
    echo "what is in them"
    if cargo cyclonedx --version >/dev/null 2>&1; then
        for manifest in Cargo.toml crates/jlanes-python/Cargo.toml; do
            cargo cyclonedx --quiet --format json --all-features --manifest-path "$manifest"
        done
        find crates -name '*.cdx.json' -not -path '*/target/*' -exec mv {} "$dist" \;
        find benches examples tests -name '*.cdx.json' -delete # nobody gets these
        # a serial number at random, the time, and this folder
        sed -i -E -e '/"(serialNumber|timestamp)":/d' -e "s#$PWD#/jlanes#g" "$dist"/*.cdx.json
    else
        missing+=("cargo-cyclonedx: no list of what is in them")
    fi
}

for part in "${parts[@]}"; do
    "build_$part"
done
if [ -n "$(ls "$dist")" ]; then
    scripts/archives.sh "$dist"
    (cd "$dist" && sha256sum -- * >"$work/SHA256SUMS" && mv "$work/SHA256SUMS" .)
    ls -l "$dist"
fi
if ((${#missing[@]} > 0)); then
    printf 'NOT DONE, for want of %s\n' "${missing[@]}" >&2
    exit 1
fi
