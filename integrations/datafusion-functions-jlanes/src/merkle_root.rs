//! `jl_merkle_root(x, index)`: the root of RFC 6962's tree over a column.

use std::{collections::BTreeMap, mem, sync::Arc};

use arrow::{
    array::{Array as _, ArrayRef, AsArray, PrimitiveArray},
    datatypes::{ArrowPrimitiveType, DataType, Field, FieldRef, Int64Type, UInt64Type},
};
use datafusion_common::{
    Result, ScalarValue, exec_datafusion_err, exec_err, not_impl_err, plan_err,
    utils::take_function_args,
};
use datafusion_expr::{
    Accumulator, AggregateUDFImpl, Signature, Volatility,
    function::{AccumulatorArgs, StateFieldsArgs},
    utils::{AggregateOrderSensitivity, format_state_name},
};
use jlanes::{Algorithm, Digest as _, Sha256, algorithm::AnyLanes, multi::Messages};

use crate::columns::{check_extensions, column, external, is_bytes};

type Hash = [u8; 32];

/// The bytes before a leaf, and before two digests.
const LEAF: [u8; 1] = [0];
const NODE: [u8; 1] = [1];

/// The length of a node in a state: its level, its position and its hash.
const RECORD: usize = 1 + 8 + 32;

#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct MerkleRoot {
    aliases: Vec<String>,
    signature: Signature,
}

impl MerkleRoot {
    pub(crate) fn new() -> Self {
        Self {
            aliases: vec!["merkle_root".into()],
            signature: Signature::user_defined(Volatility::Immutable),
        }
    }
}

impl AggregateUDFImpl for MerkleRoot {
    fn name(&self) -> &str {
        "jl_merkle_root"
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let [entry, index] = take_function_args(self.name(), types)?;
        if !is_bytes(entry) {
            return plan_err!("{}: {entry} is neither text nor bytes", self.name());
        }
        let index = match index {
            DataType::UInt64 => DataType::UInt64,
            // the type of `row_number() - 1`
            DataType::Decimal128(_, 0) => DataType::Int64,
            index if index.is_integer() => DataType::Int64,
            _ => return plan_err!("{}: an index is an integer, not {index}", self.name()),
        };
        Ok(vec![entry.clone(), index])
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Binary)
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        check_extensions(self.name(), fields)?;
        Ok(Arc::new(Field::new(self.name(), DataType::Binary, self.is_nullable())))
    }

    fn is_nullable(&self) -> bool {
        false
    }

    fn default_value(&self, _: &DataType) -> Result<ScalarValue> {
        Tree::default().evaluate()
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(
            format_state_name(args.name, "subtrees"),
            DataType::Binary,
            false,
        ))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return not_impl_err!("{}(DISTINCT): a leaf may well be there twice", self.name());
        }
        Ok(Box::new(Tree::default()))
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }
}

/// Complete aligned subtrees: for each level, the nodes without their sibling so far. Nodes arrive in
/// any order. A run of rows of any length leaves few of them.
#[derive(Debug, Default)]
struct Tree {
    levels: Vec<BTreeMap<u64, Hash>>,
}

impl Tree {
    /// Adds nodes of each level, and combines pairs.
    fn add(&mut self, mut incoming: Vec<Vec<(u64, Hash)>>) -> Result<()> {
        let lanes = lanes(&NODE)?;
        let mut parents: Vec<(u64, Hash)> = Vec::new();
        let mut level = 0;
        while level < incoming.len() || !parents.is_empty() {
            let mut nodes = incoming.get_mut(level).map(mem::take).unwrap_or_default();
            nodes.append(&mut parents);
            nodes.sort_unstable_by_key(|(position, _)| *position);
            if self.levels.len() == level {
                self.levels.push(BTreeMap::new());
            }
            let (above, pairs) = pairs(&nodes, &mut self.levels[level], level)?;
            let hashes = hash(&lanes, &pairs, above.len());
            parents = above.into_iter().zip(hashes).collect();
            level += 1;
        }
        Ok(())
    }

    /// Adds a batch of rows.
    fn add_rows<T: ArrowPrimitiveType>(
        &mut self,
        entries: &ArrayRef,
        index: &PrimitiveArray<T>,
    ) -> Result<()>
    where
        u64: TryFrom<T::Native>,
    {
        if index.null_count() > 0 {
            return exec_err!("jl_merkle_root: an index is null");
        }
        let entries = column(entries)?;
        let mut messages = Vec::with_capacity(entries.len());
        let mut positions = Vec::with_capacity(entries.len());
        for (i, position) in index.values().iter().enumerate() {
            let position = u64::try_from(*position).ok().filter(|position| *position < 1 << 63);
            let position = position.ok_or_else(|| {
                exec_datafusion_err!("jl_merkle_root: an index is negative or too large")
            })?;
            let Some(message) = entries.get(i).map_err(external)? else {
                return exec_err!("jl_merkle_root: row {position} is null");
            };
            positions.push(position);
            messages.push(message);
        }
        let mut hashes = vec![0; messages.len() * size_of::<Hash>()];
        lanes(&LEAF)?.digest(Messages::slices(&messages), &mut hashes);
        let (hashes, _) = hashes.as_chunks();
        self.add(vec![positions.into_iter().zip(hashes.iter().copied()).collect()])
    }

    /// All nodes, with their levels.
    fn nodes(&self) -> impl Iterator<Item = (u8, u64, &Hash)> {
        self.levels.iter().enumerate().flat_map(|(level, nodes)| {
            let level = u8::try_from(level).expect("there are 64 levels at most");
            nodes.iter().map(move |(position, hash)| (level, *position, hash))
        })
    }

    fn root(&self) -> Result<Hash> {
        let mut nodes: Vec<_> = self.nodes().collect();
        nodes.sort_unstable_by_key(|(level, position, _)| u128::from(*position) << level);
        let mut next = 0_u128;
        for (level, position, _) in &nodes {
            let first = u128::from(*position) << level;
            if first < next {
                return exec_err!("jl_merkle_root: index {first} is there twice");
            }
            if first > next {
                return exec_err!("jl_merkle_root: index {next} is missing");
            }
            next = first + (1 << level);
        }
        // subtrees get smaller from left to right, and the smallest are combined first
        let root = nodes.iter().rev().map(|(_, _, hash)| **hash).reduce(|right, left| {
            Sha256::new()
                .chain_update(NODE)
                .chain_update(left)
                .chain_update(right)
                .finalize()
                .into()
        });
        Ok(root.unwrap_or_else(|| Sha256::digest(b"").into()))
    }
}

/// Pairs nodes, which are in order, with their waiting siblings. Returns the positions of the parents,
/// and the pairs to hash. Nodes without a sibling wait.
fn pairs(
    nodes: &[(u64, Hash)],
    waiting: &mut BTreeMap<u64, Hash>,
    level: usize,
) -> Result<(Vec<u64>, Vec<u8>)> {
    let mut above = Vec::with_capacity(nodes.len() / 2 + 1);
    let mut bytes = Vec::with_capacity(32 * nodes.len() + 64);
    let mut rest = nodes;
    while let [(position, hash), tail @ ..] = rest {
        rest = tail;
        let (left, right) = match tail.first() {
            Some((next, _)) if next == position => return twice(*position, level),
            Some((next, other)) if *position ^ 1 == *next => {
                rest = &tail[1..];
                (*hash, *other)
            }
            _ => match waiting.remove(&(position ^ 1)) {
                Some(other) if position & 1 == 1 => (other, *hash),
                Some(other) => (*hash, other),
                None => {
                    if waiting.insert(*position, *hash).is_some() {
                        return twice(*position, level);
                    }
                    continue;
                }
            },
        };
        above.push(position >> 1);
        bytes.extend_from_slice(&left);
        bytes.extend_from_slice(&right);
    }
    Ok((above, bytes))
}

fn twice<T>(position: u64, level: usize) -> Result<T> {
    exec_err!("jl_merkle_root: index {} is there twice", u128::from(position) << level)
}

fn lanes(prefix: &[u8]) -> Result<AnyLanes> {
    let lanes = Algorithm::SHA256.lanes().map_err(|error| exec_datafusion_err!("{error}"))?;
    Ok(lanes.prefix(prefix))
}

/// The digests of messages of 64 bytes.
fn hash(lanes: &AnyLanes, bytes: &[u8], count: usize) -> Vec<Hash> {
    let mut hashes = vec![0; count * size_of::<Hash>()];
    let messages: Vec<&[u8]> = bytes.chunks_exact(2 * size_of::<Hash>()).collect();
    lanes.digest(Messages::slices(&messages), &mut hashes);
    hashes.as_chunks().0.to_vec()
}

impl Accumulator for Tree {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [entries, index] = take_function_args("jl_merkle_root", values)?;
        match index.data_type() {
            DataType::UInt64 => self.add_rows(entries, index.as_primitive::<UInt64Type>()),
            _ => self.add_rows(entries, index.as_primitive::<Int64Type>()),
        }
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Binary(Some(self.root()?.to_vec())))
    }

    fn size(&self) -> usize {
        let nodes: usize = self.levels.iter().map(BTreeMap::len).sum();
        size_of_val(self) + self.levels.capacity() * size_of::<BTreeMap<u64, Hash>>() + 64 * nodes
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let mut state = Vec::new();
        for (level, position, hash) in self.nodes() {
            state.push(level);
            state.extend(position.to_le_bytes());
            state.extend(hash);
        }
        Ok(vec![ScalarValue::Binary(Some(state))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [states] = take_function_args("jl_merkle_root", states)?;
        for state in states.as_binary::<i32>().iter().flatten() {
            let (records, rest) = state.as_chunks::<RECORD>();
            if !rest.is_empty() || records.iter().any(|record| record[0] >= 64) {
                return exec_err!("jl_merkle_root: a state is malformed");
            }
            let mut levels = vec![Vec::new(); 64];
            for [level, record @ ..] in records {
                let (position, hash) = record.split_first_chunk().expect("there are 40 bytes");
                let hash = hash.try_into().expect("32 bytes are left");
                levels[usize::from(*level)].push((u64::from_le_bytes(*position), hash));
            }
            let used = levels.iter().rposition(|nodes| !nodes.is_empty()).map_or(0, |top| top + 1);
            levels.truncate(used);
            self.add(levels)?;
        }
        Ok(())
    }
}
