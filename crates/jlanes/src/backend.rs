//! [`Backend`], the choice of instruction sets.

use core::{fmt, str::FromStr};

use jlanes_core::{compression::Compression, engine::Engine, kernel::Kernels};
use jlanes_simd::BackendError;

/// The instruction sets to use.
///
/// [`detect`](Self::detect) uses everything that the CPU supports and chooses kernels by the number
/// of messages that run at once. A backend that is parsed from a name is *forced*: it uses only that
/// instruction set, and portable code for hashes without a kernel in it.
///
/// ```
/// use jlanes::Backend;
///
/// let portable: Backend = "portable".parse()?;
/// assert_eq!(portable, Backend::portable());
/// assert_eq!(portable.to_string(), "portable");
/// assert_eq!(Backend::available().next(), Some(portable));
/// assert!("avx1024".parse::<Backend>().is_err());
/// # Ok::<(), jlanes::BackendError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Backend(jlanes_simd::Backend);

impl Backend {
    /// Everything that this CPU supports except SHA512-NI, which has not been run on hardware yet
    /// and must be requested by name. Cheap: detection runs once.
    #[inline]
    #[must_use]
    pub fn detect() -> Self {
        Self(jlanes_simd::Backend::detect())
    }

    /// Portable code only.
    #[must_use]
    pub const fn portable() -> Self {
        Self(jlanes_simd::Backend::portable())
    }

    /// Every backend that this CPU can run: the forced ones from `portable` up, then `auto`.
    pub fn available() -> impl Iterator<Item = Self> {
        jlanes_simd::Backend::available().map(Self)
    }

    /// The instruction sets of this CPU under the policy of every class of CPUs, for tests of other
    /// CPUs' choices. All are named `auto`.
    #[doc(hidden)]
    pub fn policies() -> impl Iterator<Item = Self> {
        jlanes_simd::Backend::policies().map(Self)
    }

    /// The same backend, but one message runs by n-SMS where that is supported: for SHA-1 and SHA-2
    /// without instructions for them. It is the default on Intel CPUs with AVX2 and without SHA
    /// instructions; on an AMD EPYC (Zen 4) the other way was as fast or faster in nearly all cases.
    #[cfg(feature = "n-sms")]
    #[must_use]
    pub const fn with_n_sms(self) -> Self {
        Self(self.0.with_n_sms())
    }

    /// The class of CPUs that selects the policy, for the records of benchmarks.
    #[doc(hidden)]
    #[must_use]
    pub fn class(&self) -> &'static str {
        self.0.class()
    }

    /// The name that parses to this backend.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.0.name()
    }
}

#[doc(hidden)] // the interface to jlanes-core
impl<C: Compression> Engine<C> for Backend
where
    jlanes_simd::Backend: Engine<C>,
{
    #[inline]
    fn kernels(&self) -> Kernels<C::Word> {
        self.0.kernels()
    }
}

impl fmt::Debug for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Backend {
    type Err = BackendError;

    fn from_str(name: &str) -> Result<Self, BackendError> {
        name.parse().map(Self)
    }
}
