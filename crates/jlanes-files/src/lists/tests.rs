//! Properties of every dialect: no line is lost, however the list is cut, encoded and read.

mod changes;

use std::io::{self, Read};

use jlanes::Algorithm;
use proptest::prelude::*;

use self::changes::{any_change, any_line, changed};
use super::{dialect::DIALECTS, *};
use crate::Computation;

const MD5: &str = "900150983cd24fb0d6963f7d28e17f72";

/// A reader that returns at most this many bytes at once.
struct Trickle(Vec<u8>, usize, usize);

impl Read for Trickle {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.2.min(buffer.len()).min(self.0.len() - self.1);
        buffer[..n].copy_from_slice(&self.0[self.1..self.1 + n]);
        self.1 += n;
        Ok(n)
    }
}

/// A result: the number of the first line, the number of lines with this number, and the name or the
/// fault.
type Found = (u64, usize, Result<Vec<u8>, Fault>);

fn read(bytes: &[u8], at_once: usize) -> (LineCounts, Vec<Found>) {
    read_as(0, bytes, at_once)
}

/// The name and the columns of a list that some dialects need, or nothing.
fn known(at: usize) -> AnyAlgorithm {
    let list = if at == 1 { b"manifest-md5.txt".to_vec() } else { Vec::new() };
    let columns =
        if at == 2 { ["md5", "sha1"].map(|it| it.parse().unwrap()).into() } else { Vec::new() };
    AnyAlgorithm { list, columns, ..AnyAlgorithm::default() }
}

fn read_as(at: usize, bytes: &[u8], at_once: usize) -> (LineCounts, Vec<Found>) {
    let mut list = List::new(Trickle(bytes.to_vec(), 0, at_once)).unwrap();
    let mut parser = GnuParser::new(known(at));
    let mut found = Vec::new();
    while let Some(line) = list.next(&mut parser).unwrap() {
        let lines = line.text.map_or(1, |text| text.split(|byte| *byte == b'\n').count());
        found.push((line.number, lines, line.entry.map(|entry| entry.name)));
    }
    (list.line_counts(), found)
}

/// The samples of all dialects, GNU's first.
fn samples() -> Vec<String> {
    let gnu = format!("{MD5}  f\n# a comment\n{MD5} *g\nMD5 (h) = {MD5}\n\\{MD5}  a\\nb\n");
    let others = DIALECTS.iter().map(|row| row.sample.replace("\r\n", "\n"));
    [gnu].into_iter().chain(others).collect()
}

/// The text in all encodings that mean the same.
fn encodings(text: &str) -> Vec<Vec<u8>> {
    let units = || text.encode_utf16();
    vec![
        text.into(),
        [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        text.replace('\n', "\r\n").into(),
        [vec![0xff, 0xfe], units().flat_map(u16::to_le_bytes).collect()].concat(),
        [vec![0xfe, 0xff], units().flat_map(u16::to_be_bytes).collect()].concat(),
    ]
}

fn lines(bytes: &[u8], end: u8) -> u64 {
    let ends = bytes.iter().filter(|byte| **byte == end).count();
    (ends + usize::from(bytes.last().is_some_and(|last| *last != end))) as u64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_line_is_counted_in_every_encoding_and_split(
        sample in 0..=DIALECTS.len(),
        changes in prop::collection::vec(any_change(), 0..6),
        cut in prop::option::of(0..400_usize),
        at_once in 1..40_usize,
        about in 0..3_usize,
    ) {
        let mut text = changed(&samples()[sample], &changes);
        let end = (0..=cut.unwrap_or(text.len()).min(text.len())).rev();
        text.truncate(end.into_iter().find(|end| text.is_char_boundary(*end)).unwrap_or(0));
        let expected = read_as(about, text.as_bytes(), usize::MAX);
        prop_assert_eq!(expected.0.lines(), lines(text.as_bytes(), b'\n'));
        // text that begins with a mark, or contains a carriage return or NUL, changes in another
        // encoding
        let is_plain = !text.contains(['\0', '\r', '\u{feff}']) && !text.starts_with('\u{fffe}');
        for bytes in encodings(&text).into_iter().take(if is_plain && !text.is_empty() { 5 } else { 1 }) {
            for at_once in [usize::MAX, 1, 2, 3, at_once] {
                prop_assert_eq!(&read_as(about, &bytes, at_once), &expected, "{}", bytes.escape_ascii());
            }
        }
    }

    #[test]
    fn every_byte_is_in_a_line_that_counts(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        at_once in 1..40_usize,
    ) {
        prop_assert_eq!(read(&bytes, at_once), read(&bytes, usize::MAX));
    }

    #[test]
    fn lines_of_gnus_are_entries_or_malformed(
        lines in prop::collection::vec(any_line(), 1..12),
    ) {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let (account, found) = read(text.as_bytes(), usize::MAX);
        for (number, line) in (1..).zip(&lines) {
            let Some((before, name)) = line.split_once("  gnu") else { continue };
            if before.trim() != MD5 {
                continue;
            }
            let name = format!("gnu{name}").into_bytes();
            let is_told = found.iter().any(|(first, count, result)| match result {
                // after a line with one blank before its name, a second blank is part of the name
                Ok(it) => it.trim_ascii_start() == name,
                // comments may stand between the lines of an entry
                Err(_) => (*first..*first + *count as u64 + account.comments).contains(&number),
            });
            prop_assert!(is_told, "{}: {account:?} {found:?}", line);
        }
    }

    #[test]
    fn lines_that_end_with_nul_are_counted(
        names in prop::collection::vec("[a-z\n]{1,5}", 1..6),
        at_once in 1..40_usize,
    ) {
        let text: String = names.iter().map(|name| format!("{MD5}  {name}\0")).collect();
        let (account, found) = read(text.as_bytes(), at_once);
        prop_assert_eq!(account, LineCounts { entries: names.len() as u64, ..LineCounts::default() });
        prop_assert!(found.iter().zip(&names).all(|(it, name)| it.2 == Ok(name.clone().into_bytes())));
    }
}

#[test]
fn samples_have_two_files_and_nothing_else() {
    for row in &DIALECTS {
        let read = |about| read_as(about, row.sample.as_bytes(), usize::MAX);
        let lost = |(account, _): &(LineCounts, _)| account.malformed + account.refused;
        let (account, found) = (0..3).map(read).min_by_key(lost).unwrap();
        let names = found.iter().filter_map(|it| it.2.as_ref().ok());
        let names: Vec<_> = names.map(|it| it.strip_prefix(b"./").unwrap_or(it)).collect();
        if names.is_empty() {
            // SFV's checksums and go.sum's digests are no algorithms of the library
            assert_eq!(account.malformed + account.refused, 2, "{}", row.sample);
            continue;
        }
        assert_eq!(names, [b"f", b"g"], "{}: {account:?}", row.sample);
        assert_eq!(account.malformed + account.refused, 0, "{}: {account:?}", row.sample);
    }
}

#[test]
fn a_truncated_list_is_malformed() {
    for (text, malformed) in [
        ("#mtree\n./f type=file \\\n", 1),
        ("#mtree\n./f size=3\nd type=dir \\\n", 1),
        ("MD5 hash of f:\n", 1),
        ("MD5 hash of f:\n\n", 1),
        ("Algorithm : MD5\nHash : 0a\n", 1),
        ("SHA1:\nSHA256\n", 1),
    ] {
        let (account, found) = read(text.as_bytes(), usize::MAX);
        assert_eq!(account.malformed, malformed, "{text}: {account:?} {found:?}");
    }
}

#[test]
fn a_record_that_is_too_long_is_malformed_alone() {
    let object = |name: &str| format!("{{\n\"Hash\": \"{MD5}\",\n\"Path\": \"{name}\"\n}}\n");
    let text = [object("f"), object(&"x".repeat(200)), object("g")].concat();
    let mut list = List::new(io::Cursor::new(text)).unwrap().max_line_bytes(120);
    let mut parser = GnuParser::new(AnyAlgorithm::default());
    let mut names = Vec::new();
    while let Some(line) = list.next(&mut parser).unwrap() {
        names.extend(line.entry.ok().map(|entry| entry.name));
    }
    assert_eq!(names, [b"f", b"g"]);
}

#[test]
fn records_of_many_lines_take_time_by_their_length() {
    for (first, line) in [
        ("MD5 hash of f:\n", "\n"),
        ("f:\n", "0A0A\n"),
        ("f: MD5 =\n", "\n"),
        ("Path : f\n", "  x\n"),
        ("SIZE (f) = 3\n", "SIZE (f) = 3\n"),
        ("pkgbase = x\n", "a_bsums = x\n"),
        ("[[package]]\n", "[[package.x]]\n"),
        ("[{\n", "{\n"),
        ("[{\n", "\\\"\n"),
        ("#mtree\n", "d type=dir \\\n"),
        ("Package: x\n", " x\n"),
    ] {
        let text = [first, &line.repeat(100_000)].concat();
        let (account, _) = read(text.as_bytes(), usize::MAX);
        assert_eq!(account.lines(), 100_001, "{first}");
    }
}

#[test]
fn the_dialect_is_the_one_that_loses_least() {
    for (text, names, malformed) in [
        ("Version: 1.2\nHEX  f\n HEX  g\n", &["f", "g"][..], 1),
        ("The md5 checksums are:\nHEX  f\n", &["f"], 1),
        ("The md5 checksums are:\nHEX f\n", &["f"], 1),
        ("MD5Sum:\n  HEX  f\n  HEX  g\n", &["f", "g"], 1),
        ("; of today\nHEX  deadbeef\n", &["deadbeef"], 1),
        ("Path: here\nHEX  f\n", &["f"], 1),
        ("MD5 hash of all:\nHEX  f\n", &["f"], 1),
        ("#mtree\nHEX  f\nMD5 (g) = HEX\n", &["f", "g"], 0),
        ("/set type=dir\nHEX  f\n", &["f"], 1),
        // the dialect understands the first line, and refuses the rest
        ("%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n3,HEX,f\nx type=y\nz\n", &["f"], 2),
        (
            "%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n3,HEX,f type=x\na type=x\nb type=x\nc type=x\n",
            &["f type=x"],
            3,
        ),
        // a dialect that would swallow many lines
        ("#mtree\n./f size=3 md5=HEX\n{\nx\ny\nz\n", &["./f"], 0),
        (&format!("#mtree\n./f size=3 md5=HEX\n{{\n{}", "x\\9\n".repeat(90_000)), &["./f"], 90_000),
        // a dialect that would take lines for comments
        ("#mtree\n./f size=3 md5=HEX\n;a\n;b\n;c\n", &["./f"], 0),
        // prose before the list
        ("The list of today.\nMD5 hash of f:\nHEX\n", &["f"], 1),
        ("a list\nAlgorithm : MD5\nHash : HEX\nPath : f\n", &["f"], 1),
        ("a list\nMD5Sum:\n HEX 3 f\n HEX 3 g\n", &["f", "g"], 1),
    ] {
        let text = text.replace("HEX", MD5);
        let (account, found) = read(text.as_bytes(), usize::MAX);
        let found: Vec<_> = found.into_iter().filter_map(|it| it.2.ok()).collect();
        let names: Vec<_> = names.iter().map(|name| name.as_bytes()).collect();
        assert_eq!(
            (found, account.malformed),
            (names.iter().map(|it| it.to_vec()).collect(), malformed),
            "{text}"
        );
    }
}

struct Sha256Only;

fn sha256() -> Computation {
    Algorithm::SHA256.into()
}

impl TagRules for Sha256Only {
    fn tagged(&self, tag: &[u8]) -> Option<Computation> {
        (tag == b"SHA256").then(sha256)
    }

    fn untagged(&self, _: &[u8]) -> Option<Computation> {
        Some(sha256())
    }

    fn prefixed(&self, hash: &[u8]) -> Vec<Computation> {
        (hash == b"sha256").then(sha256).into_iter().collect()
    }
}

proptest! {
    #[test]
    fn written_lines_are_read_back(
        name in proptest::collection::vec(1u8.., 1..40),
        digest in proptest::array::uniform32(any::<u8>()),
        tagged: bool,
        binary: bool,
        base64: bool,
    ) {
        let style = Style {
            layout: if tagged { LineLayout::Tagged } else { LineLayout::Untagged { binary } },
            encoding: if base64 { Encoding::Base64 } else { Encoding::Hex },
            zero: false,
        };
        let mut line = Vec::new();
        style.write(&sha256(), "SHA256", &name, &digest, &mut line);
        prop_assert_eq!(line.pop(), Some(b'\n'));
        prop_assert!(!line.contains(&b'\n'));
        let entry = GnuParser::new(Sha256Only).parse(&line);
        prop_assert_eq!(entry.as_ref().map(|e| &*e.name), Some(&name[..]));
        prop_assert_eq!(entry.map(|e| e.digests), Some(vec![(sha256(), digest.to_vec())]));
    }

    #[test]
    fn no_line_panics_and_names_come_without_nul(
        line in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        if let Some(entry) = GnuParser::new(Sha256Only).parse(&line) {
            prop_assert!(!entry.name.contains(&0));
        }
    }
}

#[test]
fn digits_are_lowercase_and_in_pairs() {
    let mut bytes = vec![1];
    for (text, expected) in [
        ("", Some(&[][..])),
        ("0123456789abcdef", Some(&[0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef])),
        ("0", None),
        ("0A", None),
        ("0g", None),
        ("/0", None),
        (":0", None),
        ("`0", None),
    ] {
        assert_eq!(from_hex(text.as_bytes(), &mut bytes).then_some(&bytes[..]), expected);
    }
    // every byte, inside whole words and in the rest
    for (at, digit) in (0..18).flat_map(|at| (0..=u8::MAX).map(move |digit| (at, digit))) {
        let mut text = *b"0123456789abcdef78";
        text[at] = digit;
        let expected = hex::decode(text).ok().filter(|_| !digit.is_ascii_uppercase());
        let found = from_hex(&text, &mut bytes).then(|| bytes.clone());
        assert_eq!(found, expected, "{at} {digit}");
    }
}

#[test]
fn tags_refuse_nothing_unless_they_say_so() {
    assert_eq!(
        (Sha256Only.tag_refusal(b"SHA256"), Sha256Only.computation_refusal(&sha256())),
        (None, None)
    );
}

/// The entries in a list, and the number of its lines without one that should have it.
fn entries(at: usize, text: &[u8]) -> (Vec<Entry>, u64) {
    let mut list = List::new(io::Cursor::new(text.to_vec())).unwrap();
    let mut parser = GnuParser::new(known(at));
    let (mut entries, mut faults) = (Vec::new(), 0);
    while let Some(line) = list.next(&mut parser).unwrap() {
        match line.entry {
            Ok(entry) => entries.push(entry),
            Err(_) => faults += 1,
        }
    }
    (entries, faults)
}

#[test]
fn no_damaged_byte_hides_a_file() {
    for row in &DIALECTS {
        let sample = row.sample.as_bytes();
        let at = (0..3).min_by_key(|at| entries(*at, sample).1).unwrap();
        let (files, _) = entries(at, sample);
        let is_lost = |text: &[u8]| {
            let (found, faults) = entries(at, text);
            // under another name, no file has the digest
            let is_known = |it: &Entry| files.iter().any(|file| file.name == it.name);
            let has = |file: &Entry| {
                let is_it = |it: &Entry| it.name == file.name || it.digests == file.digests;
                found.iter().any(|it| is_it(it) && !it.digests.is_empty())
            };
            faults == 0 && found.iter().all(is_known) && !files.iter().all(has)
        };
        // an entry that has become a comment, or belongs to one
        let has_comment = |text: &[u8]| {
            let mut lines = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
            lines.any(|line| line.len() > 24 && matches!(line[0], b'#' | b';'))
        };
        for place in 0..sample.len() {
            let [mut removed, mut other] = [(); 2].map(|()| sample.to_vec());
            removed.remove(place);
            match place % 3 {
                0 => other[place] = b" \n#\":=-0g/"[place % 10],
                1 => other.insert(place, b"\n =x,\0\\"[place % 7]),
                _ => other.swap(place, (place + 1) % sample.len()),
            }
            for text in [removed, other] {
                assert!(!is_lost(&text) || has_comment(&text), "{}", text.escape_ascii());
            }
        }
    }
}

#[test]
fn a_line_of_padding_is_searched_in_linear_time() {
    let list = format!("Origin: x\nLabel: {}\nMD5Sum:\n {MD5} 3 f\n", "=".repeat(1 << 20));
    let begun = std::time::Instant::now();
    assert_eq!(read(list.as_bytes(), usize::MAX).0.entries, 1);
    // it was minutes
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

#[test]
fn a_digest_that_is_not_read_is_malformed() {
    let uv = "[[package]]\nname = 'x'\nwheels = [{url = 'https://x/f', hash = 'md5:HEX'}]\n";
    let npm = format!("sha512-{}==", "Az09".repeat(21) + "Az");
    let npm = format!(
        "[{{\"filename\":\"f\",\"shasum\":\"{}\",\"integrity\":\"{npm}\"}}]\n",
        "0a".repeat(20)
    );
    for (list, from, to) in [
        ("[[package]]\nname = 'x'\nversion = '1'\nchecksum = 'HEXHEX'\n", "checksum", "checksun"),
        ("[[package]]\nfiles = [{file = 'f', hash = 'md5:HEX'}]\n", "files", "file"),
        ("[[package]]\nfiles = [{file = 'f', hash = 'md5:HEX'}]\n", "hash", "hasj"),
        (uv, "wheels", "whels"),
        (uv, "wheels", "[package.dependencies]\nwheels"),
        (uv, "wheels = [{url = 'https://x/f', hash", "[package.x]\ny = [{hash"),
        (uv, "https://x/f'", "https://x/f#md5=HEX'"),
        (&npm, "Az==", ":z=="),
        (&npm, "\"filename\"", "\"g\":{\"shasun\":\"HEX\"},\"filename\""),
        ("magnet:?dn=f&xt=urn:md5:HEX\n", "xt=urn:md5", "yt=urn:md5"),
        ("DIST f 3 MD5 HEX\n", "MD5", "MD6"),
        ("%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n3,HEX,f\n", "md5", "md6"),
        ("#mtree\nf size=3 md5=HEX\n", "md5=", "md6="),
        ("#mtree\nd type=dir\nf md5=HEX\n", "f md5=HEX", "f type=dir md6=HEX"),
        ("pkgbase = x\n\tsource = f\n\tmd5sums = HEX\n", "md5sums", "md5sun"),
        (
            "pkgbase = x\n\tsource = f\n\tmd5sums = HEX\n\tsource_a = g\n\tmd5sums_a = HEX\n",
            "\tmd5sums_a = HEX\n",
            "",
        ),
        ("Package: x\nFilename: f\nMD5sum: HEX\n", "Filename: f\nMD5sum", "MD6sum"),
        ("Origin: x\nMD5Sum:\n HEX 3 f\n", "MD5Sum:\n HEX 3", "Codename: HEX 3"),
        ("Origin: x\nMD5Sum:\n HEX 3 f\n", "MD5Sum:\n HEX 3", "Codename:\n  x HEX 3"),
        ("MD5 hash of f:\nHEX\nCertUtil: done\n", "CertUtil: done\n", "CertUtil: HEX\n"),
        ("Path,Hash,Note\nf,HEX,x\n", "x", "HEX"),
        ("'https://x/f?a' f 3 MD5Sum:HEX\n", "a' f", "a'HEX f"),
        ("'https://x/f?a' f 3 MD5Sum:HEX\n", "?a'", "?a#md5=HEX'"),
    ] {
        let (sound, damaged) =
            (list.replace("HEX", MD5), list.replace(from, to).replace("HEX", MD5));
        let faults = |text: &str| read(text.as_bytes(), usize::MAX).0;
        assert_eq!(faults(&sound).malformed + faults(&sound).refused, 0, "{sound}");
        let found = read(damaged.as_bytes(), usize::MAX).1;
        assert!(found.iter().any(|it| it.2.is_err()), "{damaged}: {found:?}");
    }
}

#[test]
fn what_is_of_no_file_in_the_list_may_look_like_a_digest() {
    let commit = "0a".repeat(20);
    for (list, entries) in [
        ("Origin: x\nSigned-By: HEX,\n HEX\nMD5Sum:\n HEX 3 f\n", 1),
        ("Format: 1.8\nChanges:\n x\n .\n   * commit HEX\nFiles:\n HEX 3 a b f\n", 1),
        ("Package: x\nBuild-Ids: HEX HEX\nFilename: HEX.deb\nMD5sum: HEX\n", 1),
        (
            "pkgbase = x\n\tvalidpgpkeys = HEX\n\tsource = a::git+https://x/y#commit=HEX\n\tmd5sums = SKIP\n",
            0,
        ),
        ("[[package]]\nname = 'x'\nsource = 'git+https://x/y?rev=COMMIT#COMMIT'\n", 0),
        ("[[package]]\nfiles = [{url = 'https://x/HEX/f', hash = 'md5:HEX'}]\n", 1),
        ("[[package]]\nname = 'x'\n\n[metadata]\ncontent_hash = \"md5:HEX\"\n", 0),
        ("#mtree\n./HEX type=dir\n./l type=link link=HEX\n./f\\040HEX md5=HEX\n", 1),
        ("magnet:?dn=%20HEX&xt=urn:md5:HEX&tr=http%3A%2F%2Fx%2F%3Fy%3DHEX\n", 1),
        ("pkgbase = x\n\tsource = f::https://x/y/?id=HEX\n\tmd5sums = HEX\n", 1),
        ("pkgbase = x\n\tsource = f::https://x/?p=y;a=patch;h=HEX\n\tmd5sums = HEX\n", 1),
        ("pkgbase = x\n\tsource = x-HEX::https://x/y\n\tmd5sums = SKIP\n", 0),
        ("'https://x/f?a=HEX&b=HEX' f 3 MD5Sum:HEX\n", 1),
        ("'file:/x/HEX/f' f 3 MD5Sum:HEX\n", 1),
        ("Algorithm : MD5\nHash : HEX\nPath : C:\\HEX\\f\n", 1),
        ("Format: 1.0\nVcs-Git-Commit: HEX\nBuild-Path: /build/HEX\nFiles:\n HEX 3 a b f\n", 1),
        ("Package: x\nFilename: f\nMD5sum: HEX\nDescription: x\n commit HEX\n", 1),
        ("#mtree\n./l type=link content=HEX\nf md5=HEX\n", 1),
        ("%%%% HASHDEEP-1.0\n%%%% size,md5,tiger,filename\n3,HEX,HEX0a0a,HEX\n", 1),
    ] {
        let text = list.replace("HEX", MD5).replace("COMMIT", &commit);
        let (account, found) = read(text.as_bytes(), usize::MAX);
        assert_eq!(
            (account.entries, account.malformed + account.refused),
            (entries, 0),
            "{text}: {found:?}"
        );
    }
}
