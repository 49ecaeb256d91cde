//! Which of x86-64's instruction sets there are: the one place that asks the CPU.

use super::{Avx, Avx2, Avx512, Avx512Vl, Sha512Ni, ShaNi, Sse41};
use crate::features::{Features, Sets};

impl Sets {
    pub(crate) const SSE41: Self = Self::one(0);
    pub(crate) const AVX: Self = Self::one(1);
    pub(crate) const AVX2: Self = Self::one(2);
    pub(crate) const AVX512VL: Self = Self::one(3);
    pub(crate) const AVX512: Self = Self::one(4);
    pub(crate) const SHANI: Self = Self::one(5);
    pub(crate) const SHA512NI: Self = Self::one(6);
}

/// Every backend that can be forced: its name, its name with n-SMS, and what it uses.
pub(crate) const FORCED: [(&str, &str, Sets); 8] = [
    ("portable", "portable+n-sms", Sets::NONE),
    ("sse41", "sse41+n-sms", Sets::SSE41),
    ("avx", "avx+n-sms", Sets::AVX),
    ("avx2", "avx2+n-sms", Sets::AVX2),
    ("avx512vl", "avx512vl+n-sms", Sets::AVX512VL),
    ("avx512", "avx512+n-sms", Sets::AVX512),
    ("shani", "shani+n-sms", Sets::SHANI),
    ("sha512ni", "sha512ni+n-sms", Sets::SHA512NI),
];

// Each list names what the token's trampoline enables and what that implies; `f16c`, which
// AVX-512F implies too, is unknown to cpufeatures and was older than AVX2 on every CPU.
cpufeatures::new!(cpu_sse41, "sse4.1", "ssse3");
cpufeatures::new!(cpu_avx, "avx", "sse4.1", "ssse3");
cpufeatures::new!(cpu_avx2, "avx2", "avx", "bmi1", "bmi2", "sse4.1", "ssse3");
cpufeatures::new!(
    cpu_avx512vl,
    "avx512f",
    "avx512vl",
    "avx2",
    "bmi1",
    "bmi2",
    "fma",
    "sse4.1",
    "ssse3"
);
// with all that `cpu_avx512vl` and `cpu_avx2` name
cpufeatures::new!(
    cpu_avx512, "avx512f", "avx512bw", "avx512vl", "avx2", "avx", "bmi1", "bmi2", "fma", "sse4.1",
    "ssse3"
);
// all of the above, which one question answers on the CPUs that have everything
cpufeatures::new!(
    cpu_all, "sha", "avx512f", "avx512bw", "avx512vl", "avx2", "avx", "bmi1", "bmi2", "fma",
    "sse4.1", "ssse3"
);
cpufeatures::new!(cpu_shani, "sha", "sse4.1", "ssse3");
// with all that `cpu_avx2` names
cpufeatures::new!(cpu_sha512ni, "sha512", "avx2", "avx", "bmi1", "bmi2", "sse4.1", "ssse3");

/// All that this CPU has but SHA512-NI, whose kernel nobody has run on hardware yet.
pub(crate) fn detect() -> Sets {
    // every list costs three CPUIDs, some microseconds each where a hypervisor answers: those
    // that hold others come first
    let all = cpu_all::get();
    let avx512 = all || cpu_avx512::get();
    Sets::found([
        (Sets::SSE41, avx512 || cpu_sse41::get()),
        (Sets::AVX, avx512 || cpu_avx::get()),
        (Sets::AVX2, avx512 || cpu_avx2::get()),
        (Sets::AVX512VL, avx512 || cpu_avx512vl::get()),
        (Sets::AVX512, avx512),
        (Sets::SHANI, all || cpu_shani::get()),
    ])
}

/// Whether the CPU has the sets `wanted`; `detected` is what [`detect`] found.
pub(crate) fn has(detected: Sets, wanted: Sets) -> bool {
    match wanted {
        Sets::SHA512NI => cpu_sha512ni::get(),
        _ => detected.has(wanted),
    }
}

impl Features {
    #[inline(always)]
    pub(crate) fn sse41(self) -> Option<Sse41> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::SSE41).then(|| unsafe { Sse41::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx(self) -> Option<Avx> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::AVX).then(|| unsafe { Avx::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx2(self) -> Option<Avx2> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::AVX2).then(|| unsafe { Avx2::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx512vl(self) -> Option<Avx512Vl> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::AVX512VL).then(|| unsafe { Avx512Vl::assume() })
    }

    #[inline(always)]
    pub(crate) fn avx512(self) -> Option<Avx512> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::AVX512).then(|| unsafe { Avx512::assume() })
    }

    #[inline(always)]
    pub(crate) fn shani(self) -> Option<ShaNi> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::SHANI).then(|| unsafe { ShaNi::assume() })
    }

    #[inline(always)]
    pub(crate) fn sha512ni(self) -> Option<Sha512Ni> {
        // SAFETY: a `Features` has a set only where its features were detected.
        self.sets().has(Sets::SHA512NI).then(|| unsafe { Sha512Ni::assume() })
    }
}
