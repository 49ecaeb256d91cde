//! The switch of a tree with all mutants: `JLANES_MUTANT` says which of them acts.
//!
//! With `JLANES_MUTANTS_TRACE`, none does, and the file of that name gets the number of each place
//! that the program reaches.

use std::{
    env,
    fs::OpenOptions,
    io::Write as _,
    sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed},
};

pub use std;

const TRACE: u32 = u32::MAX - 1;
const UNREAD: u32 = u32::MAX;

static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: [AtomicBool; 1 << 16] = [const { AtomicBool::new(false) }; 1 << 16];

/// Which of the mutants `first..first + count` acts, counted from 1; 0 for none.
pub fn of(first: u32, count: u32) -> u32 {
    let mut active = ACTIVE.load(Relaxed);
    if active >= TRACE {
        active = slowly(first, active);
    }
    let nth = active.wrapping_sub(first);
    if nth < count { nth + 1 } else { 0 }
}

#[cold]
fn slowly(first: u32, mut active: u32) -> u32 {
    let trace = env::var_os("JLANES_MUTANTS_TRACE");
    if active == UNREAD {
        let number = env::var("JLANES_MUTANT").map_or(0, |id| id.parse().unwrap());
        active = if trace.is_some() { TRACE } else { number };
        ACTIVE.store(active, Relaxed);
    }
    if active == TRACE && !REACHED[first as usize].swap(true, Relaxed) {
        let file = OpenOptions::new().create(true).append(true).open(trace.unwrap());
        file.unwrap().write_all(&first.to_le_bytes()).unwrap();
    }
    active
}
