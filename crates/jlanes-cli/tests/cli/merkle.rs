//! Merkle formats of other tools: fs-verity, dm-verity, S3's composites, multi-hash.

use crate::common::{Scratch, paint, sha256};

/// A blank or an asterisk at the start of a name could belong to the separator.
#[test]
fn fsverity_lines_of_names_that_begin_with_blanks() {
    let scratch = Scratch::new();
    // Windows forbids asterisks in names
    let names: &[&str] = if cfg!(windows) { &[" f"] } else { &["*f", " f", "*", "* f"] };
    for name in names {
        scratch.write(name, name);
        let ran = scratch.sum(&["-a", "fsverity-sha256", "--fsverity-format", name]);
        assert!(ran.out().ends_with(&format!(" ./{name}\n")), "{}", ran.out());
        scratch.write("LIST", ran.stdout);
        let ran = scratch.sum(&["-a", "fsverity-sha256", "-c", "LIST"]);
        assert_eq!(ran.out(), format!("'./{name}': OK\n"));
    }
}

#[test]
fn fsverity_lines_are_written_and_read() {
    let scratch = Scratch::new();
    scratch.write(
        "f",
        (0..1_000_000).map(|i| (i % 11 + i % 439 + i % 1103) as u8).collect::<Vec<_>>(),
    );
    let plain = "48df0c462329cd879661bd05b39aa81b05cc16afd27a7196a559da83531d39d9";
    let small = "e9df927c14fcb961d5f51c666d8ae4c14fe4ff98a374c733e898d00c9e74a8e3";
    let salted = "917900b0d299454aa304d5debc6f39e4af7b5abe33bdbc568d5d8f1e5c4d8652";
    for (options, digest) in
        [(&[][..], plain), (&["--block-size=1024"], small), (&["--salt=61626364"], salted)]
    {
        let sum = |args: &[&str]| scratch.sum(&[args, options].concat());
        let ran = sum(&["-a", "fsverity-sha256", "--fsverity-format", "f"]);
        assert_eq!(ran.out(), format!("sha256:{digest} f\n"));
        scratch.write("LIST", ran.stdout);
        // without an option it could be the file's own digest
        let remark = if options.is_empty() { " (fsverity-sha256)" } else { "" };
        assert_eq!(sum(&["-c", "LIST"]).out(), format!("f: OK{remark}\n"));
        assert_eq!(sum(&["-a", "fsverity-sha256", "-c", "LIST"]).out(), "f: OK\n");
    }
    let ran = scratch.sum(&["-c", "LIST"]);
    assert_eq!((ran.code, ran.out()), (Some(1), "f: FAILED\n".to_owned()), "the salt was left out");
    let several = scratch.sum(&["-a", "sha256,fsverity-sha256", "--block-size=1024", "f"]);
    assert!(several.out().ends_with(&format!("FSVERITY-SHA256-1024 (f) = {small}\n")));
    scratch.write("LIST", &several.stdout);
    assert_eq!(scratch.sum(&["-c", "LIST"]).out(), "f: OK\nf: OK\n");
    let both = ["-a", "sha256,fsverity-sha256", "--salt=61626364", "f"];
    scratch.write("LIST", scratch.sum(&both).stdout);
    assert_eq!(scratch.sum(&["-c", "--salt=61626364", "LIST"]).out(), "f: OK\nf: OK\n");
    let ran = scratch.sum(&["-a", "fsverity-sha256", "--tag", "--block-size=1024", "f"]);
    assert_eq!(ran.out(), format!("FSVERITY-SHA256-1024 (f) = {small}\n"));
    let ran = scratch.sum(&["-a", "FSVERITY-SHA256-1024", "f"]);
    assert_eq!(ran.out(), format!("{small}  f\n"));
}

#[test]
fn dmverity_writes_its_hash_tree() {
    let scratch = Scratch::new();
    scratch.write("f", vec![0; 8 << 20]);
    let salt = "--salt=e48da609055204e89ae53b655ca2216dd983cf3cb829f34f63a297d106d53e2d";
    let dmverity = ["-a", "dmverity-sha256", salt];
    let ran = scratch.sum(&[&dmverity[..], &["--dmverity-tree=TREE", "f"]].concat());
    let root = "e522df0f97da4febb882ac40f30b37dc0b444bf6df418929463fa25280f09d5c";
    assert_eq!(ran.out(), format!("{root}  f\n"));
    let tree = std::fs::read(scratch.at("TREE")).unwrap();
    assert_eq!(tree.len(), (1 + 16) * 4096, "the root's block, and one for 128 data blocks each");
    // the root hash is the digest of the salt and the first block
    let block = [&hex::decode(&salt[7..]).unwrap()[..], &tree[..4096]].concat();
    assert_eq!(sha256(&block), root);
    scratch.write("g", vec![0; 5000]);
    scratch.write("KEPT", "kept");
    let ran = scratch.sum(&[&dmverity[..], &["--dmverity-tree=KEPT", "g"]].concat());
    let message = "jlanes-sum: g: 5000 bytes are not a whole number of blocks of 4096 bytes\n";
    assert_eq!((ran.code, ran.err()), (Some(1), message.to_owned()));
    assert_eq!(std::fs::read(scratch.at("KEPT")).unwrap(), b"kept");
    #[cfg(unix)]
    std::os::unix::fs::symlink("KEPT", scratch.at("link")).unwrap();
    let kept = |args: &[&str], why: &str| {
        let ran = scratch.sum(&[&dmverity[..], &["--dmverity-tree=KEPT"], args].concat());
        let code = if args[0][2..].starts_with(['a', 'u']) { 2 } else { 1 };
        assert!(ran.code == Some(code) && ran.out() == "" && ran.err().contains(why), "{ran:?}");
        assert_eq!(std::fs::read(scratch.at("KEPT")).unwrap(), b"kept");
    };
    kept(&["KEPT"], "would overwrite the file that is hashed");
    #[cfg(unix)]
    kept(&["./link"], "would overwrite the file that is hashed");
    kept(&["--files-from=KEPT"], "for one file");
    kept(&["--output=./KEPT", "f"], "would overwrite the list");
    #[cfg(unix)]
    kept(&["--update=link", "f"], "would overwrite the list");
    kept(&["--audit=KEPT", "f"], "meaningless when verifying");
    let ran = scratch.sum(&[&dmverity[..], &["--dmverity-tree=no/such/TREE", "f"]].concat());
    let message = "jlanes-sum: f: hash tree 'no/such/TREE': No such file or directory\n";
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), String::new(), message.to_owned()));
}

#[test]
fn s3_prints_parts_and_multi_hash_has_two_orders() {
    let scratch = Scratch::new();
    scratch.write("f", vec![b'a'; 6 << 20]);
    let ran = scratch.sum(&["-a", "s3-sha256:5242880", "f"]);
    assert_eq!(ran.out(), "6Us6cU7pvIDIATL1FN7LOs5cnwBpyXdaKnhpej9M2eo=-2  f\n");
    scratch.write("LIST", ran.out().replace("-2 ", "-3 "));
    assert_eq!(scratch.sum(&["-a", "s3-sha256:5242880", "-c", "LIST"]).out(), "f: FAILED\n");
    scratch.write("p", paint(1024));
    let order = |args: &[&str]| scratch.sum(&[&["-a", "mh-sha256", "p"], args].concat()).out();
    let words = "920370a9e94b471ee4b7869101b7ac6ca512b94eed1d332057284c737fd87011";
    assert_eq!(order(&[]), format!("{words}  p\n"));
    let mut memory = hex::decode(words).unwrap();
    memory.chunks_exact_mut(4).for_each(<[u8]>::reverse);
    assert_eq!(order(&["--isal-memory-order"]), format!("{}  p\n", hex::encode(memory)));
}
