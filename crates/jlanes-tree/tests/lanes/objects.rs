//! Formats that are not trees of one message, compared with naive models and their tools' answers.

use digest::{Digest as _, array::Array};
use jlanes_core::{
    function::{AnyFunction, Function},
    hashes::sha2::Sha256,
    simd::portable::Portable,
};
use jlanes_testing::{message, model::merkle as model, paint};
use jlanes_tree::merkle::{
    Error, Format,
    apk::Apk,
    dropbox::Dropbox,
    fsverity::FsVerity,
    git::{Entry, Mode, blob_ids, tree_id},
    gosum::{go_h1, go_h1_of_digests},
};

type Id = digest::Output<sha2::Sha256>;

fn function() -> AnyFunction {
    AnyFunction::U32(Function::of::<Sha256, _>(Portable::<4>))
}

fn blob(content: &[u8]) -> Id {
    let mut id = Id::default();
    blob_ids(&function(), &[content], &mut id);
    id
}

fn tree(entries: &[(Mode, &str, Id)]) -> Result<Id, Error> {
    let id = |bytes: Box<[u8]>| Id::try_from(&bytes[..]).unwrap();
    let entry = |(mode, name, id)| Entry { mode, name: str::as_bytes(name), id };
    let entries: Vec<_> = entries.iter().copied().map(entry).collect();
    tree_id(&function(), &entries).map(id)
}

#[test]
fn blobs() {
    let contents: Vec<_> = (0..9).map(|i| message(i, i as usize * 137)).collect();
    let slices: Vec<_> = contents.iter().map(Vec::as_slice).collect();
    let mut ids = vec![Id::default(); contents.len()];
    blob_ids(&function(), &slices, Array::slice_as_flattened_mut(&mut ids));
    for (content, id) in contents.iter().zip(ids) {
        let header = format!("blob {}\0", content.len());
        assert_eq!(id, sha2::Sha256::digest([header.as_bytes(), content].concat()));
    }
}

/// A tree with an order that shows whether trees sort with a slash after their names; the id is git's.
#[test]
fn trees_as_git() {
    let of_one = |name, content: &[u8]| tree(&[(Mode::File, name, blob(content))]).unwrap();
    let entries = [
        (Mode::Executable, "run", blob(b"run")),
        (Mode::Link, "link", blob(b"a")),
        (Mode::File, "a.txt", blob(b"hello\n")),
        (Mode::File, "a.b", blob(b"")),
        (Mode::Tree, "a-", of_one("f", b"x")),
        (Mode::Tree, "ab", of_one("z", b"y")),
        (Mode::Tree, "a0", of_one("q", b"q")),
        (Mode::Tree, "d", of_one("1", b"1")),
        (Mode::File, "d0", blob(b"2")),
        (Mode::File, "d.c", blob(b"file named d")),
    ];
    let id = "16c91485b76960c7861eabeb4f3d5f9ce324a1cd865c8586fe1244289cfc4ad5";
    let found: String = tree(&entries).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(found, id);
    let commit = tree(&[(Mode::Commit, "c", Id::default())]).unwrap();
    assert_eq!(commit, sha2::Sha256::digest([&b"tree 41\x00160000 c\0"[..], &[0; 32]].concat()));
    for name in ["", ".", "..", "a/b", "a\0b"] {
        assert_eq!(tree(&[(Mode::File, name, blob(b""))]), Err(Error::Name), "{name:?}");
    }
    let twice = [(Mode::File, "a", blob(b"")), (Mode::Tree, "a", blob(b""))];
    assert_eq!(tree(&twice), Err(Error::DuplicateName));
}

#[test]
fn directories_as_go() {
    let hash = "h1:zfnjV891yKYYbtB2zZFnx/hwZKEMosZP5aJhWjZirb4=";
    let files: [(_, &[u8]); 2] = [("b", b""), ("a/x", b"hi\n")];
    assert_eq!(go_h1(&files).unwrap(), hash);
    let digests = files.map(|(name, content)| (name, sha2::Sha256::digest(content)));
    assert_eq!(go_h1_of_digests(digests).unwrap(), hash);
    assert_eq!(go_h1(&[("a\nb", b"")]), Err(Error::Name));
}

#[test]
fn dropbox() {
    // files of several blocks are among the facade's tests: 4 MiB take seconds here
    for len in [0, 7, 70_000] {
        let data = message(1, len);
        let Ok(digest) = Dropbox.digest(&data);
        assert_eq!(digest, model::dropbox(&data), "{len} bytes");
    }
}

#[test]
fn apk() {
    let sections = [paint(70_005, 0), vec![], paint(100, 1), paint(22, 2)];
    let mut chunks: Vec<[u8; 32]> = Vec::new();
    for chunk in sections.iter().flat_map(|section| section.chunks(1 << 20)) {
        let head = [&[0xa5][..], &(chunk.len() as u32).to_le_bytes()].concat();
        chunks.push(sha2::Sha256::digest([&head, chunk].concat()).into());
    }
    let head = [&[0x5a][..], &(chunks.len() as u32).to_le_bytes()].concat();
    let expected = sha2::Sha256::digest([&head, chunks.as_flattened()].concat());
    let mut apk = Apk::sha256();
    for (i, section) in sections.iter().enumerate() {
        if i > 0 {
            apk.end_section();
        }
        section.chunks(30_000).for_each(|piece| apk.update(piece));
    }
    assert_eq!(*apk.finalize(), *expected);
}

#[test]
fn many_files_of_fsverity() {
    let lens = [3000, 0, 1, 1024, 1023, 33 << 10, 1025, 0, 32 << 10, (32 << 10) + 1, 17 << 10];
    let files: Vec<_> = (0..).zip(lens).map(|(i, len)| message(i, len)).collect();
    let slices: Vec<_> = files.iter().map(Vec::as_slice).collect();
    for salt in [&b""[..], b"salt"] {
        let format = FsVerity::sha256(1024, salt).unwrap();
        for count in [0, 1, 2, slices.len()] {
            let digests = format.digest_many(&slices[..count]);
            let expected = files[..count].iter().map(|file| model::fsverity(file, 1024, salt));
            assert_eq!(digests, expected.collect::<Vec<_>>().concat(), "{count} files");
        }
    }
}
