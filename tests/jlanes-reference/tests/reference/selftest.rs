//! The self-test of RFC 7693, appendix E: many BLAKE2 digests, hashed to one.

use jlanes_reference::{Blake2, blake2b, blake2s};

/// `selftest_seq`.
fn sequence(len: usize, seed: u32) -> Vec<u8> {
    let (mut a, mut b) = (0xdead_4bad_u32.wrapping_mul(seed), 1_u32);
    let next = |_| {
        let t = a.wrapping_add(b);
        (a, b) = (b, t);
        (t >> 24) as u8
    };
    (0..len).map(next).collect()
}

type Hash = fn(&Blake2<'_>, &[u8], &mut [u8]);

/// Plain and keyed digests of all lengths in question, one after the other, hashed to 32 bytes.
fn grand_hash(hash: Hash, digest_lens: [usize; 4], message_lens: [usize; 6]) -> [u8; 32] {
    let mut all = Vec::new();
    for out_len in digest_lens {
        for in_len in message_lens {
            let message = sequence(in_len, in_len as u32);
            let key = sequence(out_len, out_len as u32);
            for key in [&[][..], &key] {
                let mut digest = vec![0; out_len];
                hash(&Blake2 { key, ..Blake2::default() }, &message, &mut digest);
                all.extend(digest);
            }
        }
    }
    let mut result = [0; 32];
    hash(&Blake2::default(), &all, &mut result);
    result
}

#[test]
fn blake2b_passes() {
    let result = grand_hash(blake2b, [20, 32, 48, 64], [0, 3, 128, 129, 255, 1024]);
    let expected = [
        0xc2, 0x3a, 0x78, 0x00, 0xd9, 0x81, 0x23, 0xbd, 0x10, 0xf5, 0x06, 0xc6, 0x1e, 0x29, 0xda,
        0x56, 0x03, 0xd7, 0x63, 0xb8, 0xbb, 0xad, 0x2e, 0x73, 0x7f, 0x5e, 0x76, 0x5a, 0x7b, 0xcc,
        0xd4, 0x75,
    ];
    assert_eq!(result, expected);
}

#[test]
fn blake2s_passes() {
    let result = grand_hash(blake2s, [16, 20, 28, 32], [0, 3, 64, 65, 255, 1024]);
    let expected = [
        0x6a, 0x41, 0x1f, 0x08, 0xce, 0x25, 0xad, 0xcd, 0xfb, 0x02, 0xab, 0xa6, 0x41, 0x45, 0x1c,
        0xec, 0x53, 0xc5, 0x98, 0xb2, 0x4f, 0x4f, 0xc7, 0x87, 0xfb, 0xdc, 0x88, 0x79, 0x7f, 0x4c,
        0x1d, 0xfe,
    ];
    assert_eq!(result, expected);
}
