//! Serialized hashers, in the form of RustCrypto's: the core, the number of bytes in the buffer, these
//! bytes, and zeros.
//!
//! `digest`'s macro does the same for each hasher with a name, but not for a generic one: the sum of
//! sizes is no size for all types.

use digest::{
    block_api::{Buffer, BufferKindUser},
    common::hazmat::{DeserializeStateError, SerializableState},
    typenum::Unsigned,
};

/// Fills `out`, which has one byte more than the core and the longest content of the buffer.
pub(super) fn write<C>(core: &C, buffer: &Buffer<C>, out: &mut [u8])
where
    C: SerializableState + BufferKindUser,
{
    let (head, rest) = out.split_at_mut(C::SerializedStateSize::USIZE);
    head.copy_from_slice(&core.serialize());
    let data = buffer.get_data();
    rest[0] = data.len() as u8; // a block has 128 bytes at most
    rest[1..][..data.len()].copy_from_slice(data);
}

/// The core and the buffer in `bytes`.
pub(super) fn read<C>(bytes: &[u8]) -> Result<(C, Buffer<C>), DeserializeStateError>
where
    C: SerializableState + BufferKindUser,
{
    let (head, rest) = bytes.split_at(C::SerializedStateSize::USIZE);
    let core = C::deserialize(head.try_into().map_err(|_| DeserializeStateError)?)?;
    let (data, zeros) = rest[1..].split_at_checked(rest[0].into()).ok_or(DeserializeStateError)?;
    if zeros.iter().any(|byte| *byte != 0) {
        return Err(DeserializeStateError);
    }
    let buffer = Buffer::<C>::try_new(data).map_err(|_| DeserializeStateError)?;
    Ok((core, buffer))
}
