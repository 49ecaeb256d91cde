//! Outputs that are read on from their positions, compared with one reader per output.

use jlanes::{
    algorithm::AnyXofs,
    multi::{MultiXof, Xofs},
};
use jlanes_testing::message;

/// Squeezes some outputs, or all, of the typed handle or of the run-time one.
pub(crate) type Squeeze<X> = fn(&mut X, Option<&[usize]>, &mut [Vec<u8>]);

pub(crate) fn typed<H: MultiXof>(
    xofs: &mut Xofs<H>,
    which: Option<&[usize]>,
    outs: &mut [Vec<u8>],
) {
    match which {
        None => xofs.squeeze(outs),
        Some(which) => xofs.squeeze_some(which, outs),
    }
}

pub(crate) fn named(xofs: &mut AnyXofs, which: Option<&[usize]>, outs: &mut [Vec<u8>]) {
    match which {
        None => xofs.squeeze(outs),
        Some(which) => xofs.squeeze_some(which, outs),
    }
}

/// Reads the next bytes of an output by another implementation.
pub(crate) type Reader = Box<dyn FnMut(&mut [u8])>;

/// Numbers that the same seed repeats.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 += 1;
        let bytes = message(self.0, 8);
        bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte)) % bound
    }

    /// A number of bytes, often at or next to the edge of a block.
    fn size(&mut self, block: usize) -> usize {
        match self.below(4) {
            0 => (self.below(4) * block + self.below(3)).saturating_sub(1),
            1 => self.below(9),
            2 => self.below(2) * block,
            _ => self.below(700),
        }
    }
}

/// Squeezes any numbers of bytes of any outputs in turn, and compares them with the readers'.
/// `block` is the number of bytes that the function computes at a time.
pub(crate) fn walk<X: Clone>(
    what: &str,
    (mut xofs, squeeze): (X, Squeeze<X>),
    mut readers: Vec<Reader>,
    block: usize,
) {
    let mut random = Random(1000 * readers.len() as u64);
    let count = readers.len();
    for step in 0..40 {
        let which: Vec<usize> = match random.below(4) {
            0 => (0..count).filter(|_| random.below(2) == 0).collect(),
            1 => (0..count).filter(|_| random.below(8) == 0).collect(),
            2 => (random.below(count + 1)..count).collect(),
            _ => (0..count).collect(),
        };
        let same = (random.below(2) == 0).then(|| random.size(block));
        let mut outs: Vec<Vec<u8>> =
            which.iter().map(|_| vec![0xee; same.unwrap_or_else(|| random.size(block))]).collect();
        let mut again = outs.clone();
        let mut twin = xofs.clone();
        if which.len() == count && random.below(2) == 0 {
            squeeze(&mut xofs, None, &mut outs);
        } else {
            squeeze(&mut xofs, Some(&which), &mut outs);
        }
        squeeze(&mut twin, Some(&which), &mut again);
        assert!(outs == again, "{what}, step {step}: a clone differs");
        if random.below(2) == 0 {
            xofs = twin;
        }
        for (i, out) in which.iter().zip(&outs) {
            let mut expected = vec![0; out.len()];
            readers[*i](&mut expected);
            assert!(*out == expected, "{what}, step {step}: output {i} of {count}");
        }
    }
}
