//! Makes the manual page and the completions from the options, and compares them with their files. With
//! `JLANES_BLESS` set, it rewrites the files.

use std::{env, fs};

use clap::{
    CommandFactory, ValueEnum, ValueHint,
    builder::{PossibleValuesParser, ValueParser},
};
use clap_complete::Shell::{self, Bash, Elvish, Fish, PowerShell, Zsh};
use clap_mangen::{
    Man,
    roff::{Inline, Roff, bold, italic, roman},
};

use super::super::{
    Args,
    catalogue::{CATALOGUE, Row},
    configured,
};

#[test]
fn the_files_are_what_the_options_make_of_them() {
    let shells =
        [(Bash, "bash"), (Elvish, "elv"), (Fish, "fish"), (PowerShell, "ps1"), (Zsh, "zsh")];
    let completions = shells.map(|(shell, end)| {
        let own = super::Shell::from_str(&shell.to_string(), false).unwrap();
        (format!("completions/jlanes-sum.{end}"), super::completions(own), completions(shell))
    });
    let manual = ("man/jlanes-sum.1".to_owned(), super::MANUAL, manual());
    for (path, known, made) in completions.into_iter().chain([manual]) {
        if env::var_os("JLANES_BLESS").is_some() {
            fs::write(format!("{}/{path}", env!("CARGO_MANIFEST_DIR")), &made).unwrap();
        } else {
            let made = str::from_utf8(&made).unwrap();
            let differing = known.lines().zip(made.lines()).find(|(known, made)| known != made);
            let how = "JLANES_BLESS=1 cargo test -p jlanes-cli writes it anew";
            assert!(known == made, "{path} is out of date, {differing:?}: {how}");
        }
    }
}

fn completions(shell: Shell) -> Vec<u8> {
    // only these names are completed, although the parser accepts more
    let names = || PossibleValuesParser::new(CATALOGUE.iter().flat_map(Row::examples));
    let mut command = configured(Args::command()).mut_args(|arg| {
        let value =
            arg.get_value_names().and_then(|names| names.first()).map(|name| name.to_string());
        match value.as_deref() {
            Some("SPEC") => arg.value_parser(ValueParser::from(names())),
            Some("FILE" | "LIST" | "OUT") => arg.value_hint(ValueHint::FilePath),
            Some("DIR") => arg.value_hint(ValueHint::DirPath),
            _ => arg,
        }
    });
    let (name, mut text) = (command.get_name().to_owned(), Vec::new());
    clap_complete::generate(shell, &mut command, name, &mut text);
    text
}

/// The exit statuses and their meanings.
const EXIT_STATUS: [(&str, &str); 3] = [
    (
        "0",
        "All is well: every file was read, every list was well, everything matched. With --update: the \
         list is up to date, whether or not files had changed.",
    ),
    (
        "1",
        "With --audit: files differ from the list, no file was verified, or a line of the list is \
         malformed or refused. With --update: the list was left as it was because more than half of its \
         files are gone; with --detailed-exit, also: files differed. With -c --detailed-exit: a digest \
         did not match, or a line was malformed or refused. Without these options: anything that is not \
         well.",
    ),
    (
        "2",
        "With --audit, --update or --detailed-exit, and graver than 1: a list or a file could not be \
         read, a file changed while it was read (with --warn-changed), the list of --update could not \
         be brought up to date, output could not be written, or the command line makes no sense.",
    ),
];

/// Example command lines and their effects.
const EXAMPLES: [(&str, &str); 11] = [
    ("jlanes-sum -r -o SHA256SUMS .", "Makes a list of all files in the working directory."),
    ("jlanes-sum -c --quiet SHA256SUMS", "Reports the files that do not match any more."),
    ("jlanes-sum --audit SHA256SUMS", "Also reports new, moved and missing files."),
    (
        "jlanes-sum --update SHA256SUMS .",
        "Hashes files that are new or have changed since the last update.",
    ),
    (
        "jlanes-sum --dedupe --summary .",
        "Prints groups of equal files, and the bytes that they waste.",
    ),
    ("jlanes-sum -a sha256,btv2 FILE", "Prints two digests from one read of the file."),
    (
        "jlanes-sum -a s3-sha256:8M FILE",
        "Prints the checksum of S3 for an upload in parts of 8 MiB.",
    ),
    ("jlanes-sum --hmac-key-file KEY --tag FILE", "Prints an HMAC, in a line with its tag."),
    (
        "find . -name '*.iso' -print0 | jlanes-sum --files0-from -",
        "Reads names from another program.",
    ),
    (
        "jlanes-sum -r --exclude .git --max-size 1G --json .",
        "Prints an object for each file, except for large ones.",
    ),
    (
        "jlanes-sum --dirhash h1 DIR",
        "Prints the digest of a directory as in Go's checksum database.",
    ),
];

/// Names of the program.
const NAMES: &str = "The name by which it is called, as by a symbolic link, selects the hash: sha512sum and \
    blake3sum compute SHA-512 and BLAKE3 if no option names another. As md5sum, sha1sum to sha512sum, b2sum, \
    cksum, sum or b3sum it is the tool of this name, with its options and no others. The name of a hash that \
    is not here is an error.";

/// The environment variables and their effects.
const ENVIRONMENT: [(&str, &str); 4] = [
    (
        "LC_ALL, LC_CTYPE, LANG",
        "Messages show names beyond ASCII if the first that is set has UTF-8.",
    ),
    ("NO_COLOR, TERM", "No colors if NO_COLOR is not empty, or if TERM is unset or dumb."),
    ("POSIXLY_CORRECT", "All arguments after the first operand are operands."),
    ("PWD", "Absolute names in a list may spell the working directory as it does."),
];

/// The manual's section about JSON.
const JSON: &str = "One object a line. Where digests are printed it has name, size, algorithm, \
    digest (as it would be printed, or null) and error (or null). With -c, --audit and --update it \
    has name, algorithm, expected and found (digests, or null), verdict, from (the former name of \
    what has moved, or null) and error (or null); where a line has several digests, the first that \
    differs is told. broken (true) is there if the algorithm is, and matches if the file has the \
    expected digest by another one, which it names. With --dedupe it has names (an array), size, wasted, algorithm and digest. \
    The last object with --summary has one member, summary, whose members are called as verdicts \
    are, or groups, files and bytes wasted; begun and ended are times of RFC 3339 in UTC. A name that is not UTF-8 is an object with one member, \
    bytes, in base64.";

/// The syntax of patterns.
const PATTERNS: [(&str, &str); 8] = [
    ("?", "Any character but a slash."),
    ("*", "Any characters but slashes, none too."),
    ("**", "As a whole part of a path: any number of directories, none too."),
    ("[ab]", "One of these characters; [a-z] is a range, and [!ab] any but these."),
    ("{a,b}", "One of these patterns."),
    ("\\", "The next character stands for itself."),
    ("name", "A pattern without a slash is about names, however deep they are."),
    ("/name", "A pattern with a slash is about whole paths below the directory."),
];

fn manual() -> Vec<u8> {
    let mut text = Vec::new();
    // the end of the help has sections of its own in the manual
    let page = Man::new(configured(Args::command()).after_help("").after_long_help(""));
    let render = |text: &mut Vec<u8>| {
        page.render_title(text)?;
        page.render_name_section(text)?;
        page.render_synopsis_section(text)?;
        page.render_description_section(text)?;
        page.render_options_section(text)?;
        sections().to_writer(text)?;
        page.render_version_section(text)
    };
    render(&mut text).expect("writing to memory does not fail");
    text
}

/// The sections that only the manual has.
fn sections() -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["ALGORITHMS"]);
    for row in CATALOGUE {
        item(&mut roff, bold(row.names), &row.text());
    }
    roff.control("SH", ["NAMES OF THE PROGRAM"]);
    roff.text([roman(NAMES)]);
    roff.control("SH", ["PATTERNS"]);
    roff.text([roman(
        "The patterns of --include and --exclude are about the files that are found with -r, about \
         the directories on the way to them (--exclude only), and about the operands themselves.",
    )]);
    for (pattern, what) in PATTERNS {
        item(&mut roff, bold(pattern), what);
    }
    roff.control("SH", ["WHAT -r LEAVES OUT"]);
    roff.text([roman(
        "Symbolic links, unless -L or --hash-links is given; FIFOs, sockets and devices, which --warn \
         tells. Files whose names begin with a dot are like others. Order is that of the bytes of \
         whole paths.",
    )]);
    roff.control("SH", ["JSON"]);
    roff.text([roman(JSON)]);
    roff.control("SH", ["EXIT STATUS"]);
    for (status, what) in EXIT_STATUS {
        item(&mut roff, bold(status), what);
    }
    roff.control("SH", ["EXAMPLES"]);
    for (line, what) in EXAMPLES {
        item(&mut roff, italic(line), what);
    }
    roff.control("SH", ["ENVIRONMENT"]);
    for (variables, what) in ENVIRONMENT {
        item(&mut roff, bold(variables), what);
    }
    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman("sha256sum(1), cksum(1), b3sum(1)")]);
    roff
}

fn item(roff: &mut Roff, tag: Inline, text: &str) {
    roff.control("TP", []);
    roff.text([tag]);
    roff.text([roman(text)]);
}
