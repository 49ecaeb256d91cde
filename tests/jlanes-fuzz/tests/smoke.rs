//! Every target over its corpus, and over pseudo-random bytes.

use std::{env, fs, path::Path};

use jlanes_fuzz::{TARGETS, run};
use jlanes_testing::message;

/// The number of pseudo-random inputs for each target, unless `JLANES_FUZZ_INPUTS` has another.
const RANDOM: u64 = 300;

#[test]
fn the_corpora_pass() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for &(name, body) in TARGETS {
        let files: Vec<_> = fs::read_dir(corpora.join(name))
            .unwrap_or_else(|error| panic!("the corpus of {name}: {error}"))
            .map(|file| file.unwrap().path())
            .collect();
        assert!(!files.is_empty(), "the corpus of {name} is empty");
        let passed = files.iter().filter(|file| {
            let input = fs::read(file).unwrap();
            run(body, &input)
        });
        assert!(passed.count() > 0, "no input of {name}'s corpus makes a case");
    }
}

#[test]
fn random_inputs_pass() {
    let inputs = env::var("JLANES_FUZZ_INPUTS").map_or(RANDOM, |n| n.parse().unwrap());
    let only = env::var("JLANES_FUZZ_TARGET");
    for &(name, body) in TARGETS {
        if only.as_ref().is_ok_and(|only| only != name) {
            continue;
        }
        let passed = (0..inputs).filter(|seed| {
            let input = message(*seed, (seed * 7 % 500) as usize);
            run(body, &input)
        });
        let passed = passed.count();
        assert!(passed > inputs as usize / 2, "{name}: only {passed} inputs made a case");
    }
}
