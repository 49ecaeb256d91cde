//! x86-64: tokens (one file an instruction set), vectors (one file a register width), units that
//! work on streams, and the choice among all of them.

mod avx;
mod avx2;
mod avx512;
mod avx512vl;
mod dispatch;
mod features;
mod feed;
mod sha512ni;
mod shani;
mod sse41;
mod streams;
mod tuning;
mod vec128;
mod vec256;
mod vec512;
mod vector;

use self::{
    avx::Avx, avx2::Avx2, avx512::Avx512, avx512vl::Avx512Vl, sha512ni::Sha512Ni, shani::ShaNi,
    sse41::Sse41,
};
pub(crate) use self::{
    dispatch::{advance_one, kernel_name, lanes, run, step_cycles},
    features::{Features, Sets},
};
