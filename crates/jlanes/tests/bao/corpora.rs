//! Known answers of the crates `blake3`, `bao` and `bao-tree`.

use jlanes::{
    Blake3, Digest,
    bao::{Bao, Layout, Value, left_len, max_len},
    digest::XofReader,
};
use jlanes_testing::{Record, corpus};

use crate::{decode, open, part};

/// The tree in the mode of a record.
fn bao(record: &Record) -> Bao {
    if record.has("key_hex") {
        Bao::new(Blake3::new_keyed(&value(record, "key_hex")))
    } else if record.has("context") {
        Bao::new(Blake3::new_derive_key(record.text("context")))
    } else {
        Bao::default()
    }
}

fn value(record: &Record, field: &str) -> Value {
    record.hex(field).try_into().unwrap()
}

/// Compares an encoding with that of a record, which has its length and digest.
fn assert_encoded(record: &Record, field: &str, encoded: &[u8]) {
    let expected = record.record(field);
    assert_eq!(encoded.len(), expected.number::<usize>("len"), "{}", expected.name());
    assert_eq!(Blake3::digest(encoded)[..], expected.hex("blake3"), "{}", expected.name());
}

#[test]
fn answers_of_other_tools() {
    let mut kinds = [0; 6];
    for record in corpus("bao") {
        let (kind, check): (usize, fn(&Record)) = match record.text("kind") {
            "cv" => (0, subtree),
            "merge" => (1, merge),
            "left_len" => (2, left),
            "bao" => (3, encodings),
            "group" => (4, groups),
            _ => (5, verified),
        };
        kinds[kind] += 1;
        check(&record);
    }
    assert_eq!(kinds, [21, 5, 9, 15, 18, 11]);
}

fn subtree(record: &Record) {
    let offset = record.number("offset");
    let found = bao(record).subtree(offset, &record.message());
    assert_eq!(found, Ok(value(record, "cv_hex")), "{}", record.name());
    assert_eq!(max_len(offset), record.has("max_len").then(|| record.number("max_len")));
}

fn merge(record: &Record) {
    let (bao, left, right) = (bao(record), value(record, "left_hex"), value(record, "right_hex"));
    assert_eq!(bao.merge(&left, &right), value(record, "cv_hex"), "{}", record.name());
    let mut output = [0; 100];
    bao.merge_root_xof(&left, &right).read(&mut output);
    assert_eq!(output[..], record.hex("root_xof_100_hex"), "{}", record.name());
    assert_eq!(bao.merge_root(&left, &right), output[..32], "{}", record.name());
}

fn left(record: &Record) {
    assert_eq!(left_len(record.number("len")), Some(record.number("left_len")));
}

fn encodings(record: &Record) {
    let (message, root) = (record.message(), value(record, "root_hex"));
    let outboard = Bao::default().outboard(Layout::BAO, &message);
    assert_eq!(outboard.root(), root, "{}", record.name());
    let outboard = outboard.to_bytes();
    assert_encoded(record, "outboard", &outboard);
    let mut verified = open(&root, Layout::BAO, &outboard, &message).unwrap();
    let mut combined = Vec::new();
    verified.slice(0..u64::MAX, &mut combined).unwrap();
    assert_encoded(record, "combined", &combined);
    let start = record.number("start");
    let range = start..start + record.number::<u64>("count");
    let mut slice = Vec::new();
    verified.slice(range.clone(), &mut slice).unwrap();
    assert_encoded(record, "slice", &slice);
    let (decoded, out) = decode(&root, range.clone(), &slice);
    assert_eq!(decoded.unwrap().bytes, record.number::<u64>("decoded_len"), "{}", record.name());
    assert_eq!(out, part(&message, range), "{}", record.name());
}

fn groups(record: &Record) {
    let (message, root) = (record.message(), value(record, "root_hex"));
    let layout = Layout::groups(record.number("group_log")).unwrap();
    let outboard = Bao::default().outboard(layout, &message);
    assert_eq!(outboard.root(), root, "{}", record.name());
    assert_encoded(record, "outboard_pre", outboard.parents());
    if record.has("encoded") {
        let end = if record.has("end") { record.number::<u64>("end") * 1024 } else { u64::MAX };
        let range = record.number::<u64>("first") * 1024..end;
        let mut encoded = Vec::new();
        let mut verified = open(&root, layout, outboard.parents(), &message).unwrap();
        verified.encode(range.clone(), &mut encoded).unwrap();
        assert_encoded(record, "encoded", &encoded);
        let (mut out, len) = (Vec::new(), message.len() as u64);
        Bao::default().decode(&root, (layout, len), range.clone(), &encoded[..], &mut out).unwrap();
        assert_eq!(out, part(&message, range), "{}", record.name());
    }
}

fn verified(record: &Record) {
    let start = record.number("start");
    let range = start..start + record.number::<u64>("count");
    let (decoded, _) = decode(&value(record, "root_hex"), range, &record.hex("slice_hex"));
    assert_eq!(decoded.is_ok(), record.value("ok").as_bool().unwrap(), "{}", record.name());
}
