//! x86-64: tokens (one file an instruction set) and vectors (one file a register width).

mod avx;
mod avx2;
mod avx512;
mod avx512vl;
pub(crate) mod features;
mod shani;
mod sse41;
mod vec128;
mod vec256;
mod vec512;
mod vector;

pub(crate) use self::{
    avx::Avx,
    avx2::Avx2,
    avx512::Avx512,
    avx512vl::Avx512Vl,
    shani::{Feed, ShaNi},
    sse41::Sse41,
};
