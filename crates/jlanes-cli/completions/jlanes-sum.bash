_jlanes__sum() {
    local i cur prev opts cmd
    COMPREPLY=()
    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
        cur="$2"
    else
        cur="${COMP_WORDS[COMP_CWORD]}"
    fi
    prev="$3"
    cmd=""
    opts=""

    for i in "${COMP_WORDS[@]:0:COMP_CWORD}"
    do
        case "${cmd},${i}" in
            ",$1")
                cmd="jlanes__sum"
                ;;
            *)
                ;;
        esac
    done

    case "${cmd}" in
        jlanes__sum)
            opts="-a -l -r -h -x -L -c -w -b -t -z -o --algorithm --length --recursive --completions --man --help --version --files0-from --files-from --include --exclude --gitignore --max-depth --max-size --one-file-system --dereference --hash-links --warn-changed --sort --check --ignore-missing --quiet --status --strict --warn --audit --only --require --min-bits --base-dir --strip --no-absolute --untrusted --summary --detailed-exit --color --expect --expect-json --torrent --binary --text --tag --zero --untagged --raw --base64 --no-names --output --update --allow-removals --force --json --format --dirhash --dedupe --fsverity-format --block-size --hash-block-size --salt --dmverity-format --dmverity-tree --isal-memory-order --hmac-key-file --key-file --derive-key --personalization-hex --public-key-hex --key-id-hex --nonce-hex --customization-hex --outboard --outboard-format --verify-range --backend --threads --io-jobs --mmap --no-mmap --progress --debug"
            if [[ ${cur} == -* || ${COMP_CWORD} -eq 1 ]] ; then
                COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
                return 0
            fi
            case "${prev}" in
                --algorithm)
                    COMPREPLY=($(compgen -W "sha256 sha1 sha1dc sha224 sha384 sha512 sha512-224 sha512-256 md5 ripemd160 sm3 sha3-224 sha3-256 sha3-384 sha3-512 keccak224 keccak256 keccak384 keccak512 keccak256full shake128-256 kt128 kt256 parallelhash128:8192 parallelhashxof128:8192 kmac128 kmac256 kmacxof128 kmacxof256 blake2b blake2s blake2b-256 blake3 skein256 skein512 skein1024 skein512-256 skein512-256-tree:2.2.255 jlanes8-sha256 jlanes8-sha256-raw jpointers-sha256 jpointers-sha256-raw mh-sha1 mh-sha256 btv2 fsverity-sha256 fsverity-sha512 dmverity-sha1 dmverity-sha256 dmverity-sha512 sha256tree glacier s3-sha1 s3-sha256 s3-sha512 s3-md5 s3-crc32 s3-crc32c s3-crc64nvme s3-xxhash64 s3-xxhash3 s3-xxhash128 s3-sha256:8388608 etag:8388608 dropbox rfc6962-sha256:65536 crc32 crc32c crc64nvme xxh32 xxh64 xxh3-64 xxh128 crc crc32b bsd sysv hmac-sha256" -- "${cur}"))
                    return 0
                    ;;
                -a)
                    COMPREPLY=($(compgen -W "sha256 sha1 sha1dc sha224 sha384 sha512 sha512-224 sha512-256 md5 ripemd160 sm3 sha3-224 sha3-256 sha3-384 sha3-512 keccak224 keccak256 keccak384 keccak512 keccak256full shake128-256 kt128 kt256 parallelhash128:8192 parallelhashxof128:8192 kmac128 kmac256 kmacxof128 kmacxof256 blake2b blake2s blake2b-256 blake3 skein256 skein512 skein1024 skein512-256 skein512-256-tree:2.2.255 jlanes8-sha256 jlanes8-sha256-raw jpointers-sha256 jpointers-sha256-raw mh-sha1 mh-sha256 btv2 fsverity-sha256 fsverity-sha512 dmverity-sha1 dmverity-sha256 dmverity-sha512 sha256tree glacier s3-sha1 s3-sha256 s3-sha512 s3-md5 s3-crc32 s3-crc32c s3-crc64nvme s3-xxhash64 s3-xxhash3 s3-xxhash128 s3-sha256:8388608 etag:8388608 dropbox rfc6962-sha256:65536 crc32 crc32c crc64nvme xxh32 xxh64 xxh3-64 xxh128 crc crc32b bsd sysv hmac-sha256" -- "${cur}"))
                    return 0
                    ;;
                --length)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                -l)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --completions)
                    COMPREPLY=($(compgen -W "bash elvish fish powershell zsh" -- "${cur}"))
                    return 0
                    ;;
                --help)
                    COMPREPLY=($(compgen -W "all" -- "${cur}"))
                    return 0
                    ;;
                -h)
                    COMPREPLY=($(compgen -W "all" -- "${cur}"))
                    return 0
                    ;;
                --files0-from)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --files-from)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --include)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --exclude)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-depth)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --max-size)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --sort)
                    COMPREPLY=($(compgen -W "name none" -- "${cur}"))
                    return 0
                    ;;
                --audit)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --only)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --require)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --min-bits)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --base-dir)
                    COMPREPLY=()
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o plusdirs
                    fi
                    return 0
                    ;;
                --strip)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --color)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                --expect)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --expect-json)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --torrent)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --output)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                -o)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --update)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --format)
                    COMPREPLY=($(compgen -W "hashdeep mtree sfv" -- "${cur}"))
                    return 0
                    ;;
                --dirhash)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --block-size)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --hash-block-size)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --salt)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --dmverity-format)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --dmverity-tree)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --hmac-key-file)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --key-file)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --derive-key)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --personalization-hex)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --public-key-hex)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --key-id-hex)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --nonce-hex)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --customization-hex)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --outboard)
                    local oldifs
                    if [ -n "${IFS+x}" ]; then
                        oldifs="$IFS"
                    fi
                    IFS=$'\n'
                    COMPREPLY=($(compgen -f "${cur}"))
                    if [ -n "${oldifs+x}" ]; then
                        IFS="$oldifs"
                    fi
                    if [[ "${BASH_VERSINFO[0]}" -ge 4 ]]; then
                        compopt -o filenames
                    fi
                    return 0
                    ;;
                --outboard-format)
                    COMPREPLY=($(compgen -W "bao obao4" -- "${cur}"))
                    return 0
                    ;;
                --verify-range)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --backend)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --threads)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --io-jobs)
                    COMPREPLY=($(compgen -f "${cur}"))
                    return 0
                    ;;
                --progress)
                    COMPREPLY=($(compgen -W "auto always never" -- "${cur}"))
                    return 0
                    ;;
                *)
                    COMPREPLY=()
                    ;;
            esac
            COMPREPLY=( $(compgen -W "${opts}" -- "${cur}") )
            return 0
            ;;
    esac
}

if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -F _jlanes__sum -o nosort -o bashdefault -o default jlanes-sum
else
    complete -F _jlanes__sum -o bashdefault -o default jlanes-sum
fi
