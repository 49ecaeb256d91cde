//! Chunking, backends and threads do not show in the result.

use core::fmt::Debug;

#[cfg(feature = "rayon")]
use jlanes::tree::ParUpdate;
use jlanes::{
    Backend, Digest, Sha256, Sha512,
    digest::{DynDigest, Reset, Update},
    merkle::{
        Apk, BitTorrent, Bitcoin, DmVerity, Dropbox, Format, FsVerity, Glacier, Hasher, Rfc6962,
        S3, Sha256Tree, Ssz, Version,
    },
};
use jlanes_testing::{backends, message};
use proptest::prelude::*;

/// Something to do with each format and data for it.
trait Check {
    fn check<T>(&mut self, format: &T, data: &[u8])
    where
        T: Format<Output: PartialEq + Debug, Error: PartialEq + Debug>;
}

/// Runs `check` on every format; where one takes no data of `len` bytes, with a little more.
fn for_every_format(len: usize, check: &mut impl Check) {
    let data = message(len as u64, len + 4096);
    let any = &data[..len];
    check.check(&FsVerity::sha256(1024, b"salt").unwrap(), any);
    check.check(&FsVerity::sha256(4096, b"").unwrap().root_only(), any);
    check.check(&Rfc6962::chunks::<Sha256>(100).unwrap(), any);
    check.check(&Rfc6962::chunks::<Sha256>(2 << 20).unwrap(), any);
    check.check(&Glacier, any);
    check.check(&Dropbox, any);
    check.check(&Sha256Tree::default(), any);
    check.check(&S3::new(3000).unwrap(), any);
    check.check(&S3::new(3 << 20).unwrap(), any);
    check.check(&Ssz::default(), any);
    check.check(&Ssz::with_limit(1 << 30), any);
    check.check(&BitTorrent::with_pieces(32 << 10).unwrap(), &data[..len + 1]);
    check.check(&Bitcoin, &data[..len.next_multiple_of(32) + 32]);
    let blocks = &data[..len.next_multiple_of(2048) + 2048];
    let verity = DmVerity::with_blocks::<Sha256>(2048, 1024, b"salt").unwrap().with_tree();
    check.check(&verity, blocks);
    check.check(&verity.version(Version::V0), blocks);
}

/// Pieces of these lengths over and over.
struct Pieces(Vec<usize>);

impl Check for Pieces {
    fn check<T>(&mut self, format: &T, mut data: &[u8])
    where
        T: Format<Output: PartialEq + Debug, Error: PartialEq + Debug>,
    {
        let expected = format.digest(data);
        let mut hasher = format.hasher();
        for &len in self.0.iter().cycle() {
            let (piece, rest) = data.split_at(len.min(data.len()));
            hasher.update(piece);
            data = rest;
            if data.is_empty() {
                break;
            }
        }
        assert_eq!(hasher.finalize(), expected);
    }
}

#[test]
fn pieces_of_any_size() {
    for_every_format(0, &mut Pieces(vec![1]));
    for_every_format(10_000, &mut Pieces(vec![1]));
    for_every_format(300_000, &mut Pieces(vec![0, 63, 1024, 65]));
    for_every_format(5_000_000, &mut Pieces(vec![65_536]));
    for_every_format(23_000_000, &mut Pieces(vec![1_000_000, 17, 17 << 20]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn random_pieces(len in 0..200_000_usize, pieces in prop::collection::vec(1..50_000_usize, 1..8)) {
        for_every_format(len, &mut Pieces(pieces));
    }
}

/// Every backend gives what the detected one gives.
struct Backends(Vec<Backend>);

impl Check for Backends {
    fn check<T>(&mut self, format: &T, data: &[u8])
    where
        T: Format<Output: PartialEq + Debug, Error: PartialEq + Debug>,
    {
        let expected = format.digest(data);
        for backend in &self.0 {
            let mut hasher = format.on(*backend);
            hasher.update(data);
            assert_eq!(hasher.finalize_reset(), expected, "{backend}");
            assert_eq!(hasher.digest(data), expected, "{backend}, once more");
        }
    }
}

#[test]
fn backends_agree() {
    for len in [1000, 300_000, 3_000_000] {
        for_every_format(len, &mut Backends(backends()));
    }
}

/// Threads give what one thread gives, in one slice and in several.
#[cfg(feature = "rayon")]
struct Threads;

#[cfg(feature = "rayon")]
impl Check for Threads {
    fn check<T>(&mut self, format: &T, data: &[u8])
    where
        T: Format<Output: PartialEq + Debug, Error: PartialEq + Debug>,
    {
        let expected = format.digest(data);
        assert_eq!(format.parallel().digest(data), expected);
        let mut hasher = format.hasher();
        let (left, right) = data.split_at(data.len() / 3);
        hasher.par_update(left);
        hasher.par_update(right);
        assert_eq!(hasher.finalize(), expected);
        let mut hasher = format.parallel().on(Backend::detect());
        hasher.update(left);
        hasher.update(right);
        assert_eq!(hasher.finalize(), expected);
    }
}

#[cfg(feature = "rayon")]
#[test]
fn threads_agree() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool(3).install(|| for_every_format(20_000_000, &mut Threads));
    for threads in [1, 2, 8] {
        pool(threads).install(|| {
            for len in [0, 1, 70_000, 1_000_000] {
                for_every_format(len, &mut Threads);
            }
        });
    }
}

#[test]
fn apk_sections_may_come_in_pieces() {
    let sections = [message(1, 5_000_000), message(2, 70_000), message(3, 22)];
    let slices = sections.each_ref().map(Vec::as_slice);
    let expected = Apk::sha256().digest(&slices);
    assert_eq!(Apk::sha256().on(Backend::portable()).digest(&slices), expected);
    let chunk = |chunk: &[u8]| {
        let len = (chunk.len() as u32).to_le_bytes();
        Sha512::new().chain_update([0xa5]).chain_update(len).chain_update(chunk).finalize()
    };
    let chunks: Vec<_> = slices.iter().flat_map(|data| data.chunks(1 << 20)).map(chunk).collect();
    let list = Sha512::new().chain_update([0x5a, chunks.len() as u8, 0, 0, 0]);
    assert_eq!(*Apk::sha512().digest(&slices), *list.chain_update(chunks.concat()).finalize());
    for piece in [1_000, 65_536, 3_000_000] {
        let mut apk = Apk::sha256();
        for section in &sections {
            section.chunks(piece).for_each(|piece| apk.update(piece));
            apk.end_section();
        }
        assert_eq!(apk.finalize(), expected);
        #[cfg(feature = "rayon")]
        {
            let mut apk = Apk::sha256().parallel();
            for section in &sections {
                section.chunks(piece).for_each(|piece| apk.update(piece));
                apk.end_section();
            }
            assert_eq!(apk.finalize(), expected, "on threads");
        }
    }
}

#[test]
fn formats_of_every_input_are_digests() {
    let data = message(1, 3 << 20);
    assert_eq!(<Hasher<Glacier> as Digest>::digest(&data), Glacier.digest(&data).unwrap());
    assert_eq!(
        <Hasher<Sha256Tree> as Digest>::digest(&data),
        Sha256Tree::default().digest(&data).unwrap()
    );
    assert_eq!(<Hasher<Dropbox> as Digest>::digest(&data), Dropbox.digest(&data).unwrap());
    let mut dynamic: Box<dyn DynDigest> = Box::new(Glacier.hasher());
    for _ in 0..2 {
        DynDigest::update(&mut *dynamic, &data);
        let Ok(expected) = Glacier.digest(&data);
        assert_eq!(dynamic.finalize_reset()[..], expected[..]);
    }
}

#[test]
fn a_clone_goes_its_own_way_and_a_reset_starts_over() {
    let format = Rfc6962::chunks::<Sha256>(1000).unwrap();
    let data = message(1, 200_000);
    let mut hasher = format.hasher();
    Update::update(&mut hasher, &data[..123_456]);
    let mut clone = hasher.clone();
    clone.update(&data[123_456..]);
    assert_eq!(clone.finalize(), format.digest(&data));
    Reset::reset(&mut hasher);
    hasher.update(&data[..5000]);
    assert_eq!(hasher.finalize(), format.digest(&data[..5000]));
}
