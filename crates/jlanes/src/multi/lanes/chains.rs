//! The jobs of [`Lanes`] that hash digests again: double digests and chains.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use digest::{Output, array::Array};
#[cfg(feature = "alloc")]
use jlanes_core::function::tweaked::TweakedChains;
use jlanes_core::function::{Batch, filling};

use super::{super::MultiDigest, Lanes};

impl<H: MultiDigest> Lanes<'_, H> {
    /// Writes the double digests of `messages`, in order: `out[i]` is `H(H(messages[i]))`. The
    /// prefix precedes the message, not its digest.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// let mut digests = [Default::default(); 2];
    /// Lanes::<Sha256>::new().double(&["one", "another"], &mut digests); // as Bitcoin does
    /// assert_eq!(digests[0], Sha256::digest(Sha256::digest("one")));
    /// ```
    ///
    /// # Panics
    /// If `messages` and `out` differ in length.
    #[track_caller]
    pub fn double(&self, messages: &[impl AsRef<[u8]> + Sync], out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many digests as messages");
        let fill = filling(|i| [messages[i].as_ref()]);
        self.double_batch(&Batch::filled(out.len(), &fill), out);
    }

    /// Writes the double digests of contiguous records, as for [`nodes`](Self::nodes): Bitcoin's
    /// nodes and block headers.
    ///
    /// # Panics
    /// If `nodes` is not `out.len()` times `width` bytes.
    #[track_caller]
    pub fn double_nodes(&self, nodes: &[u8], width: usize, out: &mut [Output<H>]) {
        self.double_batch(&Batch::records(out.len(), nodes, width), out);
    }

    fn double_batch(&self, messages: &Batch<'_, '_>, out: &mut [Output<H>]) {
        self.jobs(|jobs| jobs.double(messages, Array::slice_as_flattened_mut(out)));
    }

    /// Replaces every digest `d` by `H(prefix || d)`, `steps` times. Each chain is serial; many run
    /// at once.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// let mut digests = [Sha256::digest("a"), Sha256::digest("b")];
    /// Lanes::<Sha256>::new().prefix(b"step:").chains(&mut digests, 1);
    /// let next = Sha256::new_with_prefix("step:").chain_update(Sha256::digest("a")).finalize();
    /// assert_eq!(digests[0], next);
    /// ```
    pub fn chains(&self, digests: &mut [Output<H>], steps: u64) {
        self.jobs(|jobs| jobs.chains(Array::slice_as_flattened_mut(digests), steps));
    }

    /// [`chains`](Self::chains) of different lengths: digest `i` takes `steps[i]` steps, as in
    /// hash-based signatures.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::Lanes};
    ///
    /// let mut digests = [Sha256::digest(b"a"), Sha256::digest(b"b")];
    /// Lanes::<Sha256>::new().chains_of(&mut digests, &[0, 2]);
    /// assert_eq!(digests[0], Sha256::digest(b"a"));
    /// assert_eq!(digests[1], Sha256::digest(Sha256::digest(Sha256::digest(b"b"))));
    /// ```
    ///
    /// # Panics
    /// If `digests` and `steps` differ in length.
    #[cfg(feature = "alloc")]
    #[track_caller]
    pub fn chains_of(&self, digests: &mut [Output<H>], steps: &[u64]) {
        assert_eq!(digests.len(), steps.len(), "as many numbers of steps as digests");
        let mut order: Vec<usize> = (0..steps.len()).collect();
        order.sort_unstable_by_key(|i| steps[*i]);
        let mut sorted: Vec<Output<H>> = order.iter().map(|i| digests[*i].clone()).collect();
        // all unfinished chains advance together to the end of the shortest
        let (mut ended, mut taken) = (0, 0);
        while ended < order.len() {
            let next = steps[order[ended]];
            self.chains(&mut sorted[ended..], next - taken);
            taken = next;
            ended += order[ended..].iter().take_while(|i| steps[**i] == next).count();
        }
        for (i, digest) in order.into_iter().zip(sorted) {
            digests[i] = digest;
        }
    }

    /// Advances chains in which every step of every chain hashes a tweak of its own before the value,
    /// and from any step to any other: WOTS+ in SLH-DSA and XMSS.
    ///
    /// `values[i]` becomes `H(prefix || tweak || values[i])`, truncated to its length, for every step of
    /// chain `i`. A chain that ends leaves its lane to another one.
    ///
    /// ```
    /// use jlanes::{Digest, Sha256, multi::{Lanes, TweakedChains}};
    ///
    /// let mut values = [[1; 16], [2; 16]];
    /// let chains = TweakedChains {
    ///     steps: &|chain| if chain == 0 { 0..15 } else { 4..5 },
    ///     size: 2,
    ///     tweak: &|chain, step, tweak| tweak.copy_from_slice(&[chain as u8, step as u8]),
    /// };
    /// Lanes::<Sha256>::new().prefix(&[0; 64]).tweaked_chains(&chains, &mut values);
    ///
    /// let step = Sha256::new_with_prefix([0; 64]).chain_update([1, 4]).chain_update([2; 16]);
    /// assert_eq!(values[1], step.finalize()[..16]);
    /// ```
    ///
    /// # Panics
    /// If the values are not of one length, from 1 byte to the length of a digest.
    #[cfg(feature = "alloc")]
    pub fn tweaked_chains(
        &self,
        chains: &TweakedChains<'_>,
        values: &mut [impl AsMut<[u8]> + Send],
    ) {
        self.jobs(|jobs| jobs.tweaked_chains(chains, values));
    }
}
