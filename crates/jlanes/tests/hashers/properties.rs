//! Properties over arbitrary messages, pieces and batches.

use jlanes::{
    Backend,
    digest::{FixedOutputReset, Reset, Update},
};
use jlanes_testing::backends;
use proptest::{collection::vec, prelude::*, sample::select, test_runner::TestRunner};

use crate::{
    scheduler::Pieces,
    table::{Hasher, expected, expected_each},
};

for_every_hasher!(
    pieces_are_as_good_as_the_whole,
    clones_go_separate_ways,
    reset_hashers_are_new,
    batches_equal_one_by_one,
    prefixes_equal_concatenation,
    schedulers_equal_one_by_one,
);

fn bytes(max: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..=max)
}

fn messages() -> impl Strategy<Value = Vec<Vec<u8>>> {
    vec(bytes(400), 0..40)
}

fn slices(messages: &[Vec<u8>]) -> Vec<&[u8]> {
    messages.iter().map(Vec::as_slice).collect()
}

fn backend() -> impl Strategy<Value = Backend> {
    select(backends::<Backend>())
}

/// Runs a property on 64 cases.
#[track_caller]
fn for_all<S: Strategy>(inputs: S, property: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) };
    if let Err(failure) = TestRunner::new(config).run(&inputs, property) {
        panic!("{failure}");
    }
}

fn pieces_are_as_good_as_the_whole<H: Hasher>() {
    for_all(vec(bytes(300), 0..12), |pieces| {
        let mut hasher = H::default();
        for piece in &pieces {
            Update::update(&mut hasher, piece);
        }
        prop_assert_eq!(hasher.finalize(), expected::<H>(&pieces.concat()));
        Ok(())
    });
}

fn clones_go_separate_ways<H: Hasher>() {
    for_all((bytes(300), bytes(300), bytes(300)), |(head, left, right)| {
        let original = H::default().chain_update(&head);
        let copy = original.clone();
        let original = original.chain_update(&left);
        prop_assert_eq!(
            copy.chain_update(&right).finalize(),
            expected::<H>(&[head.clone(), right].concat())
        );
        prop_assert_eq!(original.finalize(), expected::<H>(&[head, left].concat()));
        Ok(())
    });
}

fn reset_hashers_are_new<H: Hasher>() {
    for_all((bytes(300), bytes(300), bytes(300)), |(first, second, third)| {
        let mut hasher = H::default();
        Update::update(&mut hasher, &first);
        Reset::reset(&mut hasher);
        Update::update(&mut hasher, &second);
        prop_assert_eq!(
            FixedOutputReset::finalize_fixed_reset(&mut hasher),
            expected::<H>(&second)
        );
        Update::update(&mut hasher, &third);
        prop_assert_eq!(hasher.finalize(), expected::<H>(&third));
        Ok(())
    });
}

fn batches_equal_one_by_one<H: Hasher>() {
    for_all((backend(), messages()), |(backend, messages)| {
        let messages = slices(&messages);
        prop_assert_eq!(H::many(backend, &messages), expected_each::<H>(&messages));
        Ok(())
    });
}

fn prefixes_equal_concatenation<H: Hasher>() {
    for_all((backend(), bytes(300), messages()), |(backend, prefix, messages)| {
        let whole: Vec<_> = messages.iter().map(|m| [&prefix[..], m].concat()).collect();
        let batch = H::many_prefixed(backend, &prefix, &slices(&messages));
        prop_assert_eq!(batch, expected_each::<H>(&slices(&whole)));
        Ok(())
    });
}

fn schedulers_equal_one_by_one<H: Hasher>() {
    let inputs = (backend(), messages(), vec(1..200_usize, 1..5));
    for_all(inputs, |(backend, messages, lengths)| {
        let sources = messages.iter().enumerate().map(|(i, m)| Pieces::new(i, m, &lengths));
        let mut outcomes = H::schedule(backend, sources);
        outcomes.sort_by_key(|(key, _)| *key);
        let digests: Vec<_> = outcomes.into_iter().map(|(_, Ok(digest))| digest).collect();
        prop_assert_eq!(digests, expected_each::<H>(&slices(&messages)));
        Ok(())
    });
}
