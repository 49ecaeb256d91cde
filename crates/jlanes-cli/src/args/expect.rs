//! The one digest that files are expected to have.

use std::{ffi::OsString, sync::Arc};

use super::{
    Args,
    algorithm::{Wanted, refuse_checksums},
    digests, list_tasks,
    tool::Called,
    usage::{Misuse, usage},
};
use crate::{
    hash::{Named, Parameters},
    lists::{Guess, Which, others, text},
    report::quote,
    tasks::Task,
};

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Checking")]
pub(super) struct Expecting {
    /// Compare each FILE with this digest. Without ALG and -a its length selects the algorithm
    #[arg(long, value_name = "[ALG:]HEX")]
    #[arg(conflicts_with_all = ["check", "audit", "update", "dedupe", "dirhash", "output", "format"])]
    #[arg(conflicts_with_all = ["recursive", "raw", "zero", "tag", "base64", "no_names"])]
    #[arg(conflicts_with_all = ["fsverity_format"])]
    pub(super) expect: Option<OsString>,
}

/// The algorithm of a digest that stands behind `ALG:`, or else what `wanted` and its length say.
fn algorithm(
    spec: Option<&str>,
    digest: &str,
    called: &Called,
    wanted: Wanted,
) -> Result<Named, Misuse> {
    let bits = 4 * digest.len() as u64;
    match (spec, wanted) {
        (Some(spec), Wanted::Listed) => called.named(spec.as_ref()),
        (Some(_), _) => usage("--expect and --algorithm both name an algorithm"),
        (None, Wanted::Named(named)) => match <[Named; 1]>::try_from(named) {
            Ok([named]) => Ok(named),
            Err(_) => usage("--expect compares by one algorithm"),
        },
        (None, Wanted::Family(family)) => family.member(bits).ok_or_else(|| {
            Misuse::value(format!("--expect: {} has no digests of {bits} bits", family.tag))
        }),
        (None, Wanted::Listed) => match Guess::new(bits, &[]) {
            Guess::One(name) => called.named(name.as_ref()),
            Guess::Several(names) => usage(format!(
                "--expect: a digest of {bits} bits may be {}; say which, as in {}:{}...",
                names.join(", "),
                names[0],
                digest.get(..8).unwrap_or_default(),
            )),
            Guess::Nothing => usage(format!(
                "--expect: {} has no usual length; name its algorithm, as in sha256:HEX",
                quote::value(digest)
            )),
        },
    }
}

pub(super) fn expect_task(
    mut args: Args,
    called: &Called,
    wanted: Wanted,
    given: Arc<Parameters>,
) -> Result<Task, Misuse> {
    let text = args.expecting.expect.take().unwrap_or_default();
    // a name may follow, as in the line of a list
    let text = text.to_str().unwrap_or_default();
    let text = text.split_ascii_whitespace().next().unwrap_or_default();
    let (spec, digest) = match text.rsplit_once(':') {
        Some((spec, digest)) => (Some(spec), digest),
        None => (None, text),
    };
    let is_guessed = spec.is_none() && matches!(wanted, Wanted::Listed);
    let named = algorithm(spec, digest, called, wanted)?;
    let others = others(4 * digest.len() as u64, &named.what().to_string());
    let hint = (is_guessed && !others.is_empty()).then(|| {
        let what = format!("the length says {}, but it may also be", named.what());
        format!("{what} {}: ALG:HEX says which", others.join(", "))
    });
    refuse_checksums(std::slice::from_ref(&named))?;
    let scheme = digests::schemes(&given, std::slice::from_ref(&named))?.remove(0);
    let Some(digest) = text::parse(scheme.what(), digest.as_bytes()) else {
        let digest = quote::value(digest);
        let bits = scheme.bits();
        return usage(format!(
            "--expect: {digest} is no digest of {scheme}, which has {bits} bits"
        ));
    };
    let shown = args.checking.shown(called, &args.output);
    let mut accepted = list_tasks::accepted(&args, called, Wanted::Named(vec![named]), given)?;
    if is_guessed {
        // the user has not said that this algorithm will do
        accepted.which = Which::Tagged { untagged: Some(scheme.clone()), guess: false };
    }
    Ok(Task::Expect {
        rules: args.walking.rules(false, false)?,
        operands: args.walking.operands(args.files)?,
        expected: (scheme, digest),
        hint,
        ignore_missing: args.checking.ignores_missing(),
        accepted,
        shown,
    })
}

#[cfg(test)]
mod tests {
    use crate::args::plan::testing::{planned_as, refused};

    #[test]
    fn the_length_of_a_digest_tells_the_algorithm_or_is_told() {
        let digest = |digits: usize| "0a".repeat(digits / 2);
        for digits in [32, 40, 56, 64, 96] {
            planned_as("jlanes-sum", &["--expect", &digest(digits), "f"]);
        }
        let told = refused(&["--expect", &digest(128), "f"]);
        assert!(
            told.starts_with("--expect: a digest of 512 bits may be blake2b, sha512"),
            "{told}"
        );
        let told = refused(&["--expect", "abcd", "f"]);
        assert!(told.contains("'abcd' has no usual length"), "{told}");
        for spec in ["sha512:", "SHA-512:", "b2sum:"] {
            let value = format!("{spec}{}", digest(128));
            if spec.starts_with('b') {
                assert!(refused(&["--expect", &value, "f"]).contains("'b2sum' for '--algorithm'"));
            } else {
                planned_as("jlanes-sum", &["--expect", &value, "f"]);
            }
        }
        planned_as("jlanes-sum", &["-a", "sha512", "--expect", &digest(128), "f"]);
        planned_as("jlanes-sum", &["-a", "sha3", "--expect", &digest(96), "f"]);
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        for (args, told) in [
            (&["--expect", "sha256:00", "f"][..], "--expect: '00' is no digest of sha256"),
            (&["--expect", "sha256:0g", "f"], "--expect: '0g' is no digest of sha256"),
            (&["--expect", "sha1:00", "-a", "sha1", "f"], "--expect and --algorithm both name"),
            (&["--expect", "00", "-a", "sha1,md5", "f"], "--expect compares by one algorithm"),
            (&["--expect", "00", "-c", "f"], "--expect and --check are mutually exclusive"),
            (&["--expect", "00", "-r", "f"], "--expect and --recursive are mutually exclusive"),
            (&["--expect", "md5:", "f"], "--expect: '' is no digest of md5"),
        ] {
            let message = refused(args);
            assert!(message.starts_with(told), "{args:?}: {message}");
        }
    }
}
