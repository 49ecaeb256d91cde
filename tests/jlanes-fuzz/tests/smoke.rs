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
    let folders = ["corpus", "regressions"].map(|kind| fs::read_dir(fuzz.join(kind)).unwrap());
    for folder in folders.into_iter().flatten() {
        let folder = folder.unwrap().path();
        let target = TARGETS.iter().find(|(name, _)| folder.ends_with(name));
        let (_, body) = *target.unwrap_or_else(|| panic!("{}: no target", folder.display()));
        let files: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap()).collect();
        let passed = files.iter().filter(|file| run(body, &fs::read(file.path()).unwrap()));
        let made = passed.count();
        assert!(made > 0 || files.is_empty(), "{}: no input makes a case", folder.display());
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
