#!/usr/bin/env bash
# archives.sh FOLDER: fails if one of the archives in FOLDER lacks a file that it must have, the licences of what it
# links above all. An archive of a kind that is not named here is an error, too.
set -euo pipefail

# has ARCHIVE NAMES PATTERN...: whether each pattern fits one of the names in the archive, from its end
has() {
    local pattern
    for pattern in "${@:3}"; do
        grep -qE "(^|/)$pattern\$" <<<"$2" || { echo "$1: no $pattern" >&2; return 1; }
    done
}

licences=(LICENSE-MIT LICENSE-APACHE)
linked=("${licences[@]}" LICENSE-THIRD-PARTY)
for archive in "$1"/*; do
    case $archive in
        *.crate) has "$archive" "$(tar -tzf "$archive")" "${licences[@]}" README.md Cargo.toml ;;
        */jlanes-sum-*.tar.gz)
            has "$archive" "$(tar -tzf "$archive")" "${linked[@]}" README.md CHANGELOG.md jlanes-sum jlanes-sum.1 \
                completions/jlanes-sum.{bash,zsh,fish}
            ;;
        *.deb)
            has "$archive" "$(dpkg-deb --fsys-tarfile "$archive" | tar -t)" usr/bin/jlanes-sum \
                usr/share/man/man1/jlanes-sum.1.gz \
                usr/share/doc/jlanes-sum/{copyright,README.md,{changelog,changelog.Debian,third-party-licenses}.gz} \
                usr/share/bash-completion/completions/jlanes-sum usr/share/zsh/vendor-completions/_jlanes-sum \
                usr/share/fish/vendor_completions.d/jlanes-sum.fish
            ;;
        */jlanes-c-*.tar.gz)
            has "$archive" "$(tar -tzf "$archive")" "${linked[@]}" jlanes.h libjlanes.a 'libjlanes.so.*' \
                jlanes-config{,-version}.cmake
            ;;
        *.whl) has "$archive" "$(python3 -m zipfile -l "$archive" | cut -d' ' -f1)" "${linked[@]}" METADATA ;;
        *.tgz) has "$archive" "$(tar -tzf "$archive")" "${linked[@]}" README.md package.json '[^/]*.wasm' ;;
        *.cdx.json | */SHA256SUMS) ;;
        *) echo "$archive: what is to be in it is not known" >&2; exit 1 ;;
    esac
done
