//! What the compiler made of the kernels, and what it must not have.
//!
//! A kernel is fast because everything below its trampoline is inlined into it, so that it is
//! compiled for the trampoline's instruction set. Where that goes wrong (a closure, a function that
//! is not `#[inline(always)]`, an iterator over vectors) the result is right and ten times slower,
//! and no other test sees it. In the machine code it shows as calls, as missing instructions, and
//! as registers that go through the stack.
//!
//! `.ci/codegen` compiles `jlanes-simd` to assembly and runs this crate's program on it.

mod assembly;
mod levels;
pub mod model;
mod rules;
mod secrets;

pub use assembly::{Function, Instruction, functions};
pub use levels::Level;
pub use rules::Report;
