//! Tests of BLAKE3's outputs that are read on from their positions.

use jlanes::{
    Algorithm, Backend, Blake3,
    algorithm::{AnyHash, Key},
    multi::{Messages, Xofs},
};
use jlanes_testing::backends;

use crate::{
    KEY, Of,
    machine::{Reader, named, typed, walk},
    text,
};
use jlanes::digest::{ExtendableOutput, Update, XofReader};

fn peer(of: Of, text: &[u8], at: u64) -> Reader {
    let mut reader = of.peer().update(text).finalize_xof();
    reader.set_position(at);
    Box::new(move |out| reader.fill(out))
}

#[test]
fn outputs_continue() {
    let texts: Vec<_> =
        (0..35).map(|i| text([0, 1, 64, 65, 1024, 1025, 5000, 70_000][i % 8] + i / 8)).collect();
    for backend in backends::<Backend>() {
        for count in [0, 1, 16, 17, 35] {
            let mut xofs = Xofs::<Blake3>::new().on(backend);
            xofs.absorb(&texts[..count]);
            let mut readers: Vec<Reader> =
                texts[..count].iter().map(|text| peer(Of::Hash, text, 0)).collect();
            // the counter has a second word
            for at in [3, (1 << 38) - 100] {
                let mut reader = Blake3::default().chain("reader").finalize_xof();
                reader.set_position(at);
                xofs.extend([reader]);
                readers.push(peer(Of::Hash, b"reader", at));
            }
            walk(&format!("{backend}, {count} messages"), (xofs, typed), readers, 64);
        }
    }
}

#[test]
fn the_run_time_handle_continues_the_same_outputs() {
    let texts: Vec<_> = (0..20).map(|i| text(i * 97)).collect();
    let slices: Vec<&[u8]> = texts.iter().map(|text| &text[..]).collect();
    for backend in backends::<Backend>() {
        for prefix in [&b""[..], b"prefix", &[7; 1024]] {
            let blake3: Algorithm = "blake3".parse().unwrap();
            let keyed = blake3.with(Key::Own(KEY.to_vec())).unwrap();
            for (of, hash) in [(Of::Hash, AnyHash::from(blake3)), (Of::Keyed, keyed)] {
                let lanes = hash.lanes().unwrap().on(backend).prefix(prefix);
                let xofs = lanes.xofs(Messages::slices(&slices)).unwrap();
                let readers = texts.iter().map(|text| peer(of, &[prefix, text].concat(), 0));
                walk(&format!("{of:?}, {backend}"), (xofs, named), readers.collect(), 64);
            }
        }
    }
    let mut alone = [[0; 100]];
    let mut xofs = Xofs::<Blake3>::new();
    xofs.absorb(&["reader"]);
    xofs.squeeze(&mut alone);
    let mut right = [0; 100];
    Blake3::default().chain("reader").finalize_xof().read(&mut right);
    assert_eq!(alone, [right]);
}
