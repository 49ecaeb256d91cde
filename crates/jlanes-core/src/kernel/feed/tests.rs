//! Tests of interleaved rows: which super-blocks can be read whole.

use super::*;

/// A super-block is readable if its last row has the bytes up to the end of the lanes, even if these
/// reach into the next row.
#[test]
fn rows_are_readable_up_to_the_last_lane() {
    for (lanes, words) in [(1, 4), (3, 4), (8, 2)] {
        for end in [1, lanes, lanes + 5] {
            for len in 0..4 * 4 * words * (lanes + 5) {
                let readable = |blocks: usize| {
                    let last_row = (blocks * words - 1) * lanes;
                    (last_row + end) * 4 <= len
                };
                let expected = (1..).take_while(|blocks| readable(*blocks)).count();
                let rows = Interleaved { data: &[0; 512][..len], lanes };
                assert_eq!(rows.readable::<u32>(words, end), expected, "{len} bytes");
            }
        }
    }
}
