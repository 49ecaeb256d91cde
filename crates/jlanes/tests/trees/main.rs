//! Trees against known answers, against a literal model, and against themselves: on every backend,
//! in pieces, over threads.

mod blake;
mod generic;
mod jlanes;
mod jpointers;
mod multi_hash;
#[cfg(feature = "rayon")]
mod parallel;
mod soundness;
