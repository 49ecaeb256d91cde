//! Large files that threads read in parts.

use std::{
    fs::File,
    io::{Seek, SeekFrom, Write},
    num::NonZero,
};

use jlanes::{Algorithm, Blake3, Digest};
use jlanes_files::{Engine, MapPolicy};

use crate::{Scratch, paint};

fn digests(paths: &[std::path::PathBuf], threads: usize, map: MapPolicy) -> Vec<Box<[u8]>> {
    let blake3: Algorithm = "blake3".parse().unwrap();
    let mut all = Vec::new();
    let engine = Engine::new().threads(NonZero::new(threads)).mmap(map);
    let each = |hashed: jlanes_files::FileResult| {
        all.extend(hashed.digests?);
        Ok(())
    };
    engine.digests([blake3], paths.to_vec(), each).unwrap();
    all
}

#[test]
fn parts_make_the_digest_of_the_file() {
    const MIB: usize = 1 << 20;
    let scratch = Scratch::new();
    // the first 4 MiB are read in order, then up to 64 MiB at once, and a rest below 1 MiB in order
    let lens = [4 * MIB, 5 * MIB - 1, 5 * MIB, 7 * MIB + 1025, 68 * MIB, 70 * MIB + 5];
    let text = paint(lens[5]);
    let paths = lens.map(|len| scratch.write(&len.to_string(), &text[..len]));
    let expected = lens.map(|len| Box::<[u8]>::from(&Blake3::digest(&text[..len])[..]));
    for threads in [1, 2, 3] {
        for map in [MapPolicy::Never, MapPolicy::Local, MapPolicy::Always] {
            assert!(digests(&paths, threads, map) == expected, "{threads} threads, {map:?}");
        }
    }
}

#[test]
fn files_with_holes_are_read_in_order() {
    let scratch = Scratch::new();
    let path = scratch.at("holes");
    let mut expected = vec![0; 30 << 20];
    let mut file = File::create(&path).unwrap();
    file.set_len(30 << 20).unwrap();
    for at in [0, 9 << 20, (20 << 20) + 5] {
        let data = paint(6 << 20);
        file.seek(SeekFrom::Start(at)).unwrap();
        file.write_all(&data).unwrap();
        expected[at as usize..][..data.len()].copy_from_slice(&data);
    }
    for threads in [1, 2] {
        let digest = &digests(std::slice::from_ref(&path), threads, MapPolicy::Local)[0];
        assert_eq!(digest[..], Blake3::digest(&expected)[..], "{threads} threads");
    }
}
