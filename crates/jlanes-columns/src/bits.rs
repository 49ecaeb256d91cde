//! Bits of a column, least significant first, as Arrow stores validity and booleans.

use core::ops::Range;

use crate::{Error, allocation::try_zeros};

/// A sequence of bits that may start inside a byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits<'a> {
    bytes: &'a [u8],
    offset: usize,
}

impl<'a> Bits<'a> {
    /// The `len` bits of `bytes` from bit `offset` on.
    pub(crate) fn new(bytes: &'a [u8], offset: usize, len: usize) -> Result<Self, Error> {
        let end = offset.checked_add(len).ok_or(Error::Length)?;
        if end.div_ceil(8) > bytes.len() {
            return Err(Error::Length);
        }
        Ok(Self { bytes, offset })
    }

    /// All bits of `bytes`.
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0 }
    }

    pub(crate) fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    #[inline(always)]
    pub(crate) fn get(self, i: usize) -> bool {
        let i = self.offset + i;
        self.bytes[i / 8] >> (i % 8) & 1 == 1
    }

    /// The bits from bit `by` on.
    pub(crate) fn skip(self, by: usize) -> Self {
        Self { offset: self.offset + by, ..self }
    }

    /// Bits `8 * k` to `8 * k + 8`; those beyond the last byte are 0.
    fn byte(self, k: usize) -> u8 {
        let (at, shift) = (self.offset / 8 + k, self.offset % 8);
        let low = self.bytes.get(at).copied().unwrap_or(0);
        let high = self.bytes.get(at + 1).copied().unwrap_or(0);
        ((u16::from(high) << 8 | u16::from(low)) >> shift) as u8
    }

    /// Clears the bits of `out` that are not set in `self`.
    pub(crate) fn and_into(self, out: &mut [u8]) {
        for (k, out) in out.iter_mut().enumerate() {
            *out &= self.byte(k);
        }
    }
}

/// `len` set bits, padded with 0.
pub(crate) fn ones(len: usize) -> Result<Vec<u8>, Error> {
    let mut bytes = try_zeros(len.div_ceil(8))?;
    bytes.fill(0xff);
    if let (Some(last), used @ 1..) = (bytes.last_mut(), len % 8) {
        *last &= (1 << used) - 1;
    }
    Ok(bytes)
}

/// Sets or clears a bit.
pub(crate) fn set_bit(bytes: &mut [u8], i: usize, value: bool) {
    let bit = 1 << (i % 8);
    if value {
        bytes[i / 8] |= bit;
    } else {
        bytes[i / 8] &= !bit;
    }
}

/// The number of set bits in `rows`, which start at a multiple of 8.
pub(crate) fn count_ones(bytes: &[u8], rows: Range<usize>) -> usize {
    debug_assert!(rows.start.is_multiple_of(8));
    let whole = rows.start / 8..rows.end / 8;
    let rest = whole.end * 8..rows.end;
    let ones: usize = bytes[whole].iter().map(|byte| byte.count_ones() as usize).sum();
    ones + rest.filter(|i| Bits::of(bytes).get(*i)).count()
}

#[cfg(test)]
mod tests {
    use super::{Bits, count_ones, ones, set_bit};
    use crate::Error;

    #[test]
    fn bits_from_any_offset() {
        let bytes = [0b1010_0110, 0b0111_0001, 0b1100_1010];
        let plain: Vec<bool> = (0..24).map(|i| bytes[i / 8] >> (i % 8) & 1 == 1).collect();
        for offset in 0..24 {
            for len in 0..=24 - offset {
                let bits = Bits::new(&bytes, offset, len).unwrap();
                let mut out = ones(len).unwrap();
                bits.and_into(&mut out);
                for i in 0..len {
                    assert_eq!(bits.get(i), plain[offset + i]);
                    assert_eq!(Bits::of(&out).get(i), plain[offset + i]);
                }
                let set = plain[offset..][..len].iter().filter(|bit| **bit).count();
                assert_eq!(count_ones(&out, 0..len), set);
                assert_eq!(out.iter().map(|byte| byte.count_ones() as usize).sum::<usize>(), set);
            }
            assert_eq!(Bits::new(&bytes, offset, 25 - offset).err(), Some(Error::Length));
        }
        assert_eq!(Bits::new(&bytes, usize::MAX, 1).err(), Some(Error::Length));
    }

    #[test]
    fn bits_are_put_one_by_one() {
        let mut bytes = ones(11).unwrap();
        assert_eq!(bytes, [0xff, 0x07]);
        set_bit(&mut bytes, 9, false);
        set_bit(&mut bytes, 0, true);
        assert_eq!(bytes, [0xff, 0x05]);
    }
}
