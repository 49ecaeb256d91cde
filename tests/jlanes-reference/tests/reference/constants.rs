//! The constants that are computed, against values printed in the standards.

use jlanes_reference::{constants as c, keccak_f1600};

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

/// FIPS 202, table 2: columns are x = 3, 4, 0, 1, 2 and rows y = 2, 1, 0, 4, 3.
#[test]
fn rho_rotates_by_triangular_numbers() {
    let table = [
        [153, 231, 3, 10, 171],
        [55, 276, 36, 300, 6],
        [28, 91, 0, 1, 190],
        [120, 78, 210, 66, 253],
        [21, 136, 105, 45, 15],
    ];
    for (row, y) in table.iter().zip([2, 1, 0, 4, 3]) {
        for (offset, x) in row.iter().zip([3, 4, 0, 1, 2]) {
            assert_eq!(c::RHO[x][y], offset % 64, "lane ({x}, {y})");
        }
    }
}

#[test]
fn iota_adds_the_bits_of_a_shift_register() {
    assert_eq!(c::RC[..3], [1, 0x8082, 0x8000_0000_0000_808a]);
    assert_eq!(c::RC[21..], [0x8000_0000_0000_8080, 0x8000_0001, 0x8000_0000_8000_8008]);
}

/// The Keccak team's intermediate values of Keccak-f\[1600\].
#[test]
fn zeros_are_permuted_as_published() {
    let mut state = [0; 25];
    keccak_f1600(&mut state);
    assert_eq!(state[..2], [0xf125_8f79_40e1_dde7, 0x84d5_ccf9_33c0_478a]);
    assert_eq!(state[24], 0xeaf1_ff7b_5cec_a249);
    keccak_f1600(&mut state);
    assert_eq!(state[..2], [0x2d5c_954d_f96e_cb3c, 0x6a33_2cd0_7057_b56d]);
    assert_eq!(state[24], 0x20d0_6cd2_6a8f_bf5c);
}
