//! Double digests and chains.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

use digest::Output;
use jlanes_core::{
    batch::{Start, chain},
    engine::BatchDigest as _,
};

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
    pub fn double(&self, messages: &[impl AsRef<[u8]> + Sync], out: &mut [Output<H>]) {
        assert_eq!(messages.len(), out.len(), "as many digests as messages");
        self.double_with(|i| messages[i].as_ref(), out);
    }

    /// Writes the double digests of contiguous records, as for [`nodes`](Self::nodes): Bitcoin's
    /// nodes and block headers.
    ///
    /// # Panics
    /// If `nodes` is not `out.len()` times `width` bytes.
    pub fn double_nodes(&self, nodes: &[u8], width: usize, out: &mut [Output<H>]) {
        assert_eq!(Some(nodes.len()), width.checked_mul(out.len()), "as many digests as records");
        self.double_with(|i| &nodes[i * width..][..width], out);
    }

    fn double_with<'a>(&self, message: impl Fn(usize) -> &'a [u8] + Sync, out: &mut [Output<H>]) {
        let blocks = |i: usize, _: &Output<H>| H::blocks(message(i).len()) + 1;
        self.parts.each::<H, _>(self.engine, blocks, out, |first, out| {
            let (start, rest) = Start::<H::Function>::after(self.engine, self.prefix);
            if rest.is_empty() {
                chain::double(self.engine, &start, |i| [message(first + i)], out);
            } else {
                chain::double(self.engine, &start, |i| [rest, message(first + i)], out);
            }
        });
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
        self.parts.each::<H, _>(
            self.engine,
            |_, _| steps,
            digests,
            |_, digests| {
                chain::digest::<H::Function, _>(self.engine, self.prefix, digests, steps);
            },
        );
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
}
