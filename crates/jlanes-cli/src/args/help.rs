//! The help: [`SCREEN`], one screen by hand with the options that people use, or all options by the parser.
//!
//! Tests keep the screen true: its options exist, and its examples are command lines.

use super::usage::EarlyExit;

#[derive(Debug, Default, clap::Args)]
pub(super) struct HelpOptions {
    /// Print one screen of help; =all prints every option and algorithm
    #[arg(short, long, value_name = "all", value_parser = ["all"], hide_possible_values = true)]
    #[arg(num_args = 0..=1, require_equals = true)]
    help: Option<Option<String>>,

    /// Print the version
    #[arg(long, action = clap::ArgAction::Version)]
    version: Option<bool>,
}

impl HelpOptions {
    /// The requested help, if any. `all` makes the long one.
    pub(super) fn answer(&self, all: impl FnOnce() -> String) -> Option<EarlyExit> {
        let text = match self.help.as_ref()? {
            None => SCREEN.to_owned(),
            Some(_) => all(),
        };
        Some(EarlyExit::Help(text))
    }
}

/// The short help: all that a first-time user needs.
const SCREEN: &str = "\
Usage: jlanes-sum [OPTION]... [FILE|DIR]...
Prints and checks digests of files, as sha256sum does, many files at once.
Without FILE, or where FILE is -, it reads standard input.

Examples:
  jlanes-sum FILE                             print its SHA-256
  jlanes-sum --expect HEX FILE                compare it with a digest from a web page
  jlanes-sum -r -o SHA256SUMS DIR             make a list of all files in a directory
  jlanes-sum -c SHA256SUMS                    check a list
  jlanes-sum -c --ignore-missing SHA512SUMS   check those of its files that are here
  jlanes-sum --audit SHA256SUMS DIR           report new, moved and missing files too
  jlanes-sum --update SHA256SUMS DIR          hash only what is new or has changed
  jlanes-sum --dedupe DIR                     find equal files
  jlanes-sum --dirhash h1 DIR                 print one digest of a directory and its names
  jlanes-sum -a sha512,blake2b FILE           print two digests from one read
  jlanes-sum -a etag:8M FILE                  print the ETag of S3 for parts of 8 MiB
  jlanes-sum --torrent FILE.torrent           check what a torrent is of

What to compute:
  -a, --algorithm SPEC   hashes: sha256 (default), sha512, sha3-256, blake3, blake2b, kt128, md5
                         trees: btv2, fsverity-sha256, s3-NAME:PART, etag:PART, glacier, dropbox
                         checksums, which find accidents and no forgery: crc32, crc32c, crc64nvme,
                         xxh32, xxh64, xxh3-64, xxh128
      --hmac-key-file FILE, --key-file FILE   a digest that only holders of the key can make
Which files:
  -r, --recursive        all files in directories, in order of their paths
      --include GLOB, --exclude GLOB, --max-size SIZE, --gitignore   some of them
      --files0-from LIST, --files-from LIST   those that LIST names
Checking:
  -c, --check            check lists, of GNU's tools, BSD's, OpenSSL, Windows and others
      --expect [ALG:]HEX   compare with one digest
      --expect-json DOC  compare with an object of S3, by what `aws s3api` prints about it
      --audit LIST       compare directories with a list
      --torrent FILE     compare files with a torrent
      --ignore-missing   pass over files that are not there
      --quiet, --status  report failures only, or nothing
      --strict, --warn   fail for lines that make no sense, or report them
      --base-dir DIR     where the files of a list are
Output:
  -o, --output FILE      write a list, which is replaced when the new one is whole
      --update LIST      bring a list up to date
      --tag              lines with the algorithm's name
      --json, --zero     for programs
Others:
      --threads N, --no-mmap, --progress, --debug
  -h, --help             this help; --help=all has every option and algorithm
      --man, --completions SHELL   the manual page, completions
      --version

The exit status is 0 if all is well, and 1 if anything is not: for --audit, if files differ. --audit
and --update end with 2 if something could not be read.
";

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::{Args, invocation::testing::planned_as};

    #[test]
    fn the_help_fits_a_screen_and_is_true() {
        assert!(SCREEN.lines().count() <= 60);
        assert!(SCREEN.lines().all(|line| line.len() <= 100));
        let command = Args::command();
        let words = SCREEN.split([' ', ',', '\n', '=', ']']).filter(|word| word.starts_with("--"));
        for word in words {
            let is_long = |arg: &&clap::Arg| arg.get_long() == word.strip_prefix("--");
            assert!(command.get_arguments().any(|arg| is_long(&arg)), "{word}");
        }
    }

    #[test]
    fn its_examples_are_command_lines() {
        let lines = SCREEN.lines().filter_map(|line| line.strip_prefix("  jlanes-sum "));
        let mut count = 0;
        for line in lines {
            let hex = "0".repeat(64);
            let (args, _) = line.split_once("  ").unwrap();
            let args: Vec<_> =
                args.split(' ').map(|arg| if arg == "HEX" { &hex[..] } else { arg }).collect();
            planned_as("jlanes-sum", &args);
            count += 1;
        }
        assert!(count >= 10, "{count}");
    }
}
