//! The costs of kernels on classes of CPUs, and the traits that give a hash its costs and its kernels.
//!
//! [`jlanes_core::kernel::plan`] defines a cost, and derives plans from it. `calibrate` in the bench package
//! measures costs, and prints them in the form that [`costs`] reads.

use core::marker::PhantomData;

use jlanes_core::{
    compression::Compression,
    kernel::{Table, plan::Costs},
};

/// A class, and the costs of its kernels for separate and for interleaved input.
pub(crate) struct ClassCosts<C> {
    pub(crate) class: C,
    pub(crate) contiguous: Costs,
    pub(crate) interleaved: Costs,
}

/// A hash with kernel costs.
pub(crate) trait HasCosts: Compression {
    /// The target's classes of CPUs.
    type CpuClass: 'static;
    /// The costs of its kernels, by class.
    const COSTS: &'static [ClassCosts<Self::CpuClass>];
}

/// A hash with kernels.
pub(crate) trait HasTable: Compression {
    /// The kernels of the hash, in order of preference.
    const TABLE: &'static Table<Self::Word>;
}

/// A hash without kernels of its own: each target has one `TABLE` for all of these, with kernels of vectors.
pub(crate) struct PlainHash<C>(PhantomData<C>);

/// Implements [`HasCosts`] for hashes, each with its rows by class; omitted costs are 0.
macro_rules! costs {
    ($($hash:ty: [$($class:ident: { $($contiguous:tt)* } $(interleaved { $($interleaved:tt)* })?;)*];)*) => {$(
        impl $crate::common::tuning::HasCosts for $hash {
            type CpuClass = CpuClass;
            const COSTS: &'static [$crate::common::tuning::ClassCosts<CpuClass>] =
                &[$(costs!(@row $class { $($contiguous)* } $({ $($interleaved)* })?)),*];
        }
    )*};
    (@row $class:ident { $($contiguous:tt)* }) => {
        costs!(@row $class { $($contiguous)* } { $($contiguous)* })
    };
    (@row $class:ident { $($contiguous:tt)* } { $($interleaved:tt)* }) => {
        $crate::common::tuning::ClassCosts {
            class: CpuClass::$class,
            contiguous: costs!(@cycles $($contiguous)*),
            interleaved: costs!(@cycles $($interleaved)*),
        }
    };
    (@cycles $($kernel:ident $cycles:literal),* $(,)?) => {
        jlanes_core::kernel::plan::Costs { $($kernel: $cycles,)* ..jlanes_core::kernel::plan::Costs::NONE }
    };
}
pub(crate) use costs;
