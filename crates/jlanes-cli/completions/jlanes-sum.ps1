
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'jlanes-sum' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'jlanes-sum'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'jlanes-sum' {
            [CompletionResult]::new('-a', '-a', [CompletionResultType]::ParameterName, 'Digest to compute [default: sha256]. Takes a list with commas, and may be repeated')
            [CompletionResult]::new('--algorithm', '--algorithm', [CompletionResultType]::ParameterName, 'Digest to compute [default: sha256]. Takes a list with commas, and may be repeated')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Digest length in bits, with --algorithm blake2b, sha2, or sha3')
            [CompletionResult]::new('--length', '--length', [CompletionResultType]::ParameterName, 'Digest length in bits, with --algorithm blake2b, sha2, or sha3')
            [CompletionResult]::new('--completions', '--completions', [CompletionResultType]::ParameterName, 'Print completions for SHELL')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print one screen of help; =all prints every option and algorithm')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print one screen of help; =all prints every option and algorithm')
            [CompletionResult]::new('--files0-from', '--files0-from', [CompletionResultType]::ParameterName, 'Read file names from LIST, each terminated by NUL; - is standard input')
            [CompletionResult]::new('--files-from', '--files-from', [CompletionResultType]::ParameterName, 'Read file names from LIST, one per line, also with CR LF; - is standard input')
            [CompletionResult]::new('--include', '--include', [CompletionResultType]::ParameterName, 'With -r, read only files that match GLOB. Without a slash GLOB matches names, with a slash it matches paths below the DIR, or a FILE itself')
            [CompletionResult]::new('--exclude', '--exclude', [CompletionResultType]::ParameterName, 'With -r, skip files and directories that match GLOB, also among the operands')
            [CompletionResult]::new('--max-depth', '--max-depth', [CompletionResultType]::ParameterName, 'With -r, descend at most N levels')
            [CompletionResult]::new('--max-size', '--max-size', [CompletionResultType]::ParameterName, 'With -r, skip files larger than SIZE. K, M, G, T, P and E are powers of 1024; KB, MB and so on are powers of 1000')
            [CompletionResult]::new('--sort', '--sort', [CompletionResultType]::ParameterName, 'Order of files with -r [default: name]')
            [CompletionResult]::new('--audit', '--audit', [CompletionResultType]::ParameterName, 'Compare the FILEs or DIRs, or the working directory, with the digests in LIST. Reports changed, moved, new and missing files')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'With -c, check only NAME, which LIST must contain')
            [CompletionResult]::new('--require', '--require', [CompletionResultType]::ParameterName, 'With -c, fail if fewer than N different files match')
            [CompletionResult]::new('--min-bits', '--min-bits', [CompletionResultType]::ParameterName, 'Refuse digests of less than N bits [default: 128 with -c or a key, 0 with -a]')
            [CompletionResult]::new('--base-dir', '--base-dir', [CompletionResultType]::ParameterName, 'Look up relative names of lists in DIR instead of the working directory')
            [CompletionResult]::new('--strip', '--strip', [CompletionResultType]::ParameterName, 'With -c, remove N leading directories from the names in lists, as patch -p does')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'Color FAILED, CHANGED and so on [default: auto, on terminals unless NO_COLOR is set]')
            [CompletionResult]::new('--expect', '--expect', [CompletionResultType]::ParameterName, 'Compare each FILE with this digest, in any spelling: HEX, ALG:HEX, ALG-BASE64, or the line of a list. Without ALG and -a its length selects the algorithm')
            [CompletionResult]::new('--expect-json', '--expect-json', [CompletionResultType]::ParameterName, 'Compare the FILE with the checksums of an object of S3. DOC is the JSON of `aws s3api head-object --checksum-mode ENABLED` or of `aws s3api get-object-attributes`. If it does not tell how long parts are, sizes of whole mebibytes are tried, unless -a s3-NAME:PART names one')
            [CompletionResult]::new('--torrent', '--torrent', [CompletionResultType]::ParameterName, 'Compare files with the torrent FILE (BitTorrent v1, v2 or both). The operands are the torrent''s file or directory, its parent directory, or some of its files [default: its names in the working directory]')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the list to FILE, and replace FILE only when the new list is complete. FILE is not in the list')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the list to FILE, and replace FILE only when the new list is complete. FILE is not in the list')
            [CompletionResult]::new('--update', '--update', [CompletionResultType]::ParameterName, 'Update LIST: hash files that are new or have changed since the last update, remove files that no longer exist, and report both. Covers the FILEs or DIRs, or the working directory')
            [CompletionResult]::new('--format', '--format', [CompletionResultType]::ParameterName, 'Print a list for hashdeep or mtree, or SFV with crc32; -c and --audit read them')
            [CompletionResult]::new('--dirhash', '--dirhash', [CompletionResultType]::ParameterName, 'Print one digest for each DIR: h1 is Go''s, of contents and names; git-sha256 the id of git''s tree, also of who may run files and of links; jpointers-HASH that of the contents in order, and of neither names nor modes')
            [CompletionResult]::new('--block-size', '--block-size', [CompletionResultType]::ParameterName, 'Block size of fs-verity, data block size of dm-verity [default: 4k]')
            [CompletionResult]::new('--hash-block-size', '--hash-block-size', [CompletionResultType]::ParameterName, 'Hash block size of dm-verity [default: the data block size]')
            [CompletionResult]::new('--salt', '--salt', [CompletionResultType]::ParameterName, 'Salt of fs-verity or dm-verity')
            [CompletionResult]::new('--dmverity-format', '--dmverity-format', [CompletionResultType]::ParameterName, 'Version of dm-verity [default: 1]')
            [CompletionResult]::new('--dmverity-tree', '--dmverity-tree', [CompletionResultType]::ParameterName, 'Write the hash tree of dm-verity to OUT, without a superblock')
            [CompletionResult]::new('--hmac-key-file', '--hmac-key-file', [CompletionResultType]::ParameterName, 'HMAC with the bytes of FILE as the key; - is standard input')
            [CompletionResult]::new('--key-file', '--key-file', [CompletionResultType]::ParameterName, 'Key of KMAC, Skein, BLAKE2 or BLAKE3: the bytes of FILE; - is standard input')
            [CompletionResult]::new('--derive-key', '--derive-key', [CompletionResultType]::ParameterName, 'Derive keys with BLAKE3 for the purpose that CONTEXT names')
            [CompletionResult]::new('--personalization-hex', '--personalization-hex', [CompletionResultType]::ParameterName, 'Personalization of Skein. Here and below, an empty value differs from no value')
            [CompletionResult]::new('--public-key-hex', '--public-key-hex', [CompletionResultType]::ParameterName, 'Public key of Skein')
            [CompletionResult]::new('--key-id-hex', '--key-id-hex', [CompletionResultType]::ParameterName, 'Key identifier of Skein')
            [CompletionResult]::new('--nonce-hex', '--nonce-hex', [CompletionResultType]::ParameterName, 'Nonce of Skein')
            [CompletionResult]::new('--customization-hex', '--customization-hex', [CompletionResultType]::ParameterName, 'Customization string of KMAC, KangarooTwelve or ParallelHash')
            [CompletionResult]::new('--outboard', '--outboard', [CompletionResultType]::ParameterName, 'Write the nodes of BLAKE3''s tree to OUT, with -a blake3: a proof for every range of the file. With --verify-range, OUT is read')
            [CompletionResult]::new('--outboard-format', '--outboard-format', [CompletionResultType]::ParameterName, 'Layout of OUT [default: bao, which has a node for every 1 KiB; obao4 is iroh''s, for every 16 KiB]')
            [CompletionResult]::new('--verify-range', '--verify-range', [CompletionResultType]::ParameterName, 'Compare bytes A to B of FILE, without B, with the BLAKE3 digest of the whole FILE that --expect has, by the nodes in --outboard; A.. goes to the end. The rest of FILE is not read, but for the end, which proves its length')
            [CompletionResult]::new('--backend', '--backend', [CompletionResultType]::ParameterName, 'Instruction set to use: auto, portable, sse41, avx, avx2, avx512vl, avx512, shani, sha512ni')
            [CompletionResult]::new('--threads', '--threads', [CompletionResultType]::ParameterName, 'Number of threads [default: the number of CPUs]')
            [CompletionResult]::new('--io-jobs', '--io-jobs', [CompletionResultType]::ParameterName, 'Read large files one after another (1) or side by side (more) [default: one after another on rotating disks]')
            [CompletionResult]::new('--progress', '--progress', [CompletionResultType]::ParameterName, 'Show progress on standard error; without WHEN, if it is a terminal')
            [CompletionResult]::new('-r', '-r', [CompletionResultType]::ParameterName, 'Read all files in directories, in byte order of their paths')
            [CompletionResult]::new('--recursive', '--recursive', [CompletionResultType]::ParameterName, 'Read all files in directories, in byte order of their paths')
            [CompletionResult]::new('--man', '--man', [CompletionResultType]::ParameterName, 'Print the manual page')
            [CompletionResult]::new('--version', '--version', [CompletionResultType]::ParameterName, 'Print the version')
            [CompletionResult]::new('--gitignore', '--gitignore', [CompletionResultType]::ParameterName, 'With -r, skip .git and what the patterns in .gitignore, .git/info/exclude and the user''s own file match, also files that git tracks all the same')
            [CompletionResult]::new('-x', '-x', [CompletionResultType]::ParameterName, 'With -r, stay on the file system of the DIR')
            [CompletionResult]::new('--one-file-system', '--one-file-system', [CompletionResultType]::ParameterName, 'With -r, stay on the file system of the DIR')
            [CompletionResult]::new('-L', '-L ', [CompletionResultType]::ParameterName, 'With -r, follow symbolic links')
            [CompletionResult]::new('--dereference', '--dereference', [CompletionResultType]::ParameterName, 'With -r, follow symbolic links')
            [CompletionResult]::new('--hash-links', '--hash-links', [CompletionResultType]::ParameterName, 'Hash the text of symbolic links instead of following them')
            [CompletionResult]::new('--warn-changed', '--warn-changed', [CompletionResultType]::ParameterName, 'Report files that change while they are read, and fail')
            [CompletionResult]::new('-c', '-c', [CompletionResultType]::ParameterName, 'Read lists of digests from the FILEs, and check the files that they name')
            [CompletionResult]::new('--check', '--check', [CompletionResultType]::ParameterName, 'Read lists of digests from the FILEs, and check the files that they name')
            [CompletionResult]::new('--ignore-missing', '--ignore-missing', [CompletionResultType]::ParameterName, 'Neither fail nor report for missing files')
            [CompletionResult]::new('--quiet', '--quiet', [CompletionResultType]::ParameterName, 'Do not print OK for files that match')
            [CompletionResult]::new('--status', '--status', [CompletionResultType]::ParameterName, 'Print no verdicts; the exit status shows success')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Fail for improperly formatted lines')
            [CompletionResult]::new('-w', '-w', [CompletionResultType]::ParameterName, 'Report improperly formatted lines, and with -r what is skipped')
            [CompletionResult]::new('--warn', '--warn', [CompletionResultType]::ParameterName, 'Report improperly formatted lines, and with -r what is skipped')
            [CompletionResult]::new('--no-absolute', '--no-absolute', [CompletionResultType]::ParameterName, 'Refuse absolute names, and names that contain `..`')
            [CompletionResult]::new('--untrusted', '--untrusted', [CompletionResultType]::ParameterName, 'With -c, for untrusted lists: refuse names and links that lead out of the base directory, everything but regular files, checksums, broken hashes, and digests of less than 128 bits; implies --strict')
            [CompletionResult]::new('--summary', '--summary', [CompletionResultType]::ParameterName, 'Print how many files got each verdict, or how many bytes duplicates waste')
            [CompletionResult]::new('--detailed-exit', '--detailed-exit', [CompletionResultType]::ParameterName, 'With -c, exit with 2 instead of 1 if something could not be read, and imply --strict; with --update, exit with 1 if files differ from LIST')
            [CompletionResult]::new('-b', '-b', [CompletionResultType]::ParameterName, 'Mark names with an asterisk, for binary mode')
            [CompletionResult]::new('--binary', '--binary', [CompletionResultType]::ParameterName, 'Mark names with an asterisk, for binary mode')
            [CompletionResult]::new('-t', '-t', [CompletionResultType]::ParameterName, 'Do not mark names (default)')
            [CompletionResult]::new('--text', '--text', [CompletionResultType]::ParameterName, 'Do not mark names (default)')
            [CompletionResult]::new('--tag', '--tag', [CompletionResultType]::ParameterName, 'Print BSD-style lines with the name of the algorithm')
            [CompletionResult]::new('-z', '-z', [CompletionResultType]::ParameterName, 'End lines with NUL, and do not escape names')
            [CompletionResult]::new('--zero', '--zero', [CompletionResultType]::ParameterName, 'End lines with NUL, and do not escape names')
            [CompletionResult]::new('--untagged', '--untagged', [CompletionResultType]::ParameterName, 'Print lines without the name of the algorithm')
            [CompletionResult]::new('--raw', '--raw', [CompletionResultType]::ParameterName, 'Print the bytes of the digest and nothing else')
            [CompletionResult]::new('--base64', '--base64', [CompletionResultType]::ParameterName, 'Print digests in base64')
            [CompletionResult]::new('--no-names', '--no-names', [CompletionResultType]::ParameterName, 'Print digests without names')
            [CompletionResult]::new('--allow-removals', '--allow-removals', [CompletionResultType]::ParameterName, 'Let --update remove more than half of LIST, or files of a file system that is gone')
            [CompletionResult]::new('--force', '--force', [CompletionResultType]::ParameterName, 'Let --output and --update replace a file that is not a list, is write-protected, is one of the FILEs, or lists files that could not be read or found')
            [CompletionResult]::new('--json', '--json', [CompletionResultType]::ParameterName, 'Print one JSON object per line, also for verdicts')
            [CompletionResult]::new('--dedupe', '--dedupe', [CompletionResultType]::ParameterName, 'Print groups of equal files, and the bytes that duplicates waste. Covers the FILEs or DIRs, or the working directory')
            [CompletionResult]::new('--fsverity-format', '--fsverity-format', [CompletionResultType]::ParameterName, 'Print lines as fsverity does, HASH:DIGEST FILE')
            [CompletionResult]::new('--isal-memory-order', '--isal-memory-order', [CompletionResultType]::ParameterName, 'Print mh-sha1 and mh-sha256 in the byte order of memory, as ISA-L does')
            [CompletionResult]::new('--mmap', '--mmap', [CompletionResultType]::ParameterName, 'Map files of 1 MiB and more into memory on every file system [default: not on network file systems]')
            [CompletionResult]::new('--no-mmap', '--no-mmap', [CompletionResultType]::ParameterName, 'Read files instead of mapping them into memory')
            [CompletionResult]::new('--debug', '--debug', [CompletionResultType]::ParameterName, 'Print the kernels, lane occupancy and throughput on standard error')
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
