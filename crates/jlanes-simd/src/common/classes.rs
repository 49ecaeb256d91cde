//! [`classes!`], the list of a target's classes of CPUs.

/// Defines `CpuClass` by a list of its classes, once: those of CPUs with their marks, then those of forced sets.
macro_rules! classes {
    (
        $(#[$doc:meta])*
        enum CpuClass {
            $($(#[$about:meta])* $class:ident $(: $($mark:ident),+)?;)*
        }
        forced {
            $($(#[$about_forced:meta])* $forced:ident;)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u16)]
        pub(crate) enum CpuClass {
            $($(#[$about])* $class,)*
            $($(#[$about_forced])* $forced,)*
        }

        impl CpuClass {
            /// The number of classes of CPUs, which are detected; the others are of forced sets.
            pub(crate) const DETECTED_COUNT: usize = [$(Self::$class),*].len();
            /// All classes, each at its number.
            pub(crate) const ALL: [Self; Self::NAMES.len()] =
                [$(Self::$class,)* $(Self::$forced),*];
            const NAMES: &[&str] = &[$(stringify!($class),)* $(stringify!($forced)),*];

            /// The marks of its CPUs: properties that decide between kernels.
            pub(crate) const fn marks(self) -> Needs {
                match self {
                    $(Self::$class => Needs::NONE$($(.union(Needs::$mark))+)?,)*
                    $(Self::$forced => Needs::NONE,)*
                }
            }

            /// The name in the table of costs.
            pub(crate) const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }
    };
}
pub(crate) use classes;
