use core::{fmt, marker::PhantomData};

use digest::common::AlgorithmName;

/// The name of an algorithm, as its trait writes it.
pub fn algorithm_name<T: AlgorithmName>() -> String {
    struct Name<T>(PhantomData<T>);
    impl<T: AlgorithmName> fmt::Display for Name<T> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            T::write_alg_name(f)
        }
    }
    Name::<T>(PhantomData).to_string()
}
