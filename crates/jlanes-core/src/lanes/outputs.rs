//! Outputs of many messages, each of which continues from its own position.

/// Outputs that continue, with words `W`.
#[cfg(feature = "alloc")]
pub trait Outputs<W: 'static>: Clone + Default {
    /// The number of outputs.
    fn len(&self) -> usize;

    /// Whether there are no outputs.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `outs.get(k)` with the next bytes of output `which[k]`, or of output `k` without
    /// `which`. The numbers in `which` rise strictly.
    fn squeeze(
        &mut self,
        kernels: &crate::kernel::Kernels<W>,
        which: Option<&[usize]>,
        outs: &mut dyn Destinations,
    );
}

/// The destinations of outputs.
pub trait Destinations {
    /// The destination with an index.
    fn get(&mut self, k: usize) -> &mut [u8];
}

/// A slice of slices, arrays or vectors as [`Destinations`].
#[derive(Debug)]
pub struct Slices<'o, T>(pub &'o mut [T]);

impl<T: AsMut<[u8]>> Destinations for Slices<'_, T> {
    #[inline]
    fn get(&mut self, k: usize) -> &mut [u8] {
        self.0[k].as_mut()
    }
}
