//! [`Backend`], the public handle of [`Features`]: selected by detection or by name, with kernels for every
//! compression function.

use core::{error, fmt, str::FromStr};

use crate::{
    features::Features,
    target::{CpuClass, FORCED},
};

/// The instruction sets to use.
///
/// [`detect`](Self::detect) uses everything that the CPU supports and chooses kernels by the number
/// of messages that run at once. A backend that is parsed from a name is *forced*: it uses only that
/// instruction set, and portable code for hashes without a kernel in it. Those with `+n-sms` in their names, as
/// `avx2+n-sms`, compute the message schedules of several blocks of one message together, for SHA-1 and SHA-2
/// (S. Gueron, V. Krasnov, 2012). They need the feature `n-sms`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Backend {
    pub(crate) features: Features,
}

/// The backends of all architectures. Those of other architectures are known names, but never
/// available.
const NAMES: [&str; 20] = [
    "portable",
    "sse41",
    "avx",
    "avx2",
    "avx512vl",
    "avx512",
    "shani",
    "sha512ni",
    "neon",
    "sha2ce",
    "sha512ce",
    "sha3ce",
    "simd128",
    "sse41+n-sms",
    "avx+n-sms",
    "avx2+n-sms",
    "avx512vl+n-sms",
    "neon+n-sms",
    "sha3ce+n-sms",
    "simd128+n-sms",
];

impl Backend {
    /// Everything that this CPU supports except SHA512-NI: it has not run on hardware yet, so its kernels are
    /// used only by name. Cheap: detection runs once.
    #[inline]
    #[must_use]
    pub fn detect() -> Self {
        Self { features: Features::detect() }
    }

    /// Portable code only.
    #[must_use]
    pub const fn portable() -> Self {
        Self { features: Features::NONE }
    }

    /// Every backend that this CPU can run, except those with n-SMS: the forced ones from `portable` up,
    /// then `auto`.
    pub fn available() -> impl Iterator<Item = Self> {
        let sets = FORCED.iter().filter(|forced| !forced.n_sms).filter_map(Features::only);
        let auto = core::iter::once(Features::detect());
        sets.chain(auto.filter(|all| all.forced().is_none())).map(|features| Self { features })
    }

    /// The instruction sets of this CPU under the policy of every class of CPUs, for tests of other
    /// CPUs' choices. All are named `auto`.
    #[doc(hidden)]
    pub fn policies() -> impl Iterator<Item = Self> {
        CpuClass::ALL
            .into_iter()
            .map(|class| Self { features: Features::detect().with_class(class) })
    }

    /// The class of CPUs with the costs that choose kernels for this backend, for records of measurements.
    #[doc(hidden)]
    #[must_use]
    pub fn class(&self) -> &'static str {
        self.features.class_name()
    }

    /// The name that parses to this backend.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.features.forced().map_or("auto", |forced| forced.name)
    }
}

impl Default for Backend {
    #[inline]
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Backend({}, {})", self.name(), self.class())
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of a name that is not a [`Backend`] of this CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BackendError {
    /// No backend has this name.
    Unknown,
    /// This CPU lacks the instructions of the backend of this name.
    Unavailable(&'static str),
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => {
                f.write_str("unknown backend; one of auto")?;
                FORCED.iter().try_for_each(|forced| write!(f, ", {}", forced.name))
            }
            Self::Unavailable(name) => {
                write!(f, "this CPU lacks the instructions of the backend {name}")
            }
        }
    }
}

impl error::Error for BackendError {}

impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(name: &str) -> Result<Self, BackendError> {
        if name.eq_ignore_ascii_case("auto") {
            return Ok(Self::detect());
        }
        let known = NAMES.iter().find(|known| known.eq_ignore_ascii_case(name));
        let name = *known.ok_or(BackendError::Unknown)?;
        let own = FORCED.iter().find(|forced| forced.name == name);
        let features = own.and_then(Features::only).ok_or(BackendError::Unavailable(name))?;
        Ok(Self { features })
    }
}

#[cfg(test)]
mod tests {
    use std::{string::ToString, vec::Vec};

    use jlanes_core::{hashes::sha2::Sha2, kernel::HasKernels};

    use super::*;

    #[test]
    fn names_parse_to_themselves_or_are_unavailable() {
        for forced in FORCED {
            assert!(NAMES.contains(&forced.name), "{}", forced.name);
            assert_eq!(forced.name.ends_with("+n-sms"), forced.n_sms, "{}", forced.name);
        }
        for name in NAMES {
            match name.parse::<Backend>() {
                Ok(backend) => assert_eq!(backend.name(), name),
                Err(error) => assert_eq!(error, BackendError::Unavailable(name)),
            }
        }
        let auto = Backend::detect();
        assert_eq!(auto.name().parse(), Ok(auto));
        assert_eq!("auto+n-sms".parse::<Backend>(), Err(BackendError::Unknown));
        assert_eq!("+n-sms".parse::<Backend>(), Err(BackendError::Unknown));
        assert_eq!("sha512".parse::<Backend>(), Err(BackendError::Unknown));
    }

    #[test]
    fn backends_and_errors_are_told_by_name() {
        let portable = Backend::portable();
        assert_eq!((portable.name(), portable.class()), ("portable", "Portable"));
        assert_eq!(std::format!("{portable:>9}"), " portable");
        assert_eq!(Backend::detect().class(), Features::detect().class().name());
        let unknown = BackendError::Unknown.to_string();
        assert!(unknown.starts_with("unknown backend; one of auto, portable"), "{unknown}");
        let unavailable = BackendError::Unavailable("neon").to_string();
        assert_eq!(unavailable, "this CPU lacks the instructions of the backend neon");
    }

    #[test]
    fn what_the_cpu_can_run_is_available_once() {
        let available: Vec<_> = Backend::available().collect();
        let forced = FORCED.iter().filter(|it| !it.n_sms).filter_map(|it| it.name.parse().ok());
        let mut expected: Vec<Backend> = forced.collect();
        let auto = Backend::detect();
        if auto.name() == "auto" {
            expected.push(auto);
        }
        assert_eq!(available.len(), expected.len());
        assert!(available.iter().zip(&expected).all(|(one, other)| one.name() == other.name()));
        assert!(available.iter().any(|backend| backend.name() == auto.name()));
    }

    /// The lanes of a register, or of the pair of streams that gains the most.
    #[test]
    fn as_many_lanes_are_filled_as_a_kernel_has() {
        let kernels = [
            ("portable", 1, "portable"),
            ("sse41", 4, "sse41"),
            ("avx", 4, "avx"),
            ("avx2", 8, "avx2"),
            ("avx512vl", 8, "avx512vl"),
            ("shani", 2, "shani"),
            ("simd128", 4, "simd128"),
        ];
        for (name, lanes, kernel) in kernels {
            if let Ok(backend) = name.parse::<Backend>() {
                assert_eq!(HasKernels::<Sha2<u32>>::lanes_to_fill(&backend), lanes, "{name}");
                assert_eq!(
                    HasKernels::<Sha2<u32>>::kernels(&backend).name(lanes),
                    kernel,
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn sha512ni_is_used_only_when_it_is_asked_for() {
        let kernels = HasKernels::<Sha2<u64>>::kernels(&Backend::detect());
        assert!((0..=16).all(|live| kernels.name(live) != "sha512ni"));
        if let Ok(forced) = "sha512ni".parse::<Backend>() {
            assert_eq!(HasKernels::<Sha2<u64>>::kernels(&forced).name(1), "sha512ni");
            assert_eq!(HasKernels::<Sha2<u32>>::kernels(&forced).name(1), "portable");
        }
    }
}
