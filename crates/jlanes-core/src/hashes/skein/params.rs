//! Skein's parameters: the configuration string, the tree's shape, and the optional arguments
//! (Skein 1.3, sections 3.5.1 to 3.5.4).

use core::{error, fmt};

use super::ubi::{self, BlockType};
use crate::kernel::Kernels;

/// The shape of a tree: leaves of `2^leaf` blocks, nodes of `2^fan_out` children, a maximum height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TreeParams {
    leaf: u8,
    fan_out: u8,
    height: u8,
}

impl TreeParams {
    /// Parameters `Yl`, `Yf` and `Ym`; `Ym` = 255 means unlimited height. All zero means no tree,
    /// which is simple hashing.
    ///
    /// # Errors
    /// If `Yl` or `Yf` is 0, or `Ym` less than 2, while another is not 0.
    pub const fn new(yl: u8, yf: u8, ym: u8) -> Result<Self, Error> {
        if (yl == 0 || yf == 0 || ym < 2) && (yl | yf | ym) != 0 {
            return Err(Error::Tree { yl, yf, ym });
        }
        Ok(Self { leaf: yl, fan_out: yf, height: ym })
    }

    /// The binary logarithm of a leaf's blocks.
    #[must_use]
    pub const fn yl(self) -> u8 {
        self.leaf
    }

    /// The binary logarithm of a node's children.
    #[must_use]
    pub const fn yf(self) -> u8 {
        self.fan_out
    }

    /// The maximum height; 255 means unlimited.
    #[must_use]
    pub const fn ym(self) -> u8 {
        self.height
    }

    /// Whether there is a tree.
    #[must_use]
    pub const fn is_tree(self) -> bool {
        self.leaf > 0
    }
}

/// The error of invalid parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// Invalid tree parameters.
    Tree {
        /// The leaf size.
        yl: u8,
        /// The fan-out.
        yf: u8,
        /// The height.
        ym: u8,
    },
    /// The output has no bits, or more than 2^64 - 1.
    OutputBits,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tree { yl, yf, ym } => write!(
                f,
                "illegal Skein tree {yl}.{yf}.{ym}: leaf size and fan-out must be at least 1, \
                 the height at least 2"
            ),
            Self::OutputBits => f.write_str("Skein's output is 1 to 2^64 - 1 bits long"),
        }
    }
}

impl error::Error for Error {}

/// The optional arguments. A present but empty argument costs a UBI call and changes the digest.
#[derive(Clone, Copy, Default)]
pub struct Arguments<'a> {
    /// Key; an empty key means no key.
    pub key: &'a [u8],
    /// Personalization string.
    pub personalization: Option<&'a [u8]>,
    /// Public key.
    pub public_key: Option<&'a [u8]>,
    /// Key identifier.
    pub key_id: Option<&'a [u8]>,
    /// Nonce.
    pub nonce: Option<&'a [u8]>,
}

/// The configuration string: schema, version, output length and tree.
fn config(output_bits: u64, tree: TreeParams) -> [u8; 32] {
    let mut config = [0; 32];
    config[..4].copy_from_slice(b"SHA3");
    config[4] = 1;
    config[8..16].copy_from_slice(&output_bits.to_le_bytes());
    config[16..19].copy_from_slice(&[tree.leaf, tree.fan_out, tree.height]);
    config
}

/// Writes the state after all arguments, where the message begins.
pub fn initial(
    kernels: Kernels<u64>,
    arguments: &Arguments<'_>,
    output_bits: u64,
    tree: TreeParams,
    state: &mut [u64],
) {
    state.fill(0);
    let config = config(output_bits, tree);
    let all = [
        (BlockType::Key, Some(arguments.key).filter(|key| !key.is_empty())),
        (BlockType::Config, Some(&config[..])),
        (BlockType::Personalization, arguments.personalization),
        (BlockType::PublicKey, arguments.public_key),
        (BlockType::KeyId, arguments.key_id),
        (BlockType::Nonce, arguments.nonce),
    ];
    for (kind, argument) in all {
        if let Some(data) = argument {
            ubi::begin_call(state, kind, 0, 0);
            ubi::one_call(kernels, state, data, 0);
        }
    }
    ubi::begin_call(state, BlockType::Message, 0, 0);
}
