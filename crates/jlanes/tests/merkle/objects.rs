//! Git's object ids, compared with git's own answers, and Go's directory hash.

use hex_literal::hex;
use jlanes::{
    Digest, Sha256,
    digest::Output,
    merkle::{self, Error, GitEntry, GitMode},
};
use jlanes_testing::message;

fn blob(content: &[u8]) -> Output<Sha256> {
    let mut ids = [Output::<Sha256>::default()];
    merkle::git_blob_ids::<Sha256>(&[content], &mut ids);
    ids[0]
}

fn tree(entries: &[(GitMode, &str, Output<Sha256>)]) -> Result<Output<Sha256>, Error> {
    let entry = |(mode, name, id)| GitEntry { mode, name: str::as_bytes(name), id };
    merkle::git_tree_id::<Sha256>(&entries.iter().copied().map(entry).collect::<Vec<_>>())
}

#[test]
fn blobs_as_git() {
    let empty = hex!("473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
    assert_eq!(blob(b""), empty);
    let hello = hex!("2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4");
    assert_eq!(blob(b"hello\n"), hello);
}

#[test]
fn many_blobs_at_once() {
    let contents: Vec<_> = (0..50).map(|i| message(i, i as usize * 37)).collect();
    let mut ids = vec![Output::<Sha256>::default(); contents.len()];
    let slices: Vec<_> = contents.iter().map(Vec::as_slice).collect();
    merkle::git_blob_ids::<Sha256>(&slices, &mut ids);
    for (content, id) in contents.iter().zip(ids) {
        let header = format!("blob {}\0", content.len());
        assert_eq!(id, sha2::Sha256::digest([header.as_bytes(), content].concat()));
    }
}

/// No blob of an attack is known: an attack's blocks after a header are harmless, which the reference agrees to.
#[cfg(feature = "sha1dc")]
#[test]
fn blobs_of_sha_1_as_git() {
    let attacks = jlanes_testing::corpus("sha1_collisions");
    let contents: Vec<_> = attacks.iter().map(|attack| attack.message()).collect();
    let slices: Vec<_> = contents.iter().map(Vec::as_slice).collect();
    for (content, id) in contents.iter().zip(merkle::try_git_blob_ids(&slices)) {
        let header = format!("blob {}\0", content.len());
        let expected = sha1_checked::Sha1::try_digest([header.as_bytes(), content].concat());
        assert!(!expected.has_collision());
        assert_eq!(id.unwrap()[..], expected.hash()[..]);
    }
}

/// A tree with an order that shows whether trees sort with a slash after their names.
#[test]
fn trees_as_git() {
    use GitMode::{Executable, File, Link, Tree};
    let of_one = |name, content: &[u8]| tree(&[(File, name, blob(content))]).unwrap();
    let entries = [
        (Executable, "run", blob(b"run")),
        (Link, "link", blob(b"a")),
        (File, "a.txt", blob(b"hello\n")),
        (File, "a.b", blob(b"")),
        (Tree, "a-", of_one("f", b"x")),
        (Tree, "ab", of_one("z", b"y")),
        (Tree, "a0", of_one("q", b"q")),
        (Tree, "d", of_one("1", b"1")),
        (File, "d0", blob(b"2")),
        (File, "d.c", blob(b"file named d")),
    ];
    let id = hex!("16c91485b76960c7861eabeb4f3d5f9ce324a1cd865c8586fe1244289cfc4ad5");
    assert_eq!(tree(&entries).unwrap(), id);
    let empty = hex!("6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321");
    assert_eq!(tree(&[]).unwrap(), empty);
}

#[test]
fn trees_with_impossible_names_are_refused() {
    for name in ["", ".", "..", "a/b", "a\0b"] {
        assert_eq!(tree(&[(GitMode::File, name, blob(b""))]), Err(Error::Name), "{name:?}");
    }
    let twice = [(GitMode::File, "a", blob(b"")), (GitMode::Tree, "a", blob(b""))];
    assert_eq!(tree(&twice), Err(Error::DuplicateName));
}

#[test]
fn go_directory_hash() {
    let hash = "h1:zfnjV891yKYYbtB2zZFnx/hwZKEMosZP5aJhWjZirb4=";
    assert_eq!(merkle::go_h1(&[("b", b""), ("a/x", b"hi\n")]).unwrap(), hash);
    let digests = [("a/x", Sha256::digest(b"hi\n")), ("b", Sha256::digest(b""))];
    assert_eq!(merkle::go_h1_of_digests(digests).unwrap(), hash);
    assert_eq!(merkle::go_h1(&[("a\nb", b"")]), Err(Error::Name));
}
