
use builtin;
use str;

set edit:completion:arg-completer[jlanes-sum] = {|@words|
    fn spaces {|n|
        builtin:repeat $n ' ' | str:join ''
    }
    fn cand {|text desc|
        edit:complex-candidate $text &display=$text' '(spaces (- 14 (wcswidth $text)))$desc
    }
    var command = 'jlanes-sum'
    for word $words[1..-1] {
        if (str:has-prefix $word '-') {
            break
        }
        set command = $command';'$word
    }
    var completions = [
        &'jlanes-sum'= {
            cand -a 'Digest to compute [default: sha256]. Takes a list with commas, and may be repeated'
            cand --algorithm 'Digest to compute [default: sha256]. Takes a list with commas, and may be repeated'
            cand -l 'Digest length in bits, with --algorithm blake2b, sha2, or sha3'
            cand --length 'Digest length in bits, with --algorithm blake2b, sha2, or sha3'
            cand --completions 'Print completions for SHELL'
            cand -h 'Print one screen of help; =all prints every option and algorithm'
            cand --help 'Print one screen of help; =all prints every option and algorithm'
            cand --files0-from 'Read file names from LIST, each terminated by NUL; - is standard input'
            cand --files-from 'Read file names from LIST, one per line, also with CR LF; - is standard input'
            cand --include 'With -r, read only files that match GLOB. Without a slash GLOB matches names, with a slash it matches paths below the DIR, or a FILE itself'
            cand --exclude 'With -r, skip files and directories that match GLOB, also among the operands'
            cand --max-depth 'With -r, descend at most N levels'
            cand --max-size 'With -r, skip files larger than SIZE. K, M, G, T, P and E are powers of 1024; KB, MB and so on are powers of 1000'
            cand --sort 'Order of files with -r [default: name]'
            cand --audit 'Compare the FILEs or DIRs, or the working directory, with the digests in LIST. Reports changed, moved, new and missing files'
            cand --only 'With -c, check only NAME, which LIST must contain'
            cand --require 'With -c, fail if fewer than N different files match'
            cand --min-bits 'Refuse digests of less than N bits [default: 128 with -c or a key, 0 with -a]'
            cand --base-dir 'Look up relative names of lists in DIR instead of the working directory'
            cand --strip 'With -c, remove N leading directories from the names in lists, as patch -p does'
            cand --color 'Color FAILED, CHANGED and so on [default: auto, on terminals unless NO_COLOR is set]'
            cand --expect 'Compare each FILE with this digest, in any spelling: HEX, ALG:HEX, ALG-BASE64, or the line of a list. Without ALG and -a its length selects the algorithm'
            cand --torrent 'Compare files with the torrent FILE (BitTorrent v1, v2 or both). The operands are the torrent''s file or directory, its parent directory, or some of its files [default: its names in the working directory]'
            cand -o 'Write the list to FILE, and replace FILE only when the new list is complete. FILE is not in the list'
            cand --output 'Write the list to FILE, and replace FILE only when the new list is complete. FILE is not in the list'
            cand --update 'Update LIST: hash files that are new or have changed since the last update, remove files that no longer exist, and report both. Covers the FILEs or DIRs, or the working directory'
            cand --format 'Print a list for hashdeep or mtree, or SFV with crc32; -c and --audit read them'
            cand --dirhash 'Print one digest for each DIR: h1 is Go''s, of contents and names; git-sha256 the id of git''s tree, also of who may run files and of links; jpointers-HASH that of the contents in order, and of neither names nor modes'
            cand --block-size 'Block size of fs-verity, data block size of dm-verity [default: 4k]'
            cand --hash-block-size 'Hash block size of dm-verity [default: the data block size]'
            cand --salt 'Salt of fs-verity or dm-verity'
            cand --dmverity-format 'Version of dm-verity [default: 1]'
            cand --dmverity-tree 'Write the hash tree of dm-verity to OUT, without a superblock'
            cand --hmac-key-file 'HMAC with the bytes of FILE as the key; - is standard input'
            cand --key-file 'Key of KMAC, Skein, BLAKE2 or BLAKE3: the bytes of FILE; - is standard input'
            cand --derive-key 'Derive keys with BLAKE3 for the purpose that CONTEXT names'
            cand --personalization-hex 'Personalization of Skein. Here and below, an empty value differs from no value'
            cand --public-key-hex 'Public key of Skein'
            cand --key-id-hex 'Key identifier of Skein'
            cand --nonce-hex 'Nonce of Skein'
            cand --customization-hex 'Customization string of KMAC, KangarooTwelve or ParallelHash'
            cand --backend 'Instruction set to use: auto, portable, sse41, avx, avx2, avx512vl, avx512, shani, sha512ni'
            cand --threads 'Number of threads [default: the number of CPUs]'
            cand --io-jobs 'Read large files one after another (1) or side by side (more) [default: one after another on rotating disks]'
            cand --progress 'Show progress on standard error; without WHEN, if it is a terminal'
            cand -r 'Read all files in directories, in byte order of their paths'
            cand --recursive 'Read all files in directories, in byte order of their paths'
            cand --man 'Print the manual page'
            cand --version 'Print the version'
            cand --gitignore 'With -r, skip .git and what the patterns in .gitignore, .git/info/exclude and the user''s own file match, also files that git tracks all the same'
            cand -x 'With -r, stay on the file system of the DIR'
            cand --one-file-system 'With -r, stay on the file system of the DIR'
            cand -L 'With -r, follow symbolic links'
            cand --dereference 'With -r, follow symbolic links'
            cand --hash-links 'Hash the text of symbolic links instead of following them'
            cand --warn-changed 'Report files that change while they are read, and fail'
            cand -c 'Read lists of digests from the FILEs, and check the files that they name'
            cand --check 'Read lists of digests from the FILEs, and check the files that they name'
            cand --ignore-missing 'Neither fail nor report for missing files'
            cand --quiet 'Do not print OK for files that match'
            cand --status 'Print no verdicts; the exit status shows success'
            cand --strict 'Fail for improperly formatted lines'
            cand -w 'Report improperly formatted lines, and with -r what is skipped'
            cand --warn 'Report improperly formatted lines, and with -r what is skipped'
            cand --no-absolute 'Refuse absolute names, and names that contain `..`'
            cand --untrusted 'With -c, for untrusted lists: refuse names and links that lead out of the base directory, everything but regular files, checksums, broken hashes, and digests of less than 128 bits; implies --strict'
            cand --summary 'Print how many files got each verdict, or how many bytes duplicates waste'
            cand --detailed-exit 'With -c, exit with 2 instead of 1 if something could not be read; with --update, exit with 1 if files differ from LIST'
            cand -b 'Mark names with an asterisk, for binary mode'
            cand --binary 'Mark names with an asterisk, for binary mode'
            cand -t 'Do not mark names (default)'
            cand --text 'Do not mark names (default)'
            cand --tag 'Print BSD-style lines with the name of the algorithm'
            cand -z 'End lines with NUL, and do not escape names'
            cand --zero 'End lines with NUL, and do not escape names'
            cand --untagged 'Print lines without the name of the algorithm'
            cand --raw 'Print the bytes of the digest and nothing else'
            cand --base64 'Print digests in base64'
            cand --no-names 'Print digests without names'
            cand --allow-removals 'Let --update remove more than half of LIST, or files of a file system that is gone'
            cand --force 'Let --output and --update replace a file that is not a list, is write-protected, is one of the FILEs, or lists files that could not be read or found'
            cand --json 'Print one JSON object per line, also for verdicts'
            cand --dedupe 'Print groups of equal files, and the bytes that duplicates waste. Covers the FILEs or DIRs, or the working directory'
            cand --fsverity-format 'Print lines as fsverity does, HASH:DIGEST FILE'
            cand --isal-memory-order 'Print mh-sha1 and mh-sha256 in the byte order of memory, as ISA-L does'
            cand --mmap 'Map files of 1 MiB and more into memory on every file system [default: not on network file systems]'
            cand --no-mmap 'Read files instead of mapping them into memory'
            cand --debug 'Print the kernels, lane occupancy and throughput on standard error'
        }
    ]
    $completions[$command]
}
