//! Growing buffers with a known maximum length.

use alloc::vec::Vec;

/// Appends `data` to a buffer that never exceeds `most` bytes. It doubles as vectors do up to half
/// of `most`, and then reserves exactly `most`: doubling a buffer of long leaves would waste as
/// much again.
pub(crate) fn append(buffer: &mut Vec<u8>, data: &[u8], most: usize) {
    let len = buffer.len() + data.len();
    if len > buffer.capacity() {
        let doubled = buffer.capacity().saturating_mul(2).max(len);
        let capacity = if doubled >= most / 2 { most.max(len) } else { doubled };
        buffer.reserve_exact(capacity - buffer.len());
    }
    buffer.extend_from_slice(data);
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    #[test]
    fn it_doubles_up_to_half_of_its_most() {
        let mut buffer = Vec::new();
        let mut capacities = Vec::new();
        for _ in 0..100 {
            append(&mut buffer, &[7], 100);
            capacities.push(buffer.capacity());
        }
        capacities.dedup();
        assert_eq!((buffer, capacities), (vec![7; 100], vec![1, 2, 4, 8, 16, 32, 100]));
    }
}
