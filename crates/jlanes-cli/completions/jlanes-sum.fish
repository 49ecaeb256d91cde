complete -c jlanes-sum -s a -l algorithm -d 'Digest to compute [default: sha256]. Takes a list with commas, and may be repeated' -r -f -a "sha256\t''
sha1\t''
sha1dc\t''
sha224\t''
sha384\t''
sha512\t''
sha512-224\t''
sha512-256\t''
md5\t''
ripemd160\t''
sm3\t''
sha3-224\t''
sha3-256\t''
sha3-384\t''
sha3-512\t''
keccak224\t''
keccak256\t''
keccak384\t''
keccak512\t''
keccak256full\t''
shake128-256\t''
kt128\t''
kt256\t''
parallelhash128:8192\t''
parallelhashxof128:8192\t''
kmac128\t''
kmac256\t''
kmacxof128\t''
kmacxof256\t''
blake2b\t''
blake2s\t''
blake2b-256\t''
blake3\t''
skein256\t''
skein512\t''
skein1024\t''
skein512-256\t''
skein512-256-tree:2.2.255\t''
jlanes8-sha256\t''
jlanes8-sha256-raw\t''
jpointers-sha256\t''
jpointers-sha256-raw\t''
mh-sha1\t''
mh-sha256\t''
btv2\t''
fsverity-sha256\t''
fsverity-sha512\t''
dmverity-sha1\t''
dmverity-sha256\t''
dmverity-sha512\t''
sha256tree\t''
glacier\t''
s3-sha1\t''
s3-sha256\t''
s3-sha512\t''
s3-md5\t''
s3-crc32\t''
s3-crc32c\t''
s3-crc64nvme\t''
s3-xxhash64\t''
s3-xxhash3\t''
s3-xxhash128\t''
s3-sha256:8388608\t''
etag:8388608\t''
dropbox\t''
rfc6962-sha256:65536\t''
crc32\t''
crc32c\t''
crc64nvme\t''
xxh32\t''
xxh64\t''
xxh3-64\t''
xxh128\t''
crc\t''
crc32b\t''
bsd\t''
sysv\t''
hmac-sha256\t''"
complete -c jlanes-sum -s l -l length -d 'Digest length in bits, with --algorithm blake2b, sha2, or sha3' -r
complete -c jlanes-sum -l completions -d 'Print completions for SHELL' -r -f -a "bash\t''
elvish\t''
fish\t''
powershell\t''
zsh\t''"
complete -c jlanes-sum -s h -l help -d 'Print one screen of help; =all prints every option and algorithm' -r -f -a "all\t''"
complete -c jlanes-sum -l files0-from -d 'Read file names from LIST, each terminated by NUL; - is standard input' -r -F
complete -c jlanes-sum -l files-from -d 'Read file names from LIST, one per line, also with CR LF; - is standard input' -r -F
complete -c jlanes-sum -l include -d 'With -r, read only files that match GLOB. Without a slash GLOB matches names, with a slash it matches paths below the DIR, or a FILE itself' -r
complete -c jlanes-sum -l exclude -d 'With -r, skip files and directories that match GLOB, also among the operands' -r
complete -c jlanes-sum -l max-depth -d 'With -r, descend at most N levels' -r
complete -c jlanes-sum -l max-size -d 'With -r, skip files larger than SIZE. K, M, G, T, P and E are powers of 1024; KB, MB and so on are powers of 1000' -r
complete -c jlanes-sum -l sort -d 'Order of files with -r [default: name]' -r -f -a "name\t'Byte order of paths'
none\t'The order of the file system, which is faster'"
complete -c jlanes-sum -l audit -d 'Compare the FILEs or DIRs, or the working directory, with the digests in LIST. Reports changed, moved, new and missing files' -r -F
complete -c jlanes-sum -l only -d 'With -c, check only NAME, which LIST must contain' -r
complete -c jlanes-sum -l require -d 'With -c, fail if fewer than N different files match' -r
complete -c jlanes-sum -l min-bits -d 'Refuse digests of less than N bits [default: 128 with -c or a key, 0 with -a]' -r
complete -c jlanes-sum -l base-dir -d 'Look up relative names of lists in DIR instead of the working directory' -r -f -a "(__fish_complete_directories)"
complete -c jlanes-sum -l strip -d 'With -c, remove N leading directories from the names in lists, as patch -p does' -r
complete -c jlanes-sum -l color -d 'Color FAILED, CHANGED and so on [default: auto, on terminals unless NO_COLOR is set]' -r -f -a "auto\t'If standard output is a terminal'
always\t''
never\t''"
complete -c jlanes-sum -l expect -d 'Compare each FILE with this digest, in any spelling: HEX, ALG:HEX, ALG-BASE64, or the line of a list. Without ALG and -a its length selects the algorithm' -r
complete -c jlanes-sum -l expect-json -d 'Compare the FILE with the checksums of an object of S3. DOC is the JSON of `aws s3api head-object --checksum-mode ENABLED` or of `aws s3api get-object-attributes`. If it does not tell how long parts are, sizes of whole mebibytes are tried, unless -a s3-NAME:PART names one' -r
complete -c jlanes-sum -l torrent -d 'Compare files with the torrent FILE (BitTorrent v1, v2 or both). The operands are the torrent\'s file or directory, its parent directory, or some of its files [default: its names in the working directory]' -r -F
complete -c jlanes-sum -s o -l output -d 'Write the list to FILE, and replace FILE only when the new list is complete. FILE is not in the list' -r -F
complete -c jlanes-sum -l update -d 'Update LIST: hash files that are new or have changed since the last update, remove files that no longer exist, and report both. Covers the FILEs or DIRs, or the working directory' -r -F
complete -c jlanes-sum -l format -d 'Print a list for hashdeep or mtree, or SFV with crc32; -c and --audit read them' -r -f -a "hashdeep\t''
mtree\t''
sfv\t''"
complete -c jlanes-sum -l dirhash -d 'Print one digest for each DIR: h1 is Go\'s, of contents and names; git-sha256 the id of git\'s tree, also of who may run files and of links; jpointers-HASH that of the contents in order, and of neither names nor modes' -r
complete -c jlanes-sum -l block-size -d 'Block size of fs-verity, data block size of dm-verity [default: 4k]' -r
complete -c jlanes-sum -l hash-block-size -d 'Hash block size of dm-verity [default: the data block size]' -r
complete -c jlanes-sum -l salt -d 'Salt of fs-verity or dm-verity' -r
complete -c jlanes-sum -l dmverity-format -d 'Version of dm-verity [default: 1]' -r
complete -c jlanes-sum -l dmverity-tree -d 'Write the hash tree of dm-verity to OUT, without a superblock' -r -F
complete -c jlanes-sum -l hmac-key-file -d 'HMAC with the bytes of FILE as the key; - is standard input' -r -F
complete -c jlanes-sum -l key-file -d 'Key of KMAC, Skein, BLAKE2 or BLAKE3: the bytes of FILE; - is standard input' -r -F
complete -c jlanes-sum -l derive-key -d 'Derive keys with BLAKE3 for the purpose that CONTEXT names' -r
complete -c jlanes-sum -l personalization-hex -d 'Personalization of Skein. Here and below, an empty value differs from no value' -r
complete -c jlanes-sum -l public-key-hex -d 'Public key of Skein' -r
complete -c jlanes-sum -l key-id-hex -d 'Key identifier of Skein' -r
complete -c jlanes-sum -l nonce-hex -d 'Nonce of Skein' -r
complete -c jlanes-sum -l customization-hex -d 'Customization string of KMAC, KangarooTwelve or ParallelHash' -r
complete -c jlanes-sum -l outboard -d 'Write the nodes of BLAKE3\'s tree to OUT, with -a blake3: a proof for every range of the file. With --verify-range, OUT is read' -r -F
complete -c jlanes-sum -l outboard-format -d 'Layout of OUT [default: bao, which has a node for every 1 KiB; obao4 is iroh\'s, for every 16 KiB]' -r -f -a "bao\t''
obao4\t''"
complete -c jlanes-sum -l verify-range -d 'Compare bytes A to B of FILE, without B, with the BLAKE3 digest of the whole FILE that --expect has, by the nodes in --outboard; A.. goes to the end. The rest of FILE is not read, but for the end, which proves its length' -r
complete -c jlanes-sum -l backend -d 'Instruction set to use: auto, portable, sse41, avx, avx2, avx512vl, avx512, shani, sha512ni' -r
complete -c jlanes-sum -l threads -d 'Number of threads [default: the number of CPUs]' -r
complete -c jlanes-sum -l io-jobs -d 'Read large files one after another (1) or side by side (more) [default: one after another on rotating disks]' -r
complete -c jlanes-sum -l progress -d 'Show progress on standard error; without WHEN, if it is a terminal' -r -f -a "auto\t'If standard error is a terminal'
always\t'Also to files and pipes'
never\t''"
complete -c jlanes-sum -s r -l recursive -d 'Read all files in directories, in byte order of their paths'
complete -c jlanes-sum -l man -d 'Print the manual page'
complete -c jlanes-sum -l version -d 'Print the version'
complete -c jlanes-sum -l gitignore -d 'With -r, skip .git and what the patterns in .gitignore, .git/info/exclude and the user\'s own file match, also files that git tracks all the same'
complete -c jlanes-sum -s x -l one-file-system -d 'With -r, stay on the file system of the DIR'
complete -c jlanes-sum -s L -l dereference -d 'With -r, follow symbolic links'
complete -c jlanes-sum -l hash-links -d 'Hash the text of symbolic links instead of following them'
complete -c jlanes-sum -l warn-changed -d 'Report files that change while they are read, and fail'
complete -c jlanes-sum -s c -l check -d 'Read lists of digests from the FILEs, and check the files that they name'
complete -c jlanes-sum -l ignore-missing -d 'Neither fail nor report for missing files'
complete -c jlanes-sum -l quiet -d 'Do not print OK for files that match'
complete -c jlanes-sum -l status -d 'Print no verdicts; the exit status shows success'
complete -c jlanes-sum -l strict -d 'Fail for improperly formatted lines'
complete -c jlanes-sum -s w -l warn -d 'Report improperly formatted lines, and with -r what is skipped'
complete -c jlanes-sum -l no-absolute -d 'Refuse absolute names, and names that contain `..`'
complete -c jlanes-sum -l untrusted -d 'With -c, for untrusted lists: refuse names and links that lead out of the base directory, everything but regular files, checksums, broken hashes, and digests of less than 128 bits; implies --strict'
complete -c jlanes-sum -l summary -d 'Print how many files got each verdict, or how many bytes duplicates waste'
complete -c jlanes-sum -l detailed-exit -d 'With -c, exit with 2 instead of 1 if something could not be read, and imply --strict; with --update, exit with 1 if files differ from LIST'
complete -c jlanes-sum -s b -l binary -d 'Mark names with an asterisk, for binary mode'
complete -c jlanes-sum -s t -l text -d 'Do not mark names (default)'
complete -c jlanes-sum -l tag -d 'Print BSD-style lines with the name of the algorithm'
complete -c jlanes-sum -s z -l zero -d 'End lines with NUL, and do not escape names'
complete -c jlanes-sum -l untagged -d 'Print lines without the name of the algorithm'
complete -c jlanes-sum -l raw -d 'Print the bytes of the digest and nothing else'
complete -c jlanes-sum -l base64 -d 'Print digests in base64'
complete -c jlanes-sum -l no-names -d 'Print digests without names'
complete -c jlanes-sum -l allow-removals -d 'Let --update remove more than half of LIST, or files of a file system that is gone'
complete -c jlanes-sum -l force -d 'Let --output and --update replace a file that is not a list, is write-protected, is one of the FILEs, or lists files that could not be read or found'
complete -c jlanes-sum -l json -d 'Print one JSON object per line, also for verdicts'
complete -c jlanes-sum -l dedupe -d 'Print groups of equal files, and the bytes that duplicates waste. Covers the FILEs or DIRs, or the working directory'
complete -c jlanes-sum -l fsverity-format -d 'Print lines as fsverity does, HASH:DIGEST FILE'
complete -c jlanes-sum -l isal-memory-order -d 'Print mh-sha1 and mh-sha256 in the byte order of memory, as ISA-L does'
complete -c jlanes-sum -l mmap -d 'Map files of 1 MiB and more into memory on every file system [default: not on network file systems]'
complete -c jlanes-sum -l no-mmap -d 'Read files instead of mapping them into memory'
complete -c jlanes-sum -l debug -d 'Print the kernels, lane occupancy and throughput on standard error'
