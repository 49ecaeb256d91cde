# Sourced. `std_for TARGET [CRATES]` looks for the target's standard library: rustup's, or else the source of
# it, of which cargo compiles the crates if it gets the arguments in `std`. Fails if there is neither.
std_for() {
    std=()
    unset RUSTC_BOOTSTRAP
    rustup target add "$1" 2>/dev/null && return
    if ! [ -f "$(rustc --print sysroot)/lib/rustlib/src/rust/library/std/Cargo.toml" ] &&
        ! rustup component add rust-src 2>/dev/null; then
        echo "there is no standard library for $1, nor the source of one" >&2
        return 1
    fi
    std=(-Zbuild-std="${2:-std,panic_abort,test}")
    export RUSTC_BOOTSTRAP=1
}
