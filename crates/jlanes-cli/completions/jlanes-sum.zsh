#compdef jlanes-sum

autoload -U is-at-least

_jlanes-sum() {
    typeset -A opt_args
    typeset -a _arguments_options
    local ret=1

    if is-at-least 5.2; then
        _arguments_options=(-s -S -C)
    else
        _arguments_options=(-s -C)
    fi

    local context curcontext="$curcontext" state line
    _arguments "${_arguments_options[@]}" : \
'*-a+[Digest to compute \[default\: sha256\]. Takes a list with commas, and may be repeated]:SPEC:(sha256 sha1 sha1dc sha224 sha384 sha512 sha512-224 sha512-256 md5 ripemd160 sm3 sha3-224 sha3-256 sha3-384 sha3-512 keccak224 keccak256 keccak384 keccak512 keccak256full shake128-256 kt128 kt256 parallelhash128\:8192 parallelhashxof128\:8192 kmac128 kmac256 kmacxof128 kmacxof256 blake2b blake2s blake2b-256 blake3 skein256 skein512 skein1024 skein512-256 skein512-256-tree\:2.2.255 jlanes8-sha256 jlanes8-sha256-raw jpointers-sha256 jpointers-sha256-raw mh-sha1 mh-sha256 btv2 fsverity-sha256 fsverity-sha512 dmverity-sha1 dmverity-sha256 dmverity-sha512 sha256tree glacier s3-sha1 s3-sha256 s3-sha512 s3-md5 s3-crc32 s3-crc32c s3-crc64nvme s3-xxhash64 s3-xxhash3 s3-xxhash128 s3-sha256\:8388608 etag\:8388608 dropbox rfc6962-sha256\:65536 crc32 crc32c crc64nvme xxh32 xxh64 xxh3-64 xxh128 crc crc32b bsd sysv hmac-sha256)' \
'*--algorithm=[Digest to compute \[default\: sha256\]. Takes a list with commas, and may be repeated]:SPEC:(sha256 sha1 sha1dc sha224 sha384 sha512 sha512-224 sha512-256 md5 ripemd160 sm3 sha3-224 sha3-256 sha3-384 sha3-512 keccak224 keccak256 keccak384 keccak512 keccak256full shake128-256 kt128 kt256 parallelhash128\:8192 parallelhashxof128\:8192 kmac128 kmac256 kmacxof128 kmacxof256 blake2b blake2s blake2b-256 blake3 skein256 skein512 skein1024 skein512-256 skein512-256-tree\:2.2.255 jlanes8-sha256 jlanes8-sha256-raw jpointers-sha256 jpointers-sha256-raw mh-sha1 mh-sha256 btv2 fsverity-sha256 fsverity-sha512 dmverity-sha1 dmverity-sha256 dmverity-sha512 sha256tree glacier s3-sha1 s3-sha256 s3-sha512 s3-md5 s3-crc32 s3-crc32c s3-crc64nvme s3-xxhash64 s3-xxhash3 s3-xxhash128 s3-sha256\:8388608 etag\:8388608 dropbox rfc6962-sha256\:65536 crc32 crc32c crc64nvme xxh32 xxh64 xxh3-64 xxh128 crc crc32b bsd sysv hmac-sha256)' \
'-l+[Digest length in bits, with --algorithm blake2b, sha2, or sha3]:BITS:_default' \
'--length=[Digest length in bits, with --algorithm blake2b, sha2, or sha3]:BITS:_default' \
'--completions=[Print completions for SHELL]:SHELL:(bash elvish fish powershell zsh)' \
'-h+[Print one screen of help; =all prints every option and algorithm]::all:(all)' \
'--help=[Print one screen of help; =all prints every option and algorithm]::all:(all)' \
'(--files-from)--files0-from=[Read file names from LIST, each terminated by NUL; - is standard input]:LIST:_files' \
'--files-from=[Read file names from LIST, one per line, also with CR LF; - is standard input]:LIST:_files' \
'*--include=[With -r, read only files that match GLOB. Without a slash GLOB matches names, with a slash it matches paths below the DIR, or a FILE itself]:GLOB:_default' \
'*--exclude=[With -r, skip files and directories that match GLOB, also among the operands]:GLOB:_default' \
'--max-depth=[With -r, descend at most N levels]:N:_default' \
'--max-size=[With -r, skip files larger than SIZE. K, M, G, T, P and E are powers of 1024; KB, MB and so on are powers of 1000]:SIZE:_default' \
'--sort=[Order of files with -r \[default\: name\]]:ORDER:((name\:"Byte order of paths"
none\:"The order of the file system, which is faster"))' \
'(-c --check --raw -z --zero --tag --base64 --no-names --format --fsverity-format)*--audit=[Compare the FILEs or DIRs, or the working directory, with the digests in LIST. Reports changed, moved, new and missing files]:LIST:_files' \
'(--ignore-missing)*--only=[With -c, check only NAME, which LIST must contain]:NAME:_default' \
'--require=[With -c, fail if fewer than N different files match]:N:_default' \
'--min-bits=[Refuse digests of less than N bits \[default\: 128 with -c or a key, 0 with -a\]]:N:_default' \
'--base-dir=[Look up relative names of lists in DIR instead of the working directory]:DIR:_files -/' \
'--strip=[With -c, remove N leading directories from the names in lists, as patch -p does]:N:_default' \
'--color=[Color FAILED, CHANGED and so on \[default\: auto, on terminals unless NO_COLOR is set\]]::WHEN:((auto\:"If standard output is a terminal"
always\:""
never\:""))' \
'(-c --check --audit --update --dedupe --dirhash -o --output --format -r --recursive --raw -z --zero --tag --base64 --no-names --fsverity-format)--expect=[Compare each FILE with this digest, in any spelling\: HEX, ALG\:HEX, ALG-BASE64, or the line of a list. Without ALG and -a its length selects the algorithm]:DIGEST:_default' \
'(-c --check --audit --update --dedupe --dirhash -o --output --format -r --recursive --raw -z --zero --tag --base64 --no-names --expect --fsverity-format --torrent --files-from --files0-from)--expect-json=[Compare the FILE with the checksums of an object of S3. DOC is the JSON of \`aws s3api head-object --checksum-mode ENABLED\` or of \`aws s3api get-object-attributes\`. If it does not tell how long parts are, sizes of whole mebibytes are tried, unless -a s3-NAME\:PART names one]:DOC:_default' \
'(-c --check --audit --update --dedupe --dirhash -o --output --format -r --recursive --raw -z --zero --tag --base64 --no-names --expect --fsverity-format -a --algorithm --files-from --files0-from)--torrent=[Compare files with the torrent FILE (BitTorrent v1, v2 or both). The operands are the torrent'\''s file or directory, its parent directory, or some of its files \[default\: its names in the working directory\]]:FILE:_files' \
'(-c --check --audit)-o+[Write the list to FILE, and replace FILE only when the new list is complete. FILE is not in the list]:FILE:_files' \
'(-c --check --audit)--output=[Write the list to FILE, and replace FILE only when the new list is complete. FILE is not in the list]:FILE:_files' \
'(-c --check --audit --raw -z --zero --no-names --format --fsverity-format --dirhash --dedupe -o --output --hash-links)--update=[Update LIST\: hash files that are new or have changed since the last update, remove files that no longer exist, and report both. Covers the FILEs or DIRs, or the working directory]:LIST:_files' \
'(-c --check --raw -z --zero --tag --json --base64 --no-names)--format=[Print a list for hashdeep or mtree, or SFV with crc32; -c and --audit read them]:NAME:(hashdeep mtree sfv)' \
'(--raw -z --zero --json --base64 --no-names --format -a --algorithm --audit --hash-links)--dirhash=[Print one digest for each DIR\: h1 is Go'\''s, of contents and names; git-sha256 the id of git'\''s tree, also of who may run files and of links; jpointers-HASH that of the contents in order, and of neither names nor modes]:NAME:_default' \
'--block-size=[Block size of fs-verity, data block size of dm-verity \[default\: 4k\]]:SIZE:_default' \
'--hash-block-size=[Hash block size of dm-verity \[default\: the data block size\]]:SIZE:_default' \
'--salt=[Salt of fs-verity or dm-verity]:HEX:_default' \
'--dmverity-format=[Version of dm-verity \[default\: 1\]]:0|1:_default' \
'(--dedupe --dirhash --torrent --expect-json)--dmverity-tree=[Write the hash tree of dm-verity to OUT, without a superblock]:OUT:_files' \
'--hmac-key-file=[HMAC with the bytes of FILE as the key; - is standard input]:FILE:_files' \
'--key-file=[Key of KMAC, Skein, BLAKE2 or BLAKE3\: the bytes of FILE; - is standard input]:FILE:_files' \
'--derive-key=[Derive keys with BLAKE3 for the purpose that CONTEXT names]:CONTEXT:_default' \
'--personalization-hex=[Personalization of Skein. Here and below, an empty value differs from no value]:HEX:_default' \
'--public-key-hex=[Public key of Skein]:HEX:_default' \
'--key-id-hex=[Key identifier of Skein]:HEX:_default' \
'--nonce-hex=[Nonce of Skein]:HEX:_default' \
'--customization-hex=[Customization string of KMAC, KangarooTwelve or ParallelHash]:HEX:_default' \
'(-c --check --audit --update --dedupe --dirhash --torrent --warn-changed --hash-links)--outboard=[Write the nodes of BLAKE3'\''s tree to OUT, with -a blake3\: a proof for every range of the file. With --verify-range, OUT is read]:OUT:_files' \
'(--verify-range)--outboard-format=[Layout of OUT \[default\: bao, which has a node for every 1 KiB; obao4 is iroh'\''s, for every 16 KiB\]]:NAME:(bao obao4)' \
'(--ignore-missing --files-from --files0-from)--verify-range=[Compare bytes A to B of FILE, without B, with the BLAKE3 digest of the whole FILE that --expect has, by the nodes in --outboard; A.. goes to the end. The rest of FILE is not read, but for the end, which proves its length]:A..B:_default' \
'--backend=[Instruction set to use\: auto, portable, sse41, avx, avx2, avx512vl, avx512, shani, sha512ni]:NAME:_default' \
'--threads=[Number of threads \[default\: the number of CPUs\]]:N:_default' \
'--io-jobs=[Read large files one after another (1) or side by side (more) \[default\: one after another on rotating disks\]]:N:_default' \
'--progress=[Show progress on standard error; without WHEN, if it is a terminal]::WHEN:((auto\:"If standard error is a terminal"
always\:"Also to files and pipes"
never\:""))' \
'-r[Read all files in directories, in byte order of their paths]' \
'--recursive[Read all files in directories, in byte order of their paths]' \
'--man[Print the manual page]' \
'--version[Print the version]' \
'--gitignore[With -r, skip .git and what the patterns in .gitignore, .git/info/exclude and the user'\''s own file match, also files that git tracks all the same]' \
'-x[With -r, stay on the file system of the DIR]' \
'--one-file-system[With -r, stay on the file system of the DIR]' \
'-L[With -r, follow symbolic links]' \
'--dereference[With -r, follow symbolic links]' \
'(-L --dereference)--hash-links[Hash the text of symbolic links instead of following them]' \
'--warn-changed[Report files that change while they are read, and fail]' \
'-c[Read lists of digests from the FILEs, and check the files that they name]' \
'--check[Read lists of digests from the FILEs, and check the files that they name]' \
'--ignore-missing[Neither fail nor report for missing files]' \
'--quiet[Do not print OK for files that match]' \
'--status[Print no verdicts; the exit status shows success]' \
'--strict[Fail for improperly formatted lines]' \
'-w[Report improperly formatted lines, and with -r what is skipped]' \
'--warn[Report improperly formatted lines, and with -r what is skipped]' \
'--no-absolute[Refuse absolute names, and names that contain \`..\`]' \
'--untrusted[With -c, for untrusted lists\: refuse names and links that lead out of the base directory, everything but regular files, checksums, broken hashes, and digests of less than 128 bits; implies --strict]' \
'--summary[Print how many files got each verdict, or how many bytes duplicates waste]' \
'--detailed-exit[With -c, exit with 2 instead of 1 if something could not be read, and imply --strict; with --update, exit with 1 if files differ from LIST]' \
'-b[Mark names with an asterisk, for binary mode]' \
'--binary[Mark names with an asterisk, for binary mode]' \
'-t[Do not mark names (default)]' \
'--text[Do not mark names (default)]' \
'--tag[Print BSD-style lines with the name of the algorithm]' \
'-z[End lines with NUL, and do not escape names]' \
'--zero[End lines with NUL, and do not escape names]' \
'--untagged[Print lines without the name of the algorithm]' \
'--raw[Print the bytes of the digest and nothing else]' \
'--base64[Print digests in base64]' \
'(-c --check --raw --json --tag)--no-names[Print digests without names]' \
'--allow-removals[Let --update remove more than half of LIST, or files of a file system that is gone]' \
'--force[Let --output and --update replace a file that is not a list, is write-protected, is one of the FILEs, or lists files that could not be read or found]' \
'(--raw -z --zero --tag)--json[Print one JSON object per line, also for verdicts]' \
'(-c --check --audit --raw -z --zero --no-names --format --fsverity-format --dirhash --hash-links)--dedupe[Print groups of equal files, and the bytes that duplicates waste. Covers the FILEs or DIRs, or the working directory]' \
'(-c --check --raw -z --zero --tag --json)--fsverity-format[Print lines as fsverity does, HASH\:DIGEST FILE]' \
'--isal-memory-order[Print mh-sha1 and mh-sha256 in the byte order of memory, as ISA-L does]' \
'--mmap[Map files of 1 MiB and more into memory on every file system \[default\: not on network file systems\]]' \
'--no-mmap[Read files instead of mapping them into memory]' \
'--debug[Print the kernels, lane occupancy and throughput on standard error]' \
'*::files -- Files; directories with -r; lists of digests with -c:_files' \
&& ret=0
}

(( $+functions[_jlanes-sum_commands] )) ||
_jlanes-sum_commands() {
    local commands; commands=()
    _describe -t commands 'jlanes-sum commands' commands "$@"
}

if [ "$funcstack[1]" = "_jlanes-sum" ]; then
    _jlanes-sum "$@"
else
    compdef _jlanes-sum jlanes-sum
fi
