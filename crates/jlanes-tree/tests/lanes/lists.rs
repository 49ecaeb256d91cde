//! Tests of j-pointers, the digest of a list of messages.

use jlanes_testing::{message, model::lanes as model};
use jlanes_tree::jpointers::{JPointers, JPointersRaw};

use crate::{Sha256, Sha512};

#[test]
fn as_in_the_model() {
    for count in [0, 1, 3, 4, 5, 20] {
        let messages: Vec<_> =
            (0..count).map(|i| message(i, (i * i * 61 % 599) as usize)).collect();
        let slices: Vec<_> = messages.iter().map(Vec::as_slice).collect();
        let expected = model::jpointers::<sha2::Sha256>(&messages, 4, 64);
        assert_eq!(JPointers::<Sha256>::digest(&slices), expected, "{count} messages");
        let expected = model::jpointers_raw::<sha2::Sha512>(&messages);
        assert_eq!(JPointersRaw::<Sha512>::digest(&slices), expected, "{count} messages");
    }
}

#[test]
fn messages_may_come_one_by_one_or_in_pieces() {
    let messages: Vec<_> = (0..9).map(|i| message(i, 150 * i as usize)).collect();
    let expected = model::jpointers::<sha2::Sha256>(&messages, 4, 64);
    let mut list = JPointers::<Sha256>::new();
    assert!(list.is_empty());
    list.push(&messages[0]);
    list.push_all(&messages[1..4].iter().map(Vec::as_slice).collect::<Vec<_>>());
    let Ok(()) = list.push_sources(messages[4..].iter().map(|message| ((), &message[..])));
    assert_eq!((list.len(), list.is_empty()), (9, false));
    assert_eq!(list.finalize(), expected);
}
