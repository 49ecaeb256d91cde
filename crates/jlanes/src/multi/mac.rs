//! Keyed hashes of many messages at once, by a MAC that holds its key.

use digest::Output;
#[cfg(any(feature = "blake2", feature = "blake3"))]
use jlanes_core::batch::MessageSource;

/// A MAC that can also tag many messages at once.
pub trait MultiMac: digest::OutputSizeUser {
    /// The tags of `msgs`; each continues from the state of this MAC.
    ///
    /// # Panics
    /// If `msgs` and `out` differ in length.
    fn tag_many(&self, msgs: &[&[u8]], out: &mut [Output<Self>]);
}

#[cfg(feature = "blake2")]
macro_rules! blake2 {
    ($($mac:ident)*) => {$(
        impl<N: digest::array::ArraySize> MultiMac for crate::$mac<N> {
            fn tag_many(&self, msgs: &[&[u8]], out: &mut [Output<Self>]) {
                assert_eq!(msgs.len(), out.len(), "as many tags as messages");
                self.tags(crate::Backend::detect(), &MessageSource::slices(msgs), out);
            }
        }
    )*};
}
#[cfg(feature = "blake2")]
blake2! { Blake2bMac Blake2sMac }

/// Under the key, or in the mode, that the hasher was made with.
#[cfg(feature = "blake3")]
impl MultiMac for crate::Blake3 {
    fn tag_many(&self, msgs: &[&[u8]], out: &mut [Output<Self>]) {
        assert_eq!(msgs.len(), out.len(), "as many tags as messages");
        self.digest_many(&MessageSource::slices(msgs), out);
    }
}

/// The tags of `msgs` by a MAC that holds its key, in order: `out[i]` is the tag of a clone of
/// `mac` updated with `msgs[i]`.
///
/// The key is absorbed once. Anything else that `mac` has absorbed is a prefix of all messages.
#[cfg_attr(
    feature = "blake2",
    doc = r##"
```
use jlanes::{Blake2bMac512, digest::{KeyInit, Mac}, multi};

let mac = Blake2bMac512::new_from_slice(b"key")?;
let mut tags = [Default::default(); 2];
multi::mac_many(&mac, &[b"one", b"another"], &mut tags);
assert_eq!(tags[1], mac.chain_update(b"another").finalize().into_bytes());
# Ok::<(), jlanes::digest::InvalidLength>(())
```
"##
)]
///
/// # Panics
/// If `msgs` and `out` differ in length.
pub fn mac_many<M: MultiMac>(mac: &M, msgs: &[&[u8]], out: &mut [Output<M>]) {
    mac.tag_many(msgs, out);
}
