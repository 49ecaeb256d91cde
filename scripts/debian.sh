#!/usr/bin/env bash
# debian.sh TREE VERSION OUT: makes a Debian package of jlanes-sum in OUT. TREE has the program, its manual
# page, completions and licences, as scripts/release.sh unpacks them; SOURCE_DATE_EPOCH is the time of all files.
#
# It needs dpkg-deb and readelf. The program needs libc and nothing else, which is checked; so does lintian, if it
# is installed.
set -euo pipefail
umask 022
[ $# = 3 ] || { echo "usage: SOURCE_DATE_EPOCH=SECONDS $0 TREE VERSION OUT" >&2; exit 2; }
: "${SOURCE_DATE_EPOCH:?the time of all files, in seconds}"
tree=$1 version=$2 out=$3
maintainer="The jlanes developers <jlanes@users.noreply.github.com>"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

put() { # MODE FILE PATH
    install -D -m "$1" "$2" "$root/$3"
}

doc=usr/share/doc/jlanes-sum
put 755 "$tree/jlanes-sum" usr/bin/jlanes-sum
put 644 "$tree/jlanes-sum.1" usr/share/man/man1/jlanes-sum.1
put 644 "$tree/CHANGELOG.md" $doc/changelog
put 644 "$tree/README.md" $doc/README.md
put 644 "$tree/completions/jlanes-sum.bash" usr/share/bash-completion/completions/jlanes-sum
put 644 "$tree/completions/jlanes-sum.zsh" usr/share/zsh/vendor-completions/_jlanes-sum
put 644 "$tree/completions/jlanes-sum.fish" usr/share/fish/vendor_completions.d/jlanes-sum.fish
put 644 "$tree/LICENSE-THIRD-PARTY" $doc/third-party-licenses
{
    cat <<'TEXT'
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: jlanes
Source: https://github.com/jlanes/jlanes

Files: *
Copyright: The jlanes developers
License: Expat or Apache-2.0
Comment: The program links other crates. Their licences and notices are in
 /usr/share/doc/jlanes-sum/third-party-licenses.gz.

License: Apache-2.0
 On Debian systems it is in /usr/share/common-licenses/Apache-2.0.

License: Expat
TEXT
    # in such a file a paragraph of a field goes on with blanks
    sed -e 's/^$/./' -e 's/^/ /' "$tree/LICENSE-MIT"
} >"$root/$doc/copyright"
cat >"$root/$doc/changelog.Debian" <<TEXT
jlanes-sum ($version-1) unstable; urgency=medium

  * Version $version. Its changes are in changelog.gz.

 -- $maintainer  $(date -R -u --date="@$SOURCE_DATE_EPOCH")
TEXT
gzip -9n "$root/usr/share/man/man1/jlanes-sum.1" "$root/$doc"/{changelog,changelog.Debian,third-party-licenses}

program=$root/usr/bin/jlanes-sum
others=$(readelf -d "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc\.so|libgcc_s|ld-linux)' || true)
[ -z "$others" ] || { echo "the package would need $others" >&2; exit 1; }
depends="libc6 (>= $(readelf --version-info --wide "$program" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | sed -n '$s/GLIBC_//p'))"
! readelf -d "$program" | grep -q 'NEEDED.*libgcc_s' || depends+=", libgcc-s1"

mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<TEXT
Package: jlanes-sum
Version: $version-1
Architecture: $(dpkg --print-architecture)
Maintainer: $maintainer
Installed-Size: $(du --apparent-size -sk "$root/usr" | cut -f1)
Depends: $depends
Suggests: git
Section: utils
Priority: optional
Homepage: https://github.com/jlanes/jlanes
Description: checksums of many files at once on SIMD lanes
 jlanes-sum prints and checks digests as sha256sum and cksum -a do, with the
 same output, messages and exit status, but hashes many files at once on the
 SIMD lanes of each core. It also audits directories against lists, updates
 lists, and computes the trees of fs-verity, BitTorrent, S3 and others.
TEXT
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$out" >/dev/null
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error "$out/jlanes-sum_$version-1_$(dpkg --print-architecture).deb"
fi
