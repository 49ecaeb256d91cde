//! The files of a `.torrent`: BitTorrent v1 (BEP 3), v2 (BEP 52), or both.

mod bencode;

use bencode::Value;

/// Bytes of a digest of SHA-1.
const SHA1_BYTES: usize = 20;

/// The maximum length of a piece: far more than any program chooses.
const MAX_PIECE_BYTES: u64 = 256 << 20;

/// More bytes than any system allows in a path. A tree has the names of directories once, but each of its files
/// has a path.
const MAX_PATH_BYTES: usize = 4096;

/// The files of a torrent.
#[derive(Debug, PartialEq, Eq)]
pub struct Torrent {
    /// The name of the file, or of the directory with the files.
    pub name: Vec<u8>,
    /// Whether the files are in a directory.
    pub is_directory: bool,
    /// The files in the order of v1, including the padding between them.
    pub files: Vec<File>,
    /// The pieces of v1, over all files together.
    pub pieces: Option<Pieces>,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path in the torrent's directory; empty for a torrent of one file without a directory.
    pub path: Vec<u8>,
    /// The size in bytes.
    pub len: u64,
    /// Whether it is padding: zeros that are not stored.
    pub is_padding: bool,
    /// The root of its hash tree in v2; `None` for an empty file.
    pub root: Option<[u8; 32]>,
}

/// The pieces of v1.
#[derive(Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The length of a piece in bytes.
    pub len: u64,
    /// The SHA-1 of each piece.
    pub digests: Vec<[u8; SHA1_BYTES]>,
}

type Result<T> = std::result::Result<T, &'static str>;

impl Torrent {
    /// Parses a torrent.
    ///
    /// # Errors
    /// The reason if it is malformed, or if a name leads out of its directory.
    pub fn parse(text: &[u8]) -> Result<Self> {
        let torrent = Value::parse(text).ok_or("not a torrent")?;
        let info = torrent.get("info").ok_or("a torrent without its files")?;
        let name = utf8(info, "name").and_then(Value::text).ok_or("a torrent without a name")?;
        check_name(name)?;
        let v1 = files_of_v1(info)?;
        let v2 = files_of_v2(info, name)?;
        let (files, is_directory) = match (&v1, v2) {
            (None, None) => return Err("a torrent of neither version 1 nor version 2"),
            (Some((files, is_directory, _)), None) => (files.clone(), *is_directory),
            (None, Some(v2)) => v2,
            (Some((files, is_directory, _)), Some(v2)) => {
                (merged(files, *is_directory, v2)?, *is_directory)
            }
        };
        total(&files)?;
        let mut paths: Vec<_> =
            files.iter().filter(|file| !file.is_padding).map(|file| &file.path).collect();
        paths.sort_unstable();
        if paths.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("two files with one name");
        }
        let pieces = v1.map(|(_, _, pieces)| pieces);
        Ok(Self { name: name.to_vec(), is_directory, files, pieces })
    }
}

/// The files of v1, whether they are in a directory, and the pieces.
fn files_of_v1(info: &Value<'_>) -> Result<Option<(Vec<File>, bool, Pieces)>> {
    let Some(digests) = info.get("pieces") else { return Ok(None) };
    let len = info.get("piece length").and_then(Value::number);
    let len = len.filter(|len| (1..=MAX_PIECE_BYTES).contains(len)).ok_or("no length of pieces")?;
    let (files, is_directory) = match (info.get("length"), info.get("files")) {
        (Some(len), None) => {
            let len = len.number().ok_or("a file without a length")?;
            (vec![File { path: Vec::new(), len, is_padding: false, root: None }], false)
        }
        (None, Some(files)) => {
            let files = files.list().ok_or("files that are no list")?;
            let files = files.iter().map(file).collect::<Result<Vec<_>>>()?;
            (files.into_iter().flatten().collect(), true)
        }
        _ => return Err("a torrent without its files"),
    };
    if files.iter().any(|file| file.is_padding && file.len >= len) {
        return Err("padding of a piece or more");
    }
    let digests = digests.text().ok_or("pieces without digests")?;
    let (digests, rest) = digests.as_chunks();
    if !rest.is_empty() || digests.len() as u64 != total(&files)?.div_ceil(len) {
        return Err("not as many digests as pieces");
    }
    Ok(Some((files, is_directory, Pieces { len, digests: digests.to_vec() })))
}

/// The number of bytes of all files.
fn total(files: &[File]) -> Result<u64> {
    let mut lens = files.iter().map(|file| file.len);
    lens.try_fold(0_u64, u64::checked_add).ok_or("files that are too long")
}

/// The name under `key`. A name in UTF-8 next to one in another encoding wins, as in clients.
fn utf8<'v, 't>(value: &'v Value<'t>, key: &str) -> Option<&'v Value<'t>> {
    value.get(&format!("{key}.utf-8")).or_else(|| value.get(key))
}

/// The length of a file and its attributes; `None` for a link, which has no bytes.
fn len<'t>(file: &Value<'t>) -> Result<Option<(u64, &'t [u8])>> {
    let len = file.get("length").and_then(Value::number).ok_or("a file without a length")?;
    let attributes = file.get("attr").and_then(Value::text).unwrap_or_default();
    match (attributes.contains(&b'l'), len) {
        (true, 0) => Ok(None),
        (true, _) => Err("a link with bytes"),
        (false, _) => Ok(Some((len, attributes))),
    }
}

/// A file of v1; `None` for a link.
fn file(file: &Value<'_>) -> Result<Option<File>> {
    let Some((len, attributes)) = len(file)? else { return Ok(None) };
    let parts = utf8(file, "path").and_then(Value::list).ok_or("a file without a name")?;
    let parts: Vec<_> = parts.iter().map(|part| part.text().unwrap_or_default()).collect();
    let is_padding = attributes.contains(&b'p');
    if parts.is_empty() {
        return Err("a file without a name");
    }
    parts.iter().try_for_each(|part| check_name(part))?;
    Ok(Some(File { path: parts.join(&b'/'), len, is_padding, root: None }))
}

/// The files of v2, and whether they are in a directory.
fn files_of_v2(info: &Value<'_>, name: &[u8]) -> Result<Option<(Vec<File>, bool)>> {
    match info.get("meta version").map(Value::number) {
        None | Some(Some(1)) => return Ok(None),
        Some(Some(2)) => {}
        Some(_) => return Err("a torrent of a version that is not known"),
    }
    let tree = info.get("file tree").ok_or("a torrent without its files")?;
    let mut files = Vec::new();
    walk(tree, &mut Vec::new(), &mut files)?;
    let is_directory = !matches!(&files[..], [File { path, .. }] if path == name);
    if !is_directory {
        files[0].path.clear();
    }
    if files.is_empty() {
        Err("a torrent without its files")
    } else {
        Ok(Some((files, is_directory)))
    }
}

/// Adds the files in a tree, that of the directory `path`.
fn walk(tree: &Value<'_>, path: &mut Vec<u8>, files: &mut Vec<File>) -> Result<()> {
    for (name, below) in tree.entries().ok_or("a tree of files that is none")? {
        check_name(name)?;
        let len = path.len();
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(name);
        if path.len() > MAX_PATH_BYTES {
            return Err("a path that is too long");
        }
        match below.get("") {
            None => walk(below, path, files)?,
            Some(_) if below.entries().is_some_and(|entries| entries.len() > 1) => {
                return Err("a file that is a directory, too");
            }
            Some(file) => files.extend(leaf(file, path)?),
        }
        path.truncate(len);
    }
    Ok(())
}

/// A file of v2; `None` for a link.
fn leaf(file: &Value<'_>, path: &[u8]) -> Result<Option<File>> {
    let Some((len, _)) = len(file)? else { return Ok(None) };
    let root = file.get("pieces root").and_then(Value::text);
    let root =
        root.map(|root| root.try_into().map_err(|_| "a root of another length")).transpose()?;
    if root.is_none() && len > 0 {
        return Err("a file without a root");
    }
    Ok(Some(File { path: path.to_vec(), len, is_padding: false, root: root.filter(|_| len > 0) }))
}

/// The files of v1 with the roots of v2. Both must describe the same files.
fn merged(first: &[File], in_directory: bool, second: (Vec<File>, bool)) -> Result<Vec<File>> {
    let (second, is_directory) = second;
    // in v1, a single file may have a directory, too
    let [one, ..] = &second[..] else { return Err("a torrent without its files") };
    let mut rest = second.iter();
    let mut merged = Vec::new();
    for file in first {
        if file.is_padding {
            merged.push(file.clone());
            continue;
        }
        let other = rest.next();
        let is_same = other.is_some_and(|other| {
            file.len == other.len && (file.path == other.path || !(in_directory && is_directory))
        });
        if !is_same {
            return Err("version 1 and version 2 describe different files");
        }
        merged.push(File { root: other.and_then(|other| other.root), ..file.clone() });
    }
    let is_whole = rest.next().is_none() && (in_directory == is_directory || one.path.is_empty());
    if is_whole { Ok(merged) } else { Err("version 1 and version 2 describe different files") }
}

/// Refuses anything but the name of a file or directory inside another.
fn check_name(name: &[u8]) -> Result<()> {
    let is_elsewhere = matches!(name, b"" | b"." | b"..");
    // a backslash separates directories on Windows
    if name.len() > MAX_PATH_BYTES {
        return Err("a name that is too long");
    }
    if is_elsewhere || name.iter().any(|byte| matches!(byte, b'/' | b'\\' | 0)) {
        return Err("a name that leads out of its directory");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        format!("{}:{text}", text.len())
    }

    /// A torrent of v1 with these paths, each of one byte.
    fn of_paths(paths: &[&[&str]]) -> String {
        let file = |path: &&[&str]| {
            let parts: String = path.iter().map(|part| text(part)).collect();
            format!("d6:lengthi1e4:pathl{parts}ee")
        };
        let files: String = paths.iter().map(file).collect();
        format!(
            "d4:infod5:filesl{files}e4:name1:d12:piece lengthi16384e6:pieces20:{}ee",
            "x".repeat(20)
        )
    }

    #[test]
    fn names_do_not_lead_out() {
        let torrent = Torrent::parse(of_paths(&[&["a", "b"], &["c"]]).as_bytes()).unwrap();
        let paths: Vec<_> = torrent.files.iter().map(|file| &file.path[..]).collect();
        assert_eq!((paths, torrent.is_directory), (vec![&b"a/b"[..], b"c"], true));
        for path in [
            &[".."][..],
            &["a", "..", "..", "b"],
            &["/etc", "passwd"],
            &["a/../../b"],
            &["."],
            &[""],
            &[],
            &["..\\b"],
            &["a\0b"],
        ] {
            let error = Torrent::parse(of_paths(&[&["ok"], path]).as_bytes()).unwrap_err();
            assert!(error.contains("name"), "{path:?}: {error}");
        }
        let tree = |name: &str| {
            let root = text(&"r".repeat(32));
            let leaf = format!("d0:d6:lengthi1e11:pieces root{root}ee");
            let tree = format!("9:file treed{}{leaf}e12:meta versioni2e4:name1:d", text(name));
            format!("d4:infod{tree}ee")
        };
        assert!(Torrent::parse(tree("f").as_bytes()).is_ok());
        for name in ["..", "a/b", "/"] {
            assert!(Torrent::parse(tree(name).as_bytes()).is_err(), "{name}");
        }
        for name in ["..", "a/b", ""] {
            let one =
                format!("d4:infod6:lengthi0e4:name{}12:piece lengthi1e6:pieces0:ee", text(name));
            assert!(Torrent::parse(one.as_bytes()).is_err(), "{name}");
        }
        assert_eq!(
            Torrent::parse(of_paths(&[&["a"], &["a"]]).as_bytes()),
            Err("two files with one name")
        );
    }

    #[test]
    fn paths_of_a_tree_are_bounded() {
        let tree = |name: usize, depth: usize| {
            let below = "d0:d6:lengthi0eee".to_owned();
            let name = text(&"x".repeat(name));
            let tree = (0..depth).fold(below, |below, _| format!("d{name}{below}e"));
            format!("d4:infod9:file tree{tree}12:meta versioni2e4:name1:dee")
        };
        for (name, depth, is_ok) in
            [(255, 16, true), (255, 17, false), (4096, 1, true), (4097, 1, false)]
        {
            let parsed = Torrent::parse(tree(name, depth).as_bytes());
            assert_eq!(parsed.is_ok(), is_ok, "{name} {depth}");
        }
        let files =
            of_paths(&[&["a"]]).replace("4:name1:d", &format!("4:name{}", text(&"d".repeat(4097))));
        assert_eq!(Torrent::parse(files.as_bytes()), Err("a name that is too long"));
    }

    #[test]
    fn names_in_utf8_come_first_and_are_checked() {
        let torrent = |name: &str| {
            let names = format!("6:lengthi1e4:pathl1:xe10:path.utf-8l{}e", text(name));
            let info = format!("d5:filesld{names}ee4:name1:y10:name.utf-81:d");
            let pieces = format!("12:piece lengthi16384e6:pieces20:{}", "x".repeat(20));
            Torrent::parse(format!("d4:info{info}{pieces}ee").as_bytes())
        };
        let parsed = torrent("\u{e9}").unwrap();
        assert_eq!((&parsed.name[..], &parsed.files[0].path[..]), (&b"d"[..], "\u{e9}".as_bytes()));
        assert!(torrent("..").is_err());
    }

    /// A torrent of v2 with the file `f`, which has these fields.
    fn of_leaf(fields: &str) -> String {
        format!("d4:infod9:file treed1:fd0:d{fields}eee12:meta versioni2e4:name1:dee")
    }

    #[test]
    fn links_have_no_bytes() {
        let links = |len: u8| {
            let link = format!("d4:attr1:l6:lengthi{len}e4:pathl1:lee");
            let files = format!("d6:lengthi1e4:pathl1:aee{link}");
            let pieces = format!("6:pieces20:{}", "x".repeat(20));
            format!("d4:infod5:filesl{files}e4:name1:d12:piece lengthi16384e{pieces}ee")
        };
        let torrent = Torrent::parse(links(0).as_bytes()).unwrap();
        assert_eq!(torrent.files.iter().map(|file| &file.path[..]).collect::<Vec<_>>(), [b"a"]);
        assert_eq!(Torrent::parse(links(1).as_bytes()), Err("a link with bytes"));
        let link = of_leaf("4:attr1:l6:lengthi1e");
        assert_eq!(Torrent::parse(link.as_bytes()), Err("a link with bytes"));
    }

    #[test]
    fn only_files_with_bytes_have_a_root() {
        let root = format!("11:pieces root{}", text(&"r".repeat(32)));
        let parse = |fields: String| Torrent::parse(of_leaf(&fields).as_bytes()).map(|it| it.files);
        assert_eq!(parse(format!("6:lengthi1e{root}")).unwrap()[0].root, Some([b'r'; 32]));
        assert_eq!(parse(format!("6:lengthi0e{root}")).unwrap()[0].root, None);
        assert_eq!(parse("6:lengthi0e".to_owned()).unwrap()[0].root, None);
        assert_eq!(parse("6:lengthi1e".to_owned()), Err("a file without a root"));
    }

    #[test]
    fn both_versions_have_the_same_names_and_lengths() {
        let both = |name: &str, len: u8| {
            let root = format!("11:pieces root{}", text(&"r".repeat(32)));
            let tree = format!("d1:ad0:d6:lengthi1e{root}ee1:bd0:d6:lengthi2e{root}eee");
            let files = format!("d6:lengthi1e4:pathl1:aeed6:lengthi{len}e4:pathl{}ee", text(name));
            let pieces = format!("6:pieces20:{}", "x".repeat(20));
            format!(
                "d4:infod9:file tree{tree}5:filesl{files}e12:meta versioni2e4:name1:d\
                 12:piece lengthi16384e{pieces}ee"
            )
        };
        let roots = Torrent::parse(both("b", 2).as_bytes()).unwrap().files;
        assert!(roots.iter().all(|file| file.root == Some([b'r'; 32])), "{roots:?}");
        for (name, len) in [("c", 2), ("b", 3), ("c", 3)] {
            let error = Torrent::parse(both(name, len).as_bytes());
            assert_eq!(error, Err("version 1 and version 2 describe different files"), "{name}");
        }
    }

    #[test]
    fn a_file_has_no_files_in_it() {
        let leaf = "d0:d6:lengthi0eee";
        let torrent =
            |below: &str| format!("d4:infod9:file treed1:f{below}e12:meta versioni2e4:name1:dee");
        assert!(Torrent::parse(torrent(leaf).as_bytes()).is_ok());
        assert!(Torrent::parse(torrent(&format!("d1:x{leaf}e")).as_bytes()).is_ok());
        let both = torrent(&format!("d0:d6:lengthi0ee1:x{leaf}e"));
        assert_eq!(Torrent::parse(both.as_bytes()), Err("a file that is a directory, too"));
    }

    #[test]
    fn inconsistent_torrents_are_refused() {
        let one = |len: &str, piece: &str, digests: usize| {
            let digests = text(&"x".repeat(digests));
            format!("d4:infod6:length{len}4:name1:f12:piece length{piece}6:pieces{digests}ee")
        };
        assert!(Torrent::parse(one("i3e", "i2e", 40).as_bytes()).is_ok());
        for (len, piece, digests) in [
            ("i3e", "i2e", 20),
            ("i3e", "i2e", 41),
            ("i3e", "i2e", 60),
            ("i3e", "i0e", 40),
            ("i3e", "i-2e", 40),
            ("i-3e", "i2e", 40),
            ("i9223372036854775807e", "i1e", 40),
            ("i3e", "i9223372036854775807e", 20),
            ("1:3", "i2e", 40),
        ] {
            assert!(Torrent::parse(one(len, piece, digests).as_bytes()).is_err(), "{len} {piece}");
        }
        for files in [2_u32, 3] {
            let leaf = format!("lengthi9223372036854775807e11:pieces root32:{}ee", "r".repeat(32));
            let tree: String = (0..files).map(|name| format!("1:{name}d0:d6:{leaf}")).collect();
            let torrent = format!("d4:infod9:file treed{tree}e12:meta versioni2e4:name1:dee");
            let is_read = Torrent::parse(torrent.as_bytes()).is_ok();
            assert_eq!(is_read, files == 2, "three have 2^64 bytes and more");
        }
        for text in ["", "de", "i1e", "d4:infodee", "d4:infod4:name1:fee"] {
            assert!(Torrent::parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
