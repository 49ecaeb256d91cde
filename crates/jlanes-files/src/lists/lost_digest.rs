//! Digests in a record that its dialect has not read: with one of them, a file would be passed over in silence.
//!
//! A word that looks like a digest is read if it is the text of a file's digest, as often as it stands there, or
//! if it is in a file's name. Otherwise it is lost, unless it is in the path or the query of a URL, the commit behind a
//! URL's `#`, after a slash, as directories are, or in one of the fields [`OTHERS`].

use std::collections::{HashMap, HashSet};

use super::{
    meaning::{Meaning, SpelledFile},
    spelling::digest_words,
};

/// The fields with words that look like digests, and are of no file in the list.
const OTHERS: [&str; 8] = [
    // Debian's: text, packages, commits and keys
    "Build-Ids Changes Description Description-md5 Dgit Git-Tag-Info Signed-By Vcs-Git-Commit",
    // lock files': commits, and the hash of the requirements
    "commit-id content-hash content_hash ref reference requested-revision resolved_reference rev revision",
    // makepkg's: commits, keys, and sources that have no sums
    "commit noextract pkgver source tag validpgpkeys",
    // mtree's: other files
    "content contents link",
    // magnet links': where a file is
    "tr ws",
    // npm's: the files in an archive
    "path",
    // names that are not Unicode, in our JSON
    "bytes",
    // 7-Zip's: all files at once
    "data names",
];

/// The digits of a commit.
const COMMIT_DIGITS: usize = 40;

/// The most digits of an escape in a name, to which a word may be joined: `\U` has eight.
const MAX_ESCAPE_DIGITS: usize = 8;

/// The maximum length of a digest that may be read from several words, where lines are wrapped.
const MAX_WRAPPED_BYTES: usize = 256;

/// Whether `record` has a lost digest, if its dialect understands it as `meaning`.
pub(super) fn has_lost_digest(record: &[u8], meaning: &Meaning<SpelledFile<'_>>) -> bool {
    let words = words_of_files(record);
    if words.is_empty() {
        return false;
    }
    let (mut names, mut digests) = (HashSet::new(), HashMap::<_, usize>::new());
    for file in meaning.files() {
        for name in [&file.name].into_iter().chain(&file.literal) {
            names.extend(digest_words(name).map(|at| &name[at]));
        }
        for (_, text) in &file.digests {
            let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
            let whole = 0..text.len() - padding;
            let mut words = digest_words(text).peekable();
            let whole = words.peek().is_none().then_some(whole);
            words.chain(whole).for_each(|at| *digests.entry(&text[at]).or_default() += 1);
        }
    }
    let only = match meaning {
        Meaning::File(file) if file.digests.len() == 1 => &*file.digests[0].1,
        _ => b"",
    };
    let is_part = |word: &[u8]| {
        let may_be = word.len() < only.len() && only.len() <= MAX_WRAPPED_BYTES;
        may_be && only.windows(word.len()).any(|part| part == word)
    };
    let is_read = |word: &[u8]| match digests.get_mut(word) {
        Some(count @ 1..) => {
            *count -= 1;
            true
        }
        _ => {
            let mut ends = (0..=MAX_ESCAPE_DIGITS).filter_map(|at| word.get(at..));
            ends.any(|end| names.contains(end)) || is_part(word)
        }
    };
    !words.into_iter().all(is_read)
}

/// The words in `record` that look like digests of files, by the places where they stand.
fn words_of_files(record: &[u8]) -> Vec<&[u8]> {
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || b"\"',{}[]()<>&?#|;".contains(byte);
    let (mut found, mut header) = (Vec::new(), None);
    for line in record.split(|byte| *byte == b'\n') {
        // a field of Debian goes on in indented lines
        if !line.starts_with(b" ") && !line.starts_with(b"\t") {
            header = line.iter().position(|byte| !is_letter(byte)).map(|len| line.split_at(len));
            header = header.filter(|(_, value)| matches!(value, [b':'] | [b':', b' ', ..]));
        }
        let (mut key, mut last, mut at) = (&b""[..], &b""[..], 0);
        let (mut in_url, mut in_query) = (false, false);
        for text in line.split(is_end) {
            let before = line[..at].last().copied();
            at += text.len() + 1;
            let path = text.windows(3).position(|window| window == b"://");
            in_url =
                path.is_some() || (in_url && matches!(before, Some(b'?' | b'#' | b'&' | b';')));
            in_query = in_url && (before == Some(b'?') || (in_query && before != Some(b'#')));
            let is_commit = in_url && before == Some(b'#') && text.len() == COMMIT_DIGITS;
            let mut read = 0;
            for word in digest_words(text).filter(|_| !is_commit && !in_query) {
                // the name of a hash before a colon is no key
                let start = &text[read..word.start];
                let sign = start.iter().rposition(|byte| *byte == b'=');
                key = sign.map_or(key, |sign| last_name(&start[..sign]));
                read = word.end;
                let field = header.map_or(key, |(name, _)| name);
                let mut others = OTHERS.iter().flat_map(|names| names.split(' '));
                let is_other = others.any(|name| name.as_bytes() == field);
                let in_path = matches!(text[..word.start].last(), Some(b'/' | b'\\'));
                if path.is_none_or(|path| word.start < path) && !in_path && !is_other {
                    found.push(&text[word]);
                }
            }
            key = match text.split_last() {
                None => continue,
                Some((b'=' | b':', [])) => last,
                Some((b'=' | b':', before)) => last_name(before),
                Some(_) => key,
            };
            last = text;
        }
    }
    found
}

/// The name at the end of `text`.
fn last_name(text: &[u8]) -> &[u8] {
    text.rsplit(|byte| !is_letter(byte)).next().unwrap_or_default()
}

fn is_letter(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_".contains(byte)
}
