//! [`Messages`], messages in memory in one of several layouts.

use core::{error, fmt};

use jlanes_core::function::Batch;

/// Messages in memory, in one of the common layouts of many messages.
///
/// ```
/// use jlanes::multi::Messages;
///
/// let column = Messages::offsets(b"onetwothree", &[0, 3, 6, 11])?;
/// assert_eq!(column.len(), 3);
/// assert_eq!(column.get(2), b"three");
/// assert_eq!(Messages::records(b"onetwo", 3)?.get(1), b"two");
/// # Ok::<(), jlanes::multi::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Messages<'a>(Layout<'a>);

#[derive(Clone, Copy, Debug)]
enum Layout<'a> {
    Slices(&'a [&'a [u8]]),
    Records { bytes: &'a [u8], width: usize },
    Offsets { bytes: &'a [u8], offsets: &'a [i32] },
    LargeOffsets { bytes: &'a [u8], offsets: &'a [i64] },
}

/// The reason why bytes are not messages in a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutError {
    /// Records of no bytes, or bytes that are not a whole number of records.
    Records,
    /// Offsets that decrease, are negative, or exceed the bytes.
    Offsets,
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Records => "the bytes are no whole number of records",
            Self::Offsets => "the offsets do not rise within the bytes",
        })
    }
}

impl error::Error for LayoutError {}

impl<'a> Messages<'a> {
    /// Messages in slices of their own.
    #[must_use]
    pub fn slices(slices: &'a [&'a [u8]]) -> Self {
        Self(Layout::Slices(slices))
    }

    /// Contiguous records of `width` bytes.
    ///
    /// # Errors
    /// If `width` is 0, or does not divide the number of bytes.
    pub fn records(bytes: &'a [u8], width: usize) -> Result<Self, LayoutError> {
        if width == 0 || !bytes.len().is_multiple_of(width) {
            return Err(LayoutError::Records);
        }
        Ok(Self(Layout::Records { bytes, width }))
    }

    /// Contiguous messages: message `i` is bytes `offsets[i]` to `offsets[i + 1]`, as Arrow stores
    /// strings. An empty list of offsets means no messages.
    ///
    /// # Errors
    /// If the offsets decrease, or exceed the bytes.
    pub fn offsets(bytes: &'a [u8], offsets: &'a [i32]) -> Result<Self, LayoutError> {
        rise_within(bytes, offsets.iter().map(|offset| i64::from(*offset)))?;
        Ok(Self(Layout::Offsets { bytes, offsets }))
    }

    /// [`offsets`](Self::offsets) of 64 bits.
    ///
    /// # Errors
    /// As `offsets`.
    pub fn large_offsets(bytes: &'a [u8], offsets: &'a [i64]) -> Result<Self, LayoutError> {
        rise_within(bytes, offsets.iter().copied())?;
        Ok(Self(Layout::LargeOffsets { bytes, offsets }))
    }

    /// The number of messages.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        match self.0 {
            Layout::Slices(slices) => slices.len(),
            Layout::Records { bytes, width } => bytes.len() / width,
            Layout::Offsets { offsets, .. } => offsets.len().saturating_sub(1),
            Layout::LargeOffsets { offsets, .. } => offsets.len().saturating_sub(1),
        }
    }

    /// Whether there are no messages.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Message `i`.
    ///
    /// # Panics
    /// If `i` is out of range.
    #[inline]
    #[must_use]
    pub fn get(&self, i: usize) -> &'a [u8] {
        match self.0 {
            Layout::Slices(slices) => slices[i],
            Layout::Records { bytes, width } => &bytes[i * width..][..width],
            Layout::Offsets { bytes, offsets } => {
                &bytes[offsets[i] as usize..offsets[i + 1] as usize]
            }
            Layout::LargeOffsets { bytes, offsets } => {
                &bytes[offsets[i] as usize..offsets[i + 1] as usize]
            }
        }
    }

    /// The slices, if this is the layout.
    #[cfg(feature = "trees")]
    pub(crate) fn as_slices(&self) -> Option<&'a [&'a [u8]]> {
        if let Layout::Slices(slices) = self.0 { Some(slices) } else { None }
    }

    /// The messages for core's jobs.
    #[inline]
    pub(crate) fn as_batch(&self) -> Batch<'a, 'a> {
        match self.0 {
            Layout::Slices(slices) => Batch::slices(slices),
            Layout::Records { bytes, width } => Batch::records(bytes.len() / width, bytes, width),
            Layout::Offsets { bytes, offsets } => Batch::offsets(bytes, offsets),
            Layout::LargeOffsets { bytes, offsets } => Batch::large_offsets(bytes, offsets),
        }
    }
}

fn rise_within(
    bytes: &[u8],
    offsets: impl Iterator<Item = i64> + Clone,
) -> Result<(), LayoutError> {
    let len = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let rise = offsets.clone().zip(offsets.clone().skip(1)).all(|(from, to)| from <= to);
    let first = offsets.clone().next().unwrap_or(0);
    let last = offsets.last().unwrap_or(0);
    if rise && first >= 0 && last <= len { Ok(()) } else { Err(LayoutError::Offsets) }
}
