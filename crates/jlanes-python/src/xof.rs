//! The functions with outputs of any length, by name: SHAKE and KangarooTwelve.

use jlanes::{
    Shake128, Shake256,
    digest::{ExtendableOutput, Update},
    multi::Xofs,
    tree::{Kt128, Kt256},
};

/// A function that fills an output for each message.
pub(crate) type Filler = fn(&[&[u8]], &mut [&mut [u8]]);

fn one_by_one<H: ExtendableOutput + Update + Default>(messages: &[&[u8]], outs: &mut [&mut [u8]]) {
    for (message, out) in messages.iter().zip(outs) {
        H::digest_xof(message, out);
    }
}

/// A function with outputs of any length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Xof {
    Shake128,
    Shake256,
    Kt128,
    Kt256,
}

impl Xof {
    pub(crate) const ALL: [Self; 4] = [Self::Shake128, Self::Shake256, Self::Kt128, Self::Kt256];

    /// Our name of the function.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Shake128 => "shake128",
            Self::Shake256 => "shake256",
            Self::Kt128 => "kt128",
            Self::Kt256 => "kt256",
        }
    }

    /// The function with this name, in any case. hashlib's names have an underscore before the number.
    pub(crate) fn find(name: &str) -> Option<Self> {
        let is = |xof: &Self| {
            let (word, number) = xof.name().split_at(xof.name().len() - 3);
            let start = name.get(..word.len()).filter(|start| start.eq_ignore_ascii_case(word));
            let end = start.map(|start| &name[start.len()..]);
            end.is_some_and(|end| end.strip_prefix(['-', '_']).unwrap_or(end) == number)
        };
        Self::ALL.into_iter().find(is)
    }

    /// The function for many messages. KangarooTwelve puts the parts of one message into lanes, so it
    /// hashes messages one by one.
    pub(crate) fn filler(self) -> Filler {
        match self {
            Self::Shake128 => |messages, outs| Xofs::<Shake128>::new().fill(messages, outs),
            Self::Shake256 => |messages, outs| Xofs::<Shake256>::new().fill(messages, outs),
            Self::Kt128 => one_by_one::<Kt128>,
            Self::Kt256 => one_by_one::<Kt256>,
        }
    }
}
