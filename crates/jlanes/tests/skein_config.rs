//! Skein with arguments, bit lengths and trees: known answers, and schedulers against each other.
#![cfg(feature = "alloc")]

use jlanes::{
    Backend,
    skein::{
        Builder, Error, Schedule, Skein256, Skein512, Skein1024, SkeinConfig, SkeinDigest,
        TreeParams,
    },
};
use jlanes_core::kernel::HasKernels;
use jlanes_testing::{Record, backends, corpus, message};

/// Optional arguments of a record.
struct Arguments {
    key: Option<Vec<u8>>,
    personalization: Option<Vec<u8>>,
    public_key: Option<Vec<u8>>,
    key_id: Option<Vec<u8>>,
    nonce: Option<Vec<u8>>,
    tree: Option<TreeParams>,
    output_bits: u64,
}

impl Arguments {
    fn of(record: &Record) -> Self {
        let tree = record.has("tree").then(|| {
            let tree = record.record("tree");
            TreeParams::new(tree.number("yl"), tree.number("yf"), tree.number("ym"))
                .expect("a legal tree")
        });
        Self {
            key: record.optional_hex("key_hex"),
            personalization: record.optional_hex("pers_hex"),
            public_key: record.optional_hex("pk_hex"),
            key_id: record.optional_hex("kdf_hex"),
            nonce: record.optional_hex("nonce_hex"),
            tree,
            output_bits: record.number("out_bits"),
        }
    }

    fn builder<H: SkeinDigest>(&self) -> Builder<'_, H> {
        let mut builder = SkeinConfig::<H>::builder().output_bits(self.output_bits);
        if let Some(key) = &self.key {
            builder = builder.key(key);
        }
        if let Some(personalization) = &self.personalization {
            builder = builder.personalization(personalization);
        }
        if let Some(public_key) = &self.public_key {
            builder = builder.public_key(public_key);
        }
        if let Some(key_id) = &self.key_id {
            builder = builder.key_id(key_id);
        }
        if let Some(nonce) = &self.nonce {
            builder = builder.nonce(nonce);
        }
        if let Some(tree) = self.tree {
            builder = builder.tree(tree);
        }
        builder
    }
}

const SCHEDULES: [Schedule; 8] = [
    Schedule::Sequential,
    Schedule::LowerLevelFirst,
    Schedule::HigherLevelFirst,
    Schedule::SameLevel { nodes: 0 },
    Schedule::SameLevel { nodes: 3 },
    Schedule::Subtrees { height: 1 },
    Schedule::Subtrees { height: 2 },
    Schedule::Subtrees { height: 255 },
];

fn config_matches<H: SkeinDigest>(record: &Record)
where
    Backend: HasKernels<H::Threefish>,
{
    let bits: u128 = u128::from(record.number::<u64>("msg_bits"));
    let data = message(record.number("msg_seed"), bits.div_ceil(8) as usize);
    let digest = record.hex("digest_hex");
    let arguments = Arguments::of(record);
    for backend in backends::<Backend>() {
        let config = arguments.builder::<H>().build_on(backend).expect("legal parameters");
        assert_eq!(config.hash_bits(&data, bits)[..], digest, "{}, {backend}", record.name());
        if !bits.is_multiple_of(8) {
            continue;
        }
        assert_eq!(config.hash_many(&[&data])[0][..], digest, "{}, pipe", record.name());
        for schedule in SCHEDULES {
            let hash = config.hash_with(schedule, &data);
            assert_eq!(hash[..], digest, "{}, {schedule:?}, {backend}", record.name());
            let mut hasher = config.hasher_with(schedule);
            for chunk in data.chunks(data.len() / 3 + 1) {
                hasher.update(chunk);
            }
            assert_eq!(hasher.finalize()[..], digest, "{}, {schedule:?} in pieces", record.name());
        }
    }
}

#[test]
fn configurations_match_known_answers() {
    for record in corpus("skein") {
        match record.number("state") {
            256u16 => config_matches::<Skein256>(&record),
            512 => config_matches::<Skein512>(&record),
            _ => config_matches::<Skein1024>(&record),
        }
    }
}

fn empty_argument_matches<H: SkeinDigest>(record: &Record) {
    let data = record.message();
    let key = record.optional_hex("key_hex").unwrap_or_default();
    let builder =
        SkeinConfig::<H>::builder().output_bits(record.number::<u64>("out_bits")).key(&key);
    let builder = match record.text("empty_arg") {
        "pers" => builder.personalization(b""),
        "pk" => builder.public_key(b""),
        "kdf" => builder.key_id(b""),
        _ => builder.nonce(b""),
    };
    let digest = builder.build().expect("legal parameters").hash(&data);
    assert_eq!(digest[..], record.hex("digest_hex"), "{}", record.name());
}

#[test]
fn empty_arguments_match_known_answers() {
    for record in corpus("skein_emptyarg") {
        match record.number("state") {
            256u16 => empty_argument_matches::<Skein256>(&record),
            512 => empty_argument_matches::<Skein512>(&record),
            _ => empty_argument_matches::<Skein1024>(&record),
        }
    }
}

#[test]
fn an_empty_key_is_no_key() {
    let keyed = SkeinConfig::<Skein512>::builder().key(b"").build().expect("legal");
    let plain = SkeinConfig::<Skein512>::builder().build().expect("legal");
    assert_eq!(keyed.hash(b"abc"), plain.hash(b"abc"));
}

#[test]
fn illegal_parameters_are_errors() {
    for (yl, yf, ym) in [(0, 1, 2), (1, 0, 2), (1, 1, 1), (1, 1, 0), (0, 0, 2), (0, 0, 1)] {
        assert_eq!(TreeParams::new(yl, yf, ym), Err(Error::Tree { yl, yf, ym }));
    }
    assert_eq!(
        SkeinConfig::<Skein512>::builder().output_bits(0).build().err(),
        Some(Error::OutputBits)
    );
    assert_eq!(
        SkeinConfig::<Skein512>::builder().output_bits(1u128 << 64).build().err(),
        Some(Error::OutputBits)
    );
}

#[test]
#[should_panic(expected = "17 bits of 2 bytes")]
fn more_bits_than_data_panic() {
    let config = SkeinConfig::<Skein512>::builder().build().expect("legal");
    let _ = config.hash_bits(&[0, 0], 17);
}
