//! Parameters: values besides the algorithm that change a digest.
//!
//! C has no optional arguments, so they are members of one structure, which starts with its size: programs and
//! libraries of different versions work together as long as nobody sets a member that the other does not know.
//! Which of them an algorithm takes is decided by `jlanes`, not here.

use core::{
    ffi::c_char,
    mem::{MaybeUninit, offset_of},
    ptr,
};

use jlanes::{
    algorithm::{Blake3, Key, Parameters, Skein, Xof},
    merkle::FsVerity,
};

use super::arguments::{check, check_parameters, copied, text, values};
use crate::status::Failure;

/// Bytes, `len` of them at `data`, maybe none. An absent value has a `data` of NULL and a `len` of 0.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct jlanes_bytes {
    /// The first byte.
    pub data: *const u8,
    /// The number of bytes.
    pub len: usize,
}

/// Values besides the algorithm that change a digest. A member of NULL or 0 is absent. Values that an
/// algorithm does not have are an error, as are more than 1 MiB in total.
///
/// Fill it with zeros, and set `size`. Later versions of the library may add members at the end. A
/// program that was compiled without them works as before; one that sets them fails with
/// JLANES_ERROR_ARGUMENT where the library is older.
#[repr(C)]
pub struct jlanes_parameters {
    /// sizeof(struct jlanes_parameters)
    pub size: usize,
    /// A key for HMAC.
    pub hmac_key: jlanes_bytes,
    /// The key of the algorithm's own keyed mode: 1 to 64 bytes for "blake2b", 1 to 32 for "blake2s",
    /// 32 for "blake3", and at least one byte for Skein and KMAC.
    pub key: jlanes_bytes,
    /// The salt of BLAKE2 or fs-verity.
    pub salt: jlanes_bytes,
    /// The personalization of BLAKE2 or Skein.
    pub personalization: jlanes_bytes,
    /// The customization string of KMAC, KangarooTwelve or ParallelHash.
    pub customization: jlanes_bytes,
    /// Skein's public key.
    pub public_key: jlanes_bytes,
    /// Skein's key identifier.
    pub key_id: jlanes_bytes,
    /// Skein's nonce.
    pub nonce: jlanes_bytes,
    /// The context for which BLAKE3 derives a key from the message, a NUL-terminated text.
    pub context: *const c_char,
    /// The position in BLAKE3's output, in bytes, where the digest starts.
    pub seek: u64,
    /// Bytes of fs-verity's blocks.
    pub block_size: usize,
}

/// Reads parameters; NULL stands for none.
///
/// # Safety
/// The pointer is null, or leads to parameters of which as many bytes are there as their `size` says,
/// and their pointers are null or lead to what they say. Nobody writes to any of these.
pub(super) unsafe fn read(at: *const jlanes_parameters) -> Result<Parameters, Failure> {
    // SAFETY: the pointer is null, or leads to parameters, as required above.
    let Some(given) = (unsafe { known(at) })? else { return Ok(Parameters::default()) };
    let bytes = |member: jlanes_bytes| {
        // SAFETY: a member leads to as many bytes as it says, as required above.
        let bytes = unsafe { copied(member.data, member.len) }?;
        Ok::<_, Failure>((!member.data.is_null()).then_some(bytes))
    };
    let all = [
        given.hmac_key,
        given.key,
        given.salt,
        given.personalization,
        given.customization,
        given.public_key,
        given.key_id,
        given.nonce,
    ];
    check_parameters(all.iter().fold(0, |sum, member| sum.saturating_add(member.len)))?;
    let key = match (bytes(given.hmac_key)?.map(Key::Hmac), bytes(given.key)?.map(Key::Own)) {
        (Some(_), Some(_)) => return Err(Failure::argument("there are two keys")),
        (hmac, own) => hmac.or(own),
    };
    let skein = Parameters::<Skein>::new()
        .personalization(bytes(given.personalization)?)
        .public_key(bytes(given.public_key)?)
        .key_id(bytes(given.key_id)?)
        .nonce(bytes(given.nonce)?);
    let xof = Parameters::<Xof>::new().customization(bytes(given.customization)?);
    let mut blake3 = Parameters::<Blake3>::new();
    if !given.context.is_null() {
        // SAFETY: the member leads to a NUL-terminated text, as required above.
        blake3 = Parameters::<Blake3>::derive_key(unsafe { text(given.context) }?);
    }
    let blake3 = blake3.seek(Some(given.seek).filter(|seek| *seek > 0));
    let verity = Parameters::<FsVerity>::new()
        .salt(bytes(given.salt)?)
        .block_size(Some(given.block_size).filter(|size| *size > 0));
    let key = key.map(Parameters::from).unwrap_or_default();
    Ok(key.and(skein).and(xof).and(blake3).and(verity))
}

/// The members that this version knows. Later members must be 0.
///
/// # Safety
/// As [`read`].
unsafe fn known(at: *const jlanes_parameters) -> Result<Option<jlanes_parameters>, Failure> {
    if at.is_null() {
        return Ok(None);
    }
    check(at, 1)?;
    // SAFETY: the pointer is not null and aligned, and parameters start with their size.
    let size = unsafe { at.cast::<usize>().read() };
    if size < offset_of!(jlanes_parameters, salt) {
        return Err(Failure::argument("the size of the parameters is not set"));
    }
    let own = size.min(size_of::<jlanes_parameters>());
    let mut given = MaybeUninit::<jlanes_parameters>::zeroed();
    // SAFETY: `size` bytes are there, as required above, and there is room for `own` of them.
    unsafe { ptr::copy_nonoverlapping(at.cast::<u8>(), given.as_mut_ptr().cast::<u8>(), own) };
    // SAFETY: the bytes from `own` to `size` are there, as required above.
    let others = unsafe { values(at.cast::<u8>().wrapping_add(own), size - own) }?;
    if others.iter().any(|byte| *byte != 0) {
        return Err(Failure::argument("this version does not know all of these parameters"));
    }
    // SAFETY: members are integers and pointers that may be null: zeros, or the caller's values.
    Ok(Some(unsafe { given.assume_init() }))
}
