//! Plans: the kernel for each number of live lanes, by class of CPUs. They are computed at compile time from
//! the costs of the kernels (`costs.rs` of each target).

use jlanes_core::kernel::{
    Table,
    plan::{Costs, InputKind, KernelKind, Plan},
};

use crate::{
    common::{needs::Needs, tuning::ClassCosts},
    target::{CpuClass, FORCED, FORCED_COSTS},
};

/// The plans of one hash.
#[derive(Debug)]
pub(crate) struct Plans {
    /// The plans of classes of CPUs, by input and class.
    detected: [[Plan; CpuClass::DETECTED_COUNT]; InputKind::COUNT],
    /// The plans of forced sets, for any input.
    forced: [Plan; CpuClass::ALL.len() - CpuClass::DETECTED_COUNT],
}

impl Plans {
    /// The plans for `rows`, for words of `word` bytes and up to `lanes` lanes.
    ///
    /// # Panics
    /// If a row has a cost for a kernel that is not in `table`.
    pub(crate) const fn new<W>(
        rows: &[ClassCosts<CpuClass>],
        table: &Table<W>,
        word: usize,
        lanes: usize,
    ) -> Self {
        let one = Plan::new(ONE_BY_ONE, word, lanes);
        let mut detected = [[one; CpuClass::DETECTED_COUNT]; InputKind::COUNT];
        let mut r = 0;
        while r < rows.len() {
            let ClassCosts { class, contiguous, interleaved } = &rows[r];
            assert!(
                has_all_kernels(table, contiguous) && has_all_kernels(table, interleaved),
                "a row of costs names a width for which the table has no kernel"
            );
            let class = *class as usize;
            let short = Costs { streams8: 0, ..*contiguous };
            detected[InputKind::Contiguous as usize][class] = Plan::new(*contiguous, word, lanes);
            detected[InputKind::Interleaved as usize][class] = Plan::new(*interleaved, word, lanes);
            detected[InputKind::Short as usize][class] = Plan::new(short, word, lanes);
            r += 1;
        }
        let mut forced = [one; CpuClass::ALL.len() - CpuClass::DETECTED_COUNT];
        let mut f = 0;
        while f < FORCED.len() {
            if let Some(number) = (FORCED[f].class as usize).checked_sub(CpuClass::DETECTED_COUNT) {
                let costs = supported_costs(table, FORCED[f].sets, FORCED_COSTS);
                forced[number] = Plan::new(costs, word, lanes);
            }
            f += 1;
        }
        Self { detected, forced }
    }

    /// The plans of a class, by input.
    #[inline]
    pub(crate) fn of(&self, class: CpuClass) -> [&Plan; InputKind::COUNT] {
        let number = class as usize;
        match number.checked_sub(CpuClass::DETECTED_COUNT) {
            Some(forced) => [&self.forced[forced]; InputKind::COUNT],
            None => self.detected.each_ref().map(|plans| &plans[number]),
        }
    }
}

/// Only the kernel of one stream.
const ONE_BY_ONE: Costs = Costs { streams1: 1, ..Costs::NONE };

/// Whether `table` has a kernel for `kind`, on a CPU with only `sets`, or on any CPU.
const fn has_kernel<W>(table: &Table<W>, sets: Option<Needs>, kind: KernelKind) -> bool {
    let mut k = 0;
    while k < table.len() {
        let is_supported = match sets {
            Some(sets) => table[k].needs & sets.bits() == table[k].needs,
            None => true,
        };
        if is_supported && table[k].kind as usize == kind as usize {
            return true;
        }
        k += 1;
    }
    false
}

/// Whether `table` has every kernel of `costs`.
const fn has_all_kernels<W>(table: &Table<W>, costs: &Costs) -> bool {
    let kernels = costs.kernels(1);
    let mut k = 0;
    while k < kernels.len() {
        let (kind, _, cost) = kernels[k];
        if cost > 0 && !has_kernel(table, None, kind) {
            return false;
        }
        k += 1;
    }
    true
}

/// `costs`, restricted to the kernels of `table` that require only `sets`.
const fn supported_costs<W>(table: &Table<W>, sets: Needs, costs: Costs) -> Costs {
    const fn cost<W>(table: &Table<W>, sets: Needs, kind: KernelKind, cycles: u32) -> u32 {
        if has_kernel(table, Some(sets), kind) { cycles } else { 0 }
    }
    Costs {
        streams1: costs.streams1,
        streams2: cost(table, sets, KernelKind::Streams2, costs.streams2),
        streams3: cost(table, sets, KernelKind::Streams3, costs.streams3),
        streams4: cost(table, sets, KernelKind::Streams4, costs.streams4),
        streams8: cost(table, sets, KernelKind::Streams8, costs.streams8),
        bits128: cost(table, sets, KernelKind::Bits128, costs.bits128),
        bits256: cost(table, sets, KernelKind::Bits256, costs.bits256),
        bits512: cost(table, sets, KernelKind::Bits512, costs.bits512),
        bits1024: cost(table, sets, KernelKind::Bits1024, costs.bits1024),
    }
}

#[cfg(test)]
mod tests {
    use jlanes_core::{
        compression::max_lanes,
        hashes::{sha1::Sha1Compression, sha2::Sha2},
        kernel::{Kernel, portable},
        simd::vector::Word,
    };

    use super::*;
    use crate::common::tuning::{HasCosts, HasTable};

    type Hash = Sha2<u32>;

    /// A kernel with the fields that plans use.
    fn kernel(needs: Needs, kind: KernelKind) -> Kernel<u32> {
        Kernel { needs: needs.bits(), kind, ..portable::kernel::<Hash>() }
    }

    #[test]
    fn costs_are_those_of_kernels_that_there_are() {
        let [first, second] = [0, 1].map(Needs::set);
        let all = Costs {
            streams1: 1,
            streams2: 2,
            streams3: 3,
            streams4: 4,
            streams8: 5,
            bits128: 6,
            bits256: 7,
            bits512: 8,
            bits1024: 9,
        };
        let kinds = all.kernels(4).map(|(kind, ..)| kind);
        for kind in kinds {
            let table = [
                kernel(first, kind),
                kernel(second, KernelKind::Streams2),
                portable::kernel::<Hash>(),
            ];
            for (sets, own) in
                [(first, kind), (second, KernelKind::Streams2), (Needs::NONE, KernelKind::Streams1)]
            {
                let costs = supported_costs(&table, sets, all);
                let there = |kind: &KernelKind| *kind == own || *kind == KernelKind::Streams1;
                for (kind, _, cost) in costs.kernels(4) {
                    assert_eq!(cost > 0, there(&kind), "{kind:?} of {own:?}");
                }
            }
            assert!(has_all_kernels(&table, &Costs { streams1: 1, streams2: 2, ..Costs::NONE }));
            assert!(!has_all_kernels(&table, &all));
        }
    }

    #[test]
    fn plans_follow_their_class_and_what_lanes_are_fed() {
        let contiguous =
            Costs { streams1: 100, streams8: 200, bits128: 290, bits256: 300, ..Costs::NONE };
        let interleaved = Costs { streams1: 100, bits512: 300, bits1024: 600, ..Costs::NONE };
        let own = CpuClass::Portable;
        let needs = Needs::set(0);
        let table = [
            KernelKind::Streams8,
            KernelKind::Bits128,
            KernelKind::Bits256,
            KernelKind::Bits512,
            KernelKind::Bits1024,
            KernelKind::Streams1,
        ]
        .map(|kind| kernel(needs, kind));
        let plans =
            Plans::new(&[ClassCosts { class: own, contiguous, interleaved }], &table, 4, 16);
        let kind = |fed: InputKind, class: CpuClass| plans.of(class)[fed as usize].kind(8);
        assert_eq!(kind(InputKind::Contiguous, own), KernelKind::Streams8);
        assert_eq!(
            kind(InputKind::Short, own),
            KernelKind::Bits256,
            "there is no schedule to compute ahead"
        );
        assert_eq!(kind(InputKind::Interleaved, own), KernelKind::Bits512);
        let others =
            CpuClass::ALL[..CpuClass::DETECTED_COUNT].iter().filter(|class| **class != own);
        for class in others {
            for fed in [InputKind::Contiguous, InputKind::Short, InputKind::Interleaved] {
                assert_eq!(kind(fed, *class), KernelKind::Streams1, "{class:?}");
            }
        }
    }

    /// Plans of forced sets name no kernel that these sets lack.
    fn forced_plans_name_kernels<C: HasTable + HasCosts<CpuClass = CpuClass>>() {
        let lanes = max_lanes::<C>();
        let plans = Plans::new(C::COSTS, C::TABLE, C::Word::BYTES, lanes);
        for forced in
            FORCED.iter().filter(|forced| forced.class as usize >= CpuClass::DETECTED_COUNT)
        {
            for plan in plans.of(forced.class) {
                assert_eq!(plan.kind(1), KernelKind::Streams1, "{}", forced.name);
                for live in 1..=lanes {
                    let kind = plan.kind(live);
                    assert!(
                        has_kernel(C::TABLE, Some(forced.sets), kind),
                        "{}: {kind:?}",
                        forced.name
                    );
                    // a kernel for several lanes is used from two on
                    let wide = C::TABLE.iter().any(|kernel| {
                        kernel.kind != KernelKind::Streams1 && forced.sets.bits() == kernel.needs
                    });
                    assert_eq!(live > 1 && wide, kind != KernelKind::Streams1, "{}", forced.name);
                }
            }
        }
    }

    #[test]
    fn sets_that_are_asked_for_are_used() {
        forced_plans_name_kernels::<Sha1Compression>();
        forced_plans_name_kernels::<Sha2<u32>>();
        forced_plans_name_kernels::<Sha2<u64>>();
    }
}
