//! Tests of BLAKE3's outputs of any length, of many messages at once.

use jlanes::{Backend, Blake3, multi::Xofs};
use jlanes_core::hashes::blake3::hasher::Hasher;
use jlanes_testing::backends;

use crate::{Of, text};

fn expected(of: Of, message: &[u8], out: &mut [u8]) {
    of.peer().update(message).finalize_xof().fill(out);
}

fn check(messages: &[&[u8]], sizes: &[usize]) {
    for of in Of::ALL {
        for backend in backends::<Backend>() {
            let mut outs: Vec<_> = sizes.iter().map(|size| vec![0; *size]).collect();
            let mut slices: Vec<_> = outs.iter_mut().map(Vec::as_mut_slice).collect();
            Hasher::with_mode(backend, of.mode()).fill_many(|i| messages[i], &mut slices);
            for (message, out) in messages.iter().zip(&outs) {
                let mut right = vec![0; out.len()];
                expected(of, message, &mut right);
                let lens = (message.len(), out.len());
                assert!(*out == right, "{of:?}, {backend}, bytes of message and output: {lens:?}");
            }
        }
    }
}

#[test]
fn messages_and_outputs_of_any_lengths() {
    let data = text(70_000);
    type Lens = fn(usize) -> usize;
    let lens: [(Lens, Lens); 6] = [
        (|_| 32, |_| 64),
        (|_| 100, |i| 50 * i),
        (|i| i * 64, |_| 131),
        (|i| i * i * 61 % 5999, |i| 4000 - 100 * i),
        (|i| 1024 + i, |i| i * 97 % 600),
        (|i| i % 2 * 66_000, |i| 2048 * (i % 3)),
    ];
    for count in [1, 2, 16, 17, 40] {
        for (len, size) in lens {
            let messages: Vec<_> = (0..count).map(|i| &data[i..][..len(i)]).collect();
            let sizes: Vec<_> = (0..count).map(size).collect();
            check(&messages, &sizes);
        }
    }
}

#[test]
fn outputs_of_the_facade() {
    let data = text(3000);
    let messages = [&data[..10], &data[..], b""];
    let mut outs = [[0; 700]; 3];
    let [one, two, three] = &mut outs;
    Xofs::<Blake3>::new().fill(&messages, &mut [one, two, three]);
    for (message, out) in messages.iter().zip(&outs) {
        let mut right = [0; 700];
        expected(Of::Hash, message, &mut right);
        assert_eq!(*out, right);
    }
}
