//! Every target over its corpus, over inputs that once failed, and over bytes that nobody chose.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use jlanes_fuzz::{TARGETS, run};
use jlanes_testing::message;

/// Pseudo-random inputs for each target, unless `JLANES_FUZZ_INPUTS` says how many. The corpora have inputs only for
/// code that these do not reach.
const RANDOM: u64 = 500;

#[test]
fn the_corpora_pass() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    for &(name, body) in TARGETS {
        let folders =
            ["corpus", "regressions"].map(|kind| fs::read_dir(fuzz.join(kind).join(name)));
        assert!(folders[0].is_ok(), "there is no corpus of {name}");
        let files: Vec<_> =
            folders.into_iter().flatten().flatten().map(|file| file.unwrap().path()).collect();
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
    // for `fuzz/long merge`
    let kept = env::var_os("JLANES_FUZZ_KEEP").map(PathBuf::from);
    for &(name, body) in TARGETS {
        if only.as_ref().is_ok_and(|only| only != name) {
            continue;
        }
        let passed = (0..inputs).filter(|seed| {
            let input = message(*seed, (seed * 7 % 500) as usize);
            if let Some(folder) = &kept {
                fs::write(folder.join(seed.to_string()), &input).unwrap();
            }
            run(body, &input)
        });
        let passed = passed.count();
        assert!(passed > inputs as usize / 2, "{name}: only {passed} inputs made a case");
    }
}
