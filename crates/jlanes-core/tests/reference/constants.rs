//! The constants that are computed, against values printed in the standards.

use jlanes_core::reference::constants as c;

#[test]
fn md5_adds_sines() {
    for (i, t) in c::T.iter().enumerate() {
        let sine = (i as f64 + 1.0).sin().abs();
        assert_eq!(*t, (sine * 4_294_967_296.0) as u32, "T[{}]", i + 1);
    }
    assert_eq!((c::T[0], c::T[63]), (0xd76a_a478, 0xeb86_d391));
}

#[test]
fn ripemd160_adds_roots() {
    assert_eq!(c::K_160, [0, 0x5a82_7999, 0x6ed9_eba1, 0x8f1b_bcdc, 0xa953_fd4e]);
    assert_eq!(c::K_160_PRIME, [0x50a2_8be6, 0x5c4d_d124, 0x6d70_3ef3, 0x7a6d_76e9, 0]);
}
