//! Classes follow from sets and versions, and know the costs of what their CPUs have.

use std::{collections::BTreeSet, format, vec::Vec};

#[cfg(feature = "blake2")]
use jlanes_core::hashes::blake2::Blake2;
#[cfg(feature = "blake3")]
use jlanes_core::hashes::blake3::Blake3Compression;
#[cfg(feature = "keccak")]
use jlanes_core::hashes::keccak::Keccak;
#[cfg(feature = "sha1dc")]
use jlanes_core::hashes::sha1::checked::CheckedCompression;
use jlanes_core::{
    compression::max_lanes,
    hashes::{
        md5::Md5Compression, ripemd160::Ripemd160Compression, sha1::Sha1Compression, sha2::Sha2,
        skein::threefish::Threefish, sm3::Sm3Compression,
    },
    kernel::{self, Table, plan::KernelKind},
    simd::vector::Word as _,
};

use super::*;
use crate::{
    common::tuning::{ClassCosts, HasCosts, HasTable, PlainHash},
    plans::Plans,
};

#[test]
fn sets_and_version_determine_the_class() {
    let vectors = Needs::SSE41.union(Needs::AVX);
    let wide = vectors.union(Needs::AVX2);
    let full = wide.union(Needs::AVX512VL).union(Needs::AVX512);
    // Zen+ and Zen 2, Dhyana, Zen 3, Zen 5
    let all = [(0x17, 0x2f), (0x17, 0x30), (0x18, 0x30), (0x19, 0), (0x1a, 0)]
        .map(|(family, model)| Some(Version { family, model }));
    for (sets, other, classes) in [
        (Needs::NONE, CpuClass::Portable, [CpuClass::Portable; 5]),
        (Needs::AVX, CpuClass::Portable, [CpuClass::Portable; 5]),
        (Needs::SSE41, CpuClass::Sse41, [CpuClass::Sse41; 5]),
        (vectors, CpuClass::Sse41, [CpuClass::Sse41; 5]),
        (Needs::SSE41.union(Needs::SHANI), CpuClass::Sse41Sha, [CpuClass::Sse41Sha; 5]),
        (vectors.union(Needs::SHANI), CpuClass::Sse41Sha, [CpuClass::Sse41Sha; 5]),
        (wide, CpuClass::Avx2, [CpuClass::Avx2; 5]),
        (wide.union(Needs::AVX512VL), CpuClass::Avx2, [CpuClass::Avx2; 5]),
        (full, CpuClass::Avx512, [CpuClass::Avx512; 5]),
        (
            wide.union(Needs::SHANI),
            CpuClass::Avx2Sha,
            [CpuClass::Zen, CpuClass::Zen3, CpuClass::Zen, CpuClass::Zen3, CpuClass::Zen3],
        ),
        (
            full.union(Needs::SHANI),
            CpuClass::Avx512Sha,
            [CpuClass::Zen4, CpuClass::Zen4, CpuClass::Zen4, CpuClass::Zen4, CpuClass::Zen5],
        ),
    ] {
        assert_eq!(CpuClass::of_version(sets, None), other, "{sets:?}");
        let found = all.map(|version| CpuClass::of_version(sets, version));
        assert_eq!(found, classes, "{sets:?}");
    }
}

#[test]
fn sha_instructions_win_over_lanes_of_sse41() {
    fn check<C: HasTable + HasCosts<CpuClass = CpuClass>>() {
        let most = max_lanes::<C>();
        let plans = Plans::new(C::COSTS, C::TABLE, C::Word::BYTES, most);
        for (live, plan) in
            (2..=most).flat_map(|live| plans.of(CpuClass::Sse41Sha).map(|plan| (live, plan)))
        {
            assert_eq!(plan.kind(live), KernelKind::Streams2, "{live} messages");
        }
    }
    check::<Sha1Compression>();
    check::<Sha2<u32>>();
}

/// A hash with its costs, and what each kernel needs, without the code of the kernels.
struct Hash {
    name: &'static str,
    rows: &'static [ClassCosts<CpuClass>],
    kernels: [(kernel::NeedBits, KernelKind); 24],
}

const fn needs<W>(table: &Table<W>) -> [(kernel::NeedBits, KernelKind); 24] {
    // no CPU has all of the sets and marks
    let mut needs = [(kernel::NeedBits::MAX, KernelKind::Streams1); 24];
    let mut k = 0;
    while k < table.len() {
        needs[k] = (table[k].needs, table[k].kind);
        k += 1;
    }
    needs
}

/// All hashes that have costs.
fn hashes() -> Vec<Hash> {
    macro_rules! hashes {
        ($($(#[$feature:meta])? $hash:ty: $table:expr;)*) => {
            Vec::from([$($(#[$feature])? Hash {
                name: core::any::type_name::<$hash>().rsplit("::").next().unwrap_or_default(),
                rows: <$hash>::COSTS,
                kernels: const { needs($table) },
            }),*])
        };
    }
    hashes! {
        Sha1Compression: Sha1Compression::TABLE;
        Sha2<u32>: Sha2::<u32>::TABLE;
        Sha2<u64>: Sha2::<u64>::TABLE;
        Md5Compression: Md5Compression::TABLE;
        Ripemd160Compression: PlainHash::<Ripemd160Compression>::TABLE;
        Sm3Compression: Sm3Compression::TABLE;
        Threefish<4>: Threefish::<4>::TABLE;
        Threefish<8>: Threefish::<8>::TABLE;
        Threefish<16>: Threefish::<16>::TABLE;
        #[cfg(feature = "keccak")] Keccak<17, 24>: Keccak::<17, 24>::TABLE;
        #[cfg(feature = "blake2")] Blake2<u32>: Blake2::<u32>::TABLE;
        #[cfg(feature = "blake2")] Blake2<u64>: Blake2::<u64>::TABLE;
        #[cfg(feature = "blake3")] Blake3Compression: Blake3Compression::TABLE;
        #[cfg(feature = "sha1dc")] CheckedCompression: CheckedCompression::TABLE;
    }
}

/// The sets that the costs of a class are for.
fn sets_of(class: CpuClass) -> Needs {
    let narrow = Needs::SSE41.union(Needs::AVX);
    let wide = narrow.union(Needs::AVX2);
    let full = wide.union(Needs::AVX512VL).union(Needs::AVX512);
    match class {
        CpuClass::Portable => Needs::NONE,
        CpuClass::Sse41 => narrow,
        CpuClass::Sse41Sha => narrow.union(Needs::SHANI),
        CpuClass::Avx2 => wide,
        CpuClass::Avx2Sha | CpuClass::Zen | CpuClass::Zen3 => wide.union(Needs::SHANI),
        CpuClass::Avx512 => full,
        CpuClass::Avx512Sha | CpuClass::Zen4 | CpuClass::Zen5 => full.union(Needs::SHANI),
        _ => unreachable!("a forced class"),
    }
}

/// The sets that CPUs have, as detection nests them. AVX-512VL comes with the rest of AVX-512: without it, kernels
/// of 256 bits have other instructions than their costs are for.
fn detectable() -> impl Iterator<Item = Needs> {
    let steps = [Needs::SSE41, Needs::AVX, Needs::AVX2, Needs::AVX512VL.union(Needs::AVX512)];
    let nested =
        (0..=steps.len()).map(move |n| steps[..n].iter().fold(Needs::NONE, |a, b| a.union(*b)));
    nested.flat_map(|sets| match sets {
        Needs::NONE => Vec::from([sets]),
        _ => Vec::from([sets, sets.union(Needs::SHANI)]),
    })
}

/// A class that lacks a set of its CPU would believe in costs of kernels that do not run there.
#[test]
fn every_class_knows_the_sets_of_its_cpus() {
    let versions = [(0x17, 1), (0x17, 0x31), (0x19, 1), (0x19, 0x11), (0x1a, 2)]
        .map(|(family, model)| Some(Version { family, model }));
    let mut classes = BTreeSet::new();
    for sets in detectable() {
        for class in [None].into_iter().chain(versions).map(|v| CpuClass::of_version(sets, v)) {
            let [known, there] = [sets.intersection(sets_of(class)), sets]
                .map(|sets| sets.union(class.marks()).bits());
            for Hash { name, rows, kernels } in hashes() {
                let first = |kind, sets| {
                    kernels.iter().find(|(needs, of)| *of == kind && needs & sets == *needs)
                };
                let row = rows.iter().find(|row| row.class == class);
                let (contiguous, between) =
                    row.map_or((Costs::NONE, Costs::NONE), |row| (row.contiguous, row.interleaved));
                for (kind, _, cost) in
                    [contiguous, between].iter().flat_map(|costs| costs.kernels(4))
                {
                    let what = format!("{class:?}, {sets:?}: {kind:?} of {name}");
                    assert_eq!(first(kind, known), first(kind, there), "{what} is not known");
                    assert!(cost == 0 || first(kind, there).is_some(), "{what} is not there");
                }
            }
            classes.insert(class.name());
        }
    }
    assert_eq!(classes.len(), CpuClass::DETECTED_COUNT, "all classes of CPUs: {classes:?}");
}

/// A wrong cost of a class without a record is seen by its neighbours.
#[test]
fn wider_kernels_take_as_long_or_twice_as_long() {
    for Hash { name, rows, .. } in hashes() {
        for ClassCosts { class, contiguous, interleaved } in rows {
            for Costs { streams1, streams2, bits128, bits256, bits512, bits1024, .. } in
                [contiguous, interleaved]
            {
                for (narrow, wide) in [
                    (streams1, streams2),
                    (bits128, bits256),
                    (bits256, bits512),
                    (bits512, bits1024),
                ] {
                    let there = *narrow > 0 && *wide > 0;
                    let ratio = f64::from(*wide) / f64::from(*narrow);
                    assert!(!there || (0.75..2.2).contains(&ratio), "{class:?} {name}: {ratio:.2}");
                }
            }
        }
    }
}

#[cfg(not(any(miri, target_env = "sgx")))]
#[test]
fn versions_are_read_from_four_fields() {
    // Zen, Zen+, Zen 2, Dhyana, Zen 3, Zen 4 and Zen 5; an Opteron older than all of them
    for (eax, family, model) in [
        (0x0080_0f12, 0x17, 0x01),
        (0x0080_0f82, 0x17, 0x08),
        (0x0083_0f10, 0x17, 0x31),
        (0x0090_0f02, 0x18, 0x00),
        (0x00a0_0f11, 0x19, 0x01),
        (0x00a1_0f11, 0x19, 0x11),
        (0x00b0_0f21, 0x1a, 0x02),
        (0x0002_0f32, 0x0f, 0x23),
    ] {
        assert_eq!(Version::new(eax), Version { family, model }, "{eax:#x}");
    }
}
