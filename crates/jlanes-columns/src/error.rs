//! [`Error`]: the reasons why columns are not hashed, imported or exported.

use core::fmt;
use std::error;

use jlanes::algorithm::{NotADigest, Unsupported};

use crate::DataType;

/// The reason why a column was not hashed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The operation does not support columns of this type; the text is its Arrow format.
    Type(String),
    /// The text is not a supported Arrow format.
    Format(String),
    /// An array has a number of buffers or children that does not fit its type, or a pointer is
    /// missing.
    Buffers,
    /// A buffer is shorter than the column's length, or a length is negative or too large.
    Length,
    /// The offsets of this row decrease, are negative, or exceed the bytes.
    Offsets(usize),
    /// The view of this row exceeds its buffers.
    View(usize),
    /// The dictionary has no value for the index of this row.
    Index(usize),
    /// Columns of one call have different numbers of rows.
    Rows,
    /// The result does not fit into memory, or into the offsets of its type; or a row repeats values until it is
    /// 256 MiB longer than the buffers of its columns.
    TooLarge,
    /// The callback of [`ColumnHasher::watched`](crate::ColumnHasher::watched) returned `false`.
    Stopped,
    /// A derived key has a length of 0.
    Width,
    /// A record batch has null rows.
    NullRows,
    /// The column has an extension type of this name, which says what its storage means.
    Extension(String),
    /// Lists have items that take no memory: nulls, or values of no bytes.
    Void,
    /// A structure of the C data interface had already been released or moved.
    Released,
    /// The algorithm has no digest for some messages.
    NotADigest(NotADigest),
    /// HMAC is not defined for the algorithm.
    Unsupported(Unsupported),
    /// The producer of a stream failed, with this code and this message.
    Stream(i32, String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(format) | Self::Format(format) => {
                let words = DataType::noun_of_format(format);
                write!(f, "a column of {words} has no digest: ")?;
                f.write_str(match words {
                    "lists" | "lists of one length" => "hash its values, or whole rows",
                    "maps" => "cast it to lists of structs, and hash whole rows",
                    "run-end encoded values" => "decode it first",
                    "structs, or several columns" => "choose one, or hash whole rows",
                    "intervals" | "unions" => "cast it to text",
                    "lists as views" => "cast it to lists, and hash whole rows",
                    "decimals of other than 128 bits" => {
                        "cast it to decimals of 128 bits or to text"
                    }
                    "a type that is not known here" => {
                        return write!(
                            f,
                            "its Arrow format is '{format}'; cast it to text or bytes"
                        );
                    }
                    _ => "cast it to text or bytes, or hash whole rows",
                })
            }
            Self::Buffers => f.write_str("the array lacks buffers or children of its type"),
            Self::Length => f.write_str("a buffer is shorter than the array's length says"),
            Self::Offsets(row) => write!(f, "row {row}: the offsets do not rise within the bytes"),
            Self::View(row) => write!(f, "row {row}: the view leads out of its buffers"),
            Self::Index(row) => write!(f, "row {row}: the dictionary has no value of this index"),
            Self::Rows => f.write_str("the columns have different numbers of rows"),
            Self::TooLarge => f.write_str("the result is too large for its type or for memory"),
            Self::Stopped => f.write_str("stopped"),
            Self::Width => f.write_str("derived keys have at least one byte"),
            Self::NullRows => f.write_str("rows of the record batch are null as a whole: leave them out, or hash it as a column of a table"),
            Self::Extension(name) => write!(
                f,
                "a column of the extension type '{name}' has no digest: cast it to text or bytes, or \
                 hash its storage"
            ),
            Self::Void => {
                f.write_str("lists of items without memory, such as nulls, have no digest: cast them to lists of a type")
            }
            Self::Released => f.write_str("the array, schema or stream was released before"),
            Self::NotADigest(error) => error.fmt(f),
            Self::Unsupported(error) => error.fmt(f),
            Self::Stream(code, message) => write!(f, "the stream failed ({code}): {message}"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::NotADigest(error) => Some(error),
            Self::Unsupported(error) => Some(error),
            _ => None,
        }
    }
}

impl From<NotADigest> for Error {
    fn from(error: NotADigest) -> Self {
        Self::NotADigest(error)
    }
}

impl From<Unsupported> for Error {
    fn from(error: Unsupported) -> Self {
        Self::Unsupported(error)
    }
}
