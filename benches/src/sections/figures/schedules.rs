//! \[SMS\]: one message at a time. Figure 5 is among the
//! [instruction counts](crate::sections::instructions).

use jlanes::{
    Backend, Sha256, Sha512,
    multi::{Lanes, MultiDigest},
    skein::Skein512,
};
use jlanes_core::{hash::HashFunction, kernel::HasKernels};

use super::{Figure, Plot};
use crate::{
    contest::Contest,
    method::{Method, another, forced, linear_on, n_sms_on, on_backend, one_by_one, outputs},
    peers::{Function, libraries, peer},
    workload::{KIB, Workload},
};

pub(super) fn all() -> Vec<Figure> {
    let sha256 = by_size::<Sha256>(one_by_one::<sha2::Sha256>, Function::Sha256);
    let sha512 = by_size::<Sha512>(one_by_one::<sha2::Sha512>, Function::Sha512);
    vec![
        Figure::new("[SMS] Fig. 3: SHA-256, one message", SIZES, Plot::Sizes, sha256),
        Figure::new("[SMS] Fig. 4: SHA-512, one message", SIZES, Plot::Sizes, sha512),
        Figure::new("[SMS] Fig. 6: pre-expanded padding", PADDING, Plot::Ratios, padding()),
        Figure::new(
            "[SMS] Fig. 7: SHA-2 and SHA-3's finalists",
            FINALISTS,
            Plot::Methods,
            [finalists()],
        ),
    ]
}

const SIZES: &str = "\
The sizes of `openssl speed`: what the crate takes by itself, its schedules in vectors on instruction \
sets without SHA-NI, of one block and of several at once (n-SMS), and other libraries.";
const PADDING: &str = "\
Messages of k whole blocks, and messages with as many compressions that end within a block. After whole \
blocks the padding is a block of its own, and its schedule is a constant.";
const FINALISTS: &str = "Linear hashing of 8 KiB; Skein is ours and the crate's, BLAKE is BLAKE-1.";

/// `D` compared with the crate that it replaces, which must not win, and with the libraries.
fn by_size<D>(
    replaced: fn(&'static str) -> Method,
    function: Function,
) -> impl Iterator<Item = Contest>
where
    D: MultiDigest<Backend = Backend>,
    Backend: HasKernels<<D::Hash as HashFunction>::Compression>,
{
    [16, 64, 256, KIB, 8 * KIB, 16 * KIB].into_iter().map(move |size| {
        let alone = ["portable", "sse41", "avx2", "avx512vl"]
            .map(|backend| linear_on::<D>(backend).named(format!("jlanes on {backend}")));
        let together = ["sse41+n-sms", "avx2+n-sms", "avx512vl+n-sms"].map(n_sms_on::<D>);
        Contest::new("", Workload::equal(1, size), one_by_one::<D>("jlanes"))
            .against(replaced("sha2"), 1.0)
            .beside(libraries(function).into_iter().chain(alone).chain(together))
    })
}

/// Bytes that still fit behind whole blocks without another block for the padding.
const TAIL_BYTES: usize = 55;

fn padding() -> impl Iterator<Item = Contest> {
    let backends = ["portable", "sse41", "avx2", "avx512vl", "avx512", "shani"];
    backends
        .into_iter()
        .flat_map(|backend| [1, 2, 4].map(|blocks| constant_padding(backend, blocks)))
}

/// Messages cut to whole blocks, compared with the complete messages.
fn constant_padding(name: &'static str, blocks: usize) -> Contest {
    let whole = 64 * blocks;
    let cut = on_backend(name, |backend| {
        Method::prepared(name, 32, move |messages| {
            let cut: Vec<&[u8]> = messages.iter().map(|message| &message[..whole]).collect();
            Box::new(move |digests| {
                Lanes::<Sha256>::new().on(backend).digest(&cut, outputs::<Sha256>(digests));
            })
        })
    });
    Contest::new("", Workload::equal(64, whole + TAIL_BYTES), cut)
        .ours_named(format!("{name}, {blocks} whole"))
        .beside([forced::<Sha256>(name).named("not whole").of_another_function()])
}

fn finalists() -> Contest {
    let own = |name| peer(name, Function::Own);
    Contest::new("", Workload::equal(1, 8 * KIB), one_by_one::<Sha256>("SHA-256, jlanes"))
        .beside([one_by_one::<sha2::Sha256>("SHA-256, sha2")])
        .beside([
            linear_on::<Sha256>("avx2").named("SHA-256, jlanes without SHA-NI"),
            another::<Sha512>("SHA-512, jlanes"),
            another::<sha2::Sha512>("SHA-512, sha2"),
            another::<Skein512>("Skein-512, jlanes"),
            another::<skein::Skein512<digest::consts::U64>>("Skein-512, skein"),
        ])
        .beside(["BLAKE-256", "Grøstl-256", "JH-256", "SHA3-256"].map(own))
        .beside(["BLAKE2s", "BLAKE2b", "BLAKE3"].map(own))
}
