//! Checks of the kernels' machine code: no calls, no missing instructions, few registers on the stack.
//!
//! A kernel is fast because everything below its trampoline is inlined into it, and so compiled for the
//! trampoline's instruction set. If that fails (because of a closure, of a function that is not
//! `#[inline(always)]`, of an iterator over vectors), the result is right and ten times slower, and no
//! other test notices. The machine code shows it: calls, missing instructions, registers that go
//! through the stack.
//!
//! `.ci/codegen` compiles `jlanes-simd` to assembly and runs this crate's program on it.

mod assembly;
pub mod codes;
mod levels;
pub mod model;
mod rules;
mod secrets;

pub use assembly::{Function, Instruction, compiler, functions};
pub use levels::Level;
pub use rules::Report;
