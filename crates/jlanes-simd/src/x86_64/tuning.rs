//! Which kernel for how many live lanes, by class of CPU: what each kernel costs, and the choices
//! that follow.
//!
//! A table row says how many cycles one *step* of each kernel takes, which is one block in each of
//! its lanes, whether they are live or not. From that follow, at compile time, the kernels that
//! advance any number of live lanes in the least time; how many lanes it pays to keep filled; and
//! what a batch costs on one thread or on two. `calibrate` in the bench package measures a row and
//! prints it in this form.

#[cfg(not(any(miri, target_env = "sgx")))]
use core::arch::x86_64::__cpuid;

use jlanes_core::engine::MAX_LANES;

use super::Sets;

mod table;

/// CPUs that are alike in what their kernels cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub(crate) enum Class {
    /// No instruction set is used.
    Portable,
    /// 128-bit vectors.
    Sse41,
    /// 256-bit vectors (Haswell to Comet Lake).
    Avx2,
    /// 256-bit vectors and SHA instructions (Zen to Zen 3, Alder Lake and what follows).
    Avx2Sha,
    /// 512-bit vectors without SHA instructions (Skylake-X, Cascade Lake).
    Avx512,
    /// 512-bit vectors on two ports, and SHA instructions (Ice Lake to Granite Rapids). CPUs that
    /// nobody knows and that have these sets count as such.
    Avx512Sha,
    /// 512-bit vectors on 256-bit pipes, SHA instructions that are as fast.
    Zen4,
    /// 512-bit vectors on four pipes, with a latency of two cycles.
    Zen5,
    /// One of 128 bits, alone because it was asked for.
    Only128,
    /// One of 256 bits, alone because it was asked for.
    Only256,
    /// AVX-512 alone.
    Only512,
    /// The SHA instructions alone, or those of SHA-512.
    OnlyStreams,
}

impl Class {
    pub(super) const ALL: [Self; 12] = [
        Self::Portable,
        Self::Sse41,
        Self::Avx2,
        Self::Avx2Sha,
        Self::Avx512,
        Self::Avx512Sha,
        Self::Zen4,
        Self::Zen5,
        Self::Only128,
        Self::Only256,
        Self::Only512,
        Self::OnlyStreams,
    ];
}

impl Class {
    /// As the table spells it.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Portable => "Portable",
            Self::Sse41 => "Sse41",
            Self::Avx2 => "Avx2",
            Self::Avx2Sha => "Avx2Sha",
            Self::Avx512 => "Avx512",
            Self::Avx512Sha => "Avx512Sha",
            Self::Zen4 => "Zen4",
            Self::Zen5 => "Zen5",
            Self::Only128 => "Only128",
            Self::Only256 => "Only256",
            Self::Only512 => "Only512",
            Self::OnlyStreams => "OnlyStreams",
        }
    }
}

/// The class of a CPU that has `sets`.
pub(super) fn class(sets: Sets) -> Class {
    let full = Sets::AVX512.and(Sets::AVX512VL);
    match family(sets) {
        Some(0x1a..) if sets.has(full.and(Sets::SHANI)) => Class::Zen5,
        Some(..0x1a) if sets.has(full.and(Sets::SHANI)) => Class::Zen4,
        _ if sets.has(full.and(Sets::SHANI)) => Class::Avx512Sha,
        _ if sets.has(full) => Class::Avx512,
        _ if sets.has(Sets::AVX2.and(Sets::SHANI)) => Class::Avx2Sha,
        _ if sets.has(Sets::AVX2) => Class::Avx2,
        _ if sets.has(Sets::SSE41) => Class::Sse41,
        _ => Class::Portable,
    }
}

/// The class of instruction sets that were asked for.
pub(super) fn forced(wanted: Sets) -> Class {
    match wanted {
        Sets::SSE41 | Sets::AVX => Class::Only128,
        Sets::AVX2 | Sets::AVX512VL => Class::Only256,
        Sets::AVX512 => Class::Only512,
        Sets::SHANI | Sets::SHA512NI => Class::OnlyStreams,
        _ => Class::Portable,
    }
}

/// The family of a CPU of AMD's or Hygon's. Asked only where other features were found: where the
/// detection of those does not use CPUID, it may not be there.
#[cfg(not(any(miri, target_env = "sgx")))]
fn family(sets: Sets) -> Option<u32> {
    if sets == Sets::NONE {
        return None;
    }
    #[allow(unused_unsafe)] // safe in later versions of Rust than the oldest supported
    // SAFETY: CPUID is there, or no set would have been found.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let vendor = [vendor.ebx, vendor.edx, vendor.ecx];
    let family = ((version.eax >> 8) & 0xf) + ((version.eax >> 20) & 0xff);
    (vendor == VENDOR_AMD || vendor == VENDOR_HYGON).then_some(family)
}

#[cfg(any(miri, target_env = "sgx"))]
fn family(_: Sets) -> Option<u32> {
    None
}

/// `AuthenticAMD` in `ebx`, `edx`, `ecx`.
#[cfg(not(any(miri, target_env = "sgx")))]
const VENDOR_AMD: [u32; 3] = [0x6874_7541, 0x6974_6e65, 0x444d_4163];
/// `HygonGenuine` in `ebx`, `edx`, `ecx`.
#[cfg(not(any(miri, target_env = "sgx")))]
const VENDOR_HYGON: [u32; 3] = [0x6f67_7948, 0x656e_476e, 0x656e_6975];

/// A kernel, named by what it works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// One stream, by instructions of its own or in scalar registers.
    One,
    /// Two interleaved streams.
    Pair,
    /// Three.
    Triple,
    /// One register of 128 bits.
    Quarter,
    /// One of 256 bits.
    Half,
    /// One of 512 bits.
    Full,
}

/// Cycles of one step of each kernel: one block in each of its lanes. 0: there is none, or it is
/// not worth having.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Costs {
    pub(super) one: u32,
    pub(super) pair: u32,
    pub(super) triple: u32,
    pub(super) quarter: u32,
    pub(super) half: u32,
    pub(super) full: u32,
}

impl Costs {
    const NONE: Self = Self { one: 0, pair: 0, triple: 0, quarter: 0, half: 0, full: 0 };

    /// The kernels, widest first, with the lanes of each and their costs.
    const fn kernels(&self, word: usize) -> [(Route, usize, u32); 6] {
        [
            (Route::Full, 64 / word, self.full),
            (Route::Half, 32 / word, self.half),
            (Route::Quarter, 16 / word, self.quarter),
            (Route::Triple, 3, self.triple),
            (Route::Pair, 2, self.pair),
            (Route::One, 1, self.one),
        ]
    }
}

/// What follows from a row of [`Costs`]: the kernel for the first of so many live lanes. The lanes
/// that it leaves are looked up again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    costs: Costs,
    routes: [Route; MAX_LANES + 1],
    lanes: u8,
}

impl Plan {
    /// The best that kernels of these costs can do, for words of so many bytes and `most` lanes.
    const fn new(costs: Costs, word: usize, most: usize) -> Self {
        let kernels = costs.kernels(word);
        let mut routes = [Route::One; MAX_LANES + 1];
        let mut cycles = [0; MAX_LANES + 1];
        let mut live = 1;
        while live <= MAX_LANES {
            cycles[live] = u32::MAX;
            let mut k = 0;
            while k < kernels.len() {
                let (route, lanes, cost) = kernels[k];
                let rest = live.saturating_sub(lanes);
                // Widest first among equals, so that a kernel's lanes begin at a multiple of their
                // number.
                if cost > 0 && lanes <= most && cost + cycles[rest] < cycles[live] {
                    cycles[live] = cost + cycles[rest];
                    routes[live] = route;
                }
                k += 1;
            }
            live += 1;
        }
        Self { costs, routes, lanes: enough(&cycles, most) as u8 }
    }

    /// The kernel for the first of `live` lanes.
    #[inline(always)]
    pub(super) const fn route(&self, live: usize) -> Route {
        self.routes[if live < MAX_LANES { live } else { MAX_LANES }]
    }

    /// Lanes that it pays to keep filled: so many that more are hardly faster per lane.
    #[inline(always)]
    pub(super) const fn lanes(&self) -> usize {
        self.lanes as usize
    }

    /// Cycles of one step of `live` lanes, for words of so many bytes.
    pub(super) fn cycles(&self, word: usize, mut live: usize) -> u32 {
        let kernels = self.costs.kernels(word);
        let mut cycles = 0;
        while live > 0 {
            let route = self.route(live);
            let kernel = kernels.iter().find(|(other, ..)| *other == route);
            let (_, lanes, cost) = *kernel.expect("every route is in the list");
            cycles += cost;
            live = live.saturating_sub(lanes);
        }
        cycles
    }
}

/// The fewest lanes at which a lane is within 3 % of the fastest.
const fn enough(cycles: &[u32; MAX_LANES + 1], most: usize) -> usize {
    const fn product(a: u32, b: usize) -> u64 {
        a as u64 * b as u64
    }
    let (mut best, mut lanes) = (1, 2);
    while lanes <= most {
        if product(cycles[lanes], best) < product(cycles[best], lanes) {
            best = lanes;
        }
        lanes += 1;
    }
    lanes = 1;
    while product(cycles[lanes], best) * 100 > product(cycles[best], lanes) * 103 {
        lanes += 1;
    }
    lanes
}

/// The kernels over vectors that a row of the table has use for. Others are not compiled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Used {
    pub(super) quarter: bool,
    pub(super) half: bool,
    pub(super) full: bool,
}

impl Used {
    const fn of(rows: &[Row]) -> Self {
        let mut used = Self { quarter: false, half: false, full: false };
        let mut r = 0;
        while r < rows.len() {
            let Row(_, apart, interleaved) = &rows[r];
            used.quarter |= apart.quarter + interleaved.quarter > 0;
            used.half |= apart.half + interleaved.half > 0;
            used.full |= apart.full + interleaved.full > 0;
            r += 1;
        }
        used
    }

    /// Costs at which a kernel is taken wherever two of its lanes are live.
    const fn wherever_two_are_live(self) -> Forced {
        const fn cost(used: bool, cycles: u32) -> u32 {
            if used { cycles } else { 0 }
        }
        let one = Costs { one: 100, ..Costs::NONE };
        [
            (Class::Only128, Costs { quarter: cost(self.quarter, 150), ..one }),
            (Class::Only256, Costs { half: cost(self.half, 150), ..one }),
            (Class::Only512, Costs { full: cost(self.full, 150), ..one }),
            (Class::OnlyStreams, Costs { pair: 150, triple: 249, ..one }),
        ]
    }
}

/// Costs for instruction sets that were asked for.
type Forced = [(Class, Costs); 4];

/// The plans of one hash by class: for lanes that lie apart, and for lanes that are interleaved in
/// memory. Those are loaded by vectors as they are, while streams have to pick their words out.
pub(crate) type Plans = [[Plan; Class::ALL.len()]; 2];

/// A row of the table: a class, and what its kernels cost, apart and interleaved.
struct Row(Class, Costs, Costs);

/// The plans of a table for words of so many bytes, for up to `most` lanes.
const fn plans(rows: &[Row], word: usize, most: usize) -> Plans {
    let one = Plan::new(ONE_BY_ONE, word, most);
    let mut plans = [[one; Class::ALL.len()]; 2];
    let mut r = 0;
    while r < rows.len() {
        let Row(class, apart, interleaved) = &rows[r];
        plans[0][*class as usize] = Plan::new(*apart, word, most);
        plans[1][*class as usize] = Plan::new(*interleaved, word, most);
        r += 1;
    }
    let forced = Used::of(rows).wherever_two_are_live();
    let mut r = 0;
    while r < forced.len() {
        let (class, costs) = forced[r];
        plans[0][class as usize] = Plan::new(costs, word, most);
        plans[1][class as usize] = plans[0][class as usize];
        r += 1;
    }
    plans
}

/// No kernel but that of one stream.
const ONE_BY_ONE: Costs = Costs { one: 1, ..Costs::NONE };

/// A hash whose kernels have costs.
pub(crate) trait Tuned {
    /// What follows from them.
    const PLANS: &'static Plans;
    /// The kernels that there are.
    const USED: Used;
}
