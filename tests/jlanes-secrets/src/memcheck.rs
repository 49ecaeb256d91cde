//! Requests to Valgrind's memcheck: declare bytes undefined, and count errors.
//!
//! Memcheck follows undefined bits through registers and memory, and counts an error if a branch or an
//! address depends on one. With secrets declared undefined, it finds every place where time could
//! depend on them. (A. Langley, ctgrind, 2010.)
//!
//! A request is a sequence of instructions that does nothing on a CPU. It needs `unsafe`, and so it is
//! in a crate that no other depends on.

use std::arch::asm;

const RUNNING_ON_VALGRIND: u64 = 0x1001;
const COUNT_ERRORS: u64 = 0x1201;
/// Memcheck's requests start at its initials.
const MEMCHECK: u64 = u64::from_be_bytes([0, 0, 0, 0, b'M', b'C', 0, 0]);
const MAKE_UNDEFINED: u64 = MEMCHECK + 1;
const MAKE_DEFINED: u64 = MEMCHECK + 2;

/// Makes a request; 0 outside Valgrind.
fn request(code: u64, address: u64, len: u64) -> u64 {
    let block = [code, address, len, 0, 0, 0];
    let mut result = 0;
    // SAFETY: rotations by 128 bits in total and an exchange of a register with itself change no
    // register; Valgrind, which knows the sequence, reads `block` and writes the result.
    unsafe {
        asm!(
            "rol rdi, 3", "rol rdi, 13", "rol rdi, 61", "rol rdi, 51", "xchg rbx, rbx",
            in("rax") &raw const block,
            inout("rdx") result,
        );
    }
    result
}

/// Whether this process runs in Valgrind.
pub(crate) fn is_running() -> bool {
    request(RUNNING_ON_VALGRIND, 0, 0) != 0
}

/// The number of errors so far.
pub(crate) fn errors() -> u64 {
    request(COUNT_ERRORS, 0, 0)
}

/// Declares `bytes` secret.
pub(crate) fn hide(bytes: &mut [u8]) {
    request(MAKE_UNDEFINED, bytes.as_ptr() as u64, bytes.len() as u64);
}

/// Declares what was computed from secrets public.
pub(crate) fn reveal(bytes: &[u8]) {
    request(MAKE_DEFINED, bytes.as_ptr() as u64, bytes.len() as u64);
}
