//! Skein's arguments, trees, schedules and bit lengths, against the reference.

use arbitrary::{Result, Unstructured};
use jlanes::{
    Backend,
    skein::{
        Schedule, Skein256, Skein512, Skein1024, SkeinConfig, SkeinDigest, TreeParams, TreeState,
    },
};
use jlanes_core::kernel::HasKernels;
use jlanes_reference as reference;
use jlanes_tree::join::Join;

use crate::input::{backend, pieces, pool, text};

/// Hashes as the configuration in `u` says.
///
/// # Errors
/// If `u` makes no case.
///
/// # Panics
/// If a digest differs from the reference's.
pub fn run(u: &mut Unstructured) -> Result<()> {
    match u.int_in_range(0..=2)? {
        0 => check::<Skein256>(u, 32),
        1 => check::<Skein512>(u, 64),
        _ => check::<Skein1024>(u, 128),
    }
}

/// Skein's optional inputs.
struct Arguments {
    key: Vec<u8>,
    personalization: Option<Vec<u8>>,
    public_key: Option<Vec<u8>>,
    key_id: Option<Vec<u8>>,
    nonce: Option<Vec<u8>>,
    output_bits: u64,
    tree: [u8; 3],
}

impl Arguments {
    fn read(u: &mut Unstructured) -> Result<Self> {
        let optional = |u: &mut Unstructured| u.ratio(1, 4)?.then(|| text(u, 200)).transpose();
        Ok(Self {
            key: optional(u)?.unwrap_or_default(),
            personalization: optional(u)?,
            public_key: optional(u)?,
            key_id: optional(u)?,
            nonce: optional(u)?,
            output_bits: u.int_in_range(1..=2100)?,
            tree: if u.ratio(1, 4)? { [0; 3] } else { legal_tree(u)? },
        })
    }

    fn build<H: SkeinDigest>(&self, backend: Backend) -> SkeinConfig<H>
    where
        Backend: HasKernels<H::Threefish>,
    {
        let mut builder = SkeinConfig::<H>::builder().output_bits(self.output_bits).key(&self.key);
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
        if self.tree != [0; 3] {
            let [yl, yf, ym] = self.tree;
            builder = builder.tree(TreeParams::new(yl, yf, ym).expect("a legal tree"));
        }
        builder.build_on(backend).expect("legal parameters")
    }

    fn reference(&self, state_bytes: usize, data: &[u8], bits: u32) -> Vec<u8> {
        let skein = reference::skein::Skein {
            state_bytes,
            output_bits: self.output_bits,
            key: &self.key,
            personalization: self.personalization.as_deref(),
            public_key: self.public_key.as_deref(),
            key_identifier: self.key_id.as_deref(),
            nonce: self.nonce.as_deref(),
            tree: self.tree,
        };
        skein.hash(data, bits)
    }
}

fn legal_tree(u: &mut Unstructured) -> Result<[u8; 3]> {
    let highest = if u.ratio(1, 2)? { 255 } else { u.int_in_range(2..=8)? };
    Ok([u.int_in_range(1..=4)?, u.int_in_range(1..=4)?, highest])
}

fn schedule(u: &mut Unstructured) -> Result<Schedule> {
    Ok(match u.int_in_range(0..=4)? {
        0 => Schedule::Sequential,
        1 => Schedule::LowerLevelFirst,
        2 => Schedule::HigherLevelFirst,
        3 => Schedule::SameLevel { nodes: u.int_in_range(0..=40)? },
        _ => Schedule::Subtrees { height: u.int_in_range(0..=6)? },
    })
}

fn check<H: SkeinDigest>(u: &mut Unstructured, state_bytes: usize) -> Result<()>
where
    Backend: HasKernels<H::Threefish>,
{
    let (arguments, backend, schedule) = (Arguments::read(u)?, backend(u)?, schedule(u)?);
    let config = arguments.build::<H>(backend);
    let data = text(u, 12_000)?;
    let expected = arguments.reference(state_bytes, &data, 0);
    let pieces = pieces(u, &data, 6)?;
    let (whole, in_pieces) = pool(u)?.install(|| {
        let config = config.clone().with_join(Join::Rayon);
        let mut hasher = config.hasher_with(schedule);
        pieces.iter().for_each(|piece| hasher.update(piece));
        (config.hash_with(schedule, &data), hasher.finalize())
    });
    assert_eq!(whole[..], expected, "{backend}, {schedule:?}, {} bytes", data.len());
    assert_eq!(in_pieces[..], expected, "{backend}, {schedule:?} in pieces");
    assert_eq!(config.hash_many(&[&data, &data[..data.len() / 2]])[0][..], expected, "{backend}");

    let bits = u.int_in_range(0..=8 * data.len() as u128)?;
    let bytes = &data[..bits.div_ceil(8) as usize];
    let digest = arguments.reference(state_bytes, bytes, (bits % 8) as u32);
    assert_eq!(config.hash_bits(&data, bits)[..], digest, "{backend}, {bits} bits");
    kept(u, &arguments, config, state_bytes)
}

/// A tree that grows and changes.
fn kept<H>(
    u: &mut Unstructured,
    arguments: &Arguments,
    config: SkeinConfig<H>,
    state_bytes: usize,
) -> Result<()> {
    let leaf = state_bytes << arguments.tree[0];
    let Some(mut state) = TreeState::new(config) else {
        assert_eq!(arguments.tree, [0; 3]);
        return Ok(());
    };
    let mut data = Vec::new();
    for _ in 0..u.int_in_range(0..=4)? {
        let more = text(u, 3000)?;
        if u.ratio(1, 2)? {
            state.append(&more);
            data.extend(more);
        } else {
            let index = u.int_in_range(0..=data.len() / leaf)?;
            let held = data.chunks_mut(leaf).nth(index).filter(|held| held.len() == more.len());
            let replaced = state.replace_leaf(index, &more);
            assert_eq!(replaced.is_ok(), held.is_some(), "leaf {index}, {} bytes", more.len());
            if let Some(held) = held {
                held.copy_from_slice(&more);
            }
        }
        assert_eq!(state.digest()[..], arguments.reference(state_bytes, &data, 0));
    }
    Ok(())
}
