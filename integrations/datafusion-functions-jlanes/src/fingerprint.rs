//! `jl_table_fingerprint(field, ...)`: a digest of a table's rows, independent of their order.

use std::sync::Arc;

use arrow::{
    array::{ArrayRef, AsArray},
    datatypes::{DataType, Field, FieldRef},
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
use jlanes::{Algorithm, Digest as _, Sha256, TurboShake128, multi::Xofs};
use jlanes_columns::Encoding;

use crate::{
    args::hasher,
    columns::{check_extensions, column, external, is_field},
};

const NAME: &str = "jl_table_fingerprint";

/// The first bytes of the hashed text.
const MAGIC: &[u8; 5] = b"JLTF1";

/// LtHash's numbers, of 32 bits each.
const NUMBERS: usize = 1024;

/// The number of rows expanded at once, so that their outputs stay in the cache.
const BLOCK: usize = 64;

#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct TableFingerprint {
    aliases: Vec<String>,
    signature: Signature,
}

impl TableFingerprint {
    pub(crate) fn new() -> Self {
        Self {
            aliases: vec!["table_fingerprint".into()],
            signature: Signature::user_defined(Volatility::Immutable),
        }
    }
}

impl AggregateUDFImpl for TableFingerprint {
    fn name(&self) -> &str {
        NAME
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        if types.is_empty() {
            return plan_err!("{NAME}: rows have at least one field");
        }
        match types.iter().find(|data_type| !is_field(data_type)) {
            Some(other) => plan_err!("{NAME}: rows with fields of type {other} have no digest"),
            None => Ok(types.to_vec()),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Binary)
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        check_extensions(NAME, fields)?;
        Ok(Arc::new(Field::new(NAME, DataType::Binary, self.is_nullable())))
    }

    fn is_nullable(&self) -> bool {
        false
    }

    fn default_value(&self, _: &DataType) -> Result<ScalarValue> {
        Sum::default().evaluate()
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format_state_name(args.name, "sum"), DataType::Binary, false))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if args.is_distinct {
            return not_impl_err!("{NAME}(DISTINCT): select the distinct rows first");
        }
        Ok(Box::new(Sum::default()))
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }
}

/// The number of rows, and the sums of their hashes.
#[derive(Debug)]
struct Sum {
    rows: u64,
    numbers: Box<[u32]>,
}

impl Default for Sum {
    fn default() -> Self {
        Self { rows: 0, numbers: vec![0; NUMBERS].into() }
    }
}

impl Sum {
    /// Adds the numbers in `bytes`.
    fn add(&mut self, bytes: &[u8]) {
        for (sum, number) in self.numbers.iter_mut().zip(bytes.as_chunks().0) {
            *sum = sum.wrapping_add(u32::from_le_bytes(*number));
        }
    }

    fn add_rows(&mut self, rows: u64) -> Result<()> {
        let rows = self.rows.checked_add(rows);
        self.rows = rows.ok_or_else(|| exec_datafusion_err!("{NAME}: too many rows"))?;
        Ok(())
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.rows.to_le_bytes().to_vec();
        bytes.extend(self.numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }
}

impl Accumulator for Sum {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let fields: Vec<_> = values.iter().map(column).collect::<Result<_>>()?;
        let hasher = hasher(NAME, Algorithm::SHA256)?;
        let rows = hasher.row_digest(&fields, Encoding::FixedSizeBinary).map_err(external)?;
        let rows: Vec<&[u8]> = rows.values().chunks_exact(hasher.output_size()).collect();
        let mut room = vec![[0_u8; 4 * NUMBERS]; BLOCK.min(rows.len())];
        for rows in rows.chunks(BLOCK) {
            let room = &mut room[..rows.len()];
            let mut outs: Vec<&mut [u8]> = room.iter_mut().map(<[u8; _]>::as_mut_slice).collect();
            Xofs::<TurboShake128>::new().fill(rows, &mut outs);
            room.iter().for_each(|numbers| self.add(numbers));
        }
        self.add_rows(rows.len() as u64)
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let digest = Sha256::new().chain_update(MAGIC).chain_update(self.bytes()).finalize();
        Ok(ScalarValue::Binary(Some(digest.to_vec())))
    }

    fn size(&self) -> usize {
        size_of_val(self) + size_of_val(&*self.numbers)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::Binary(Some(self.bytes()))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let [states] = take_function_args(NAME, states)?;
        for state in states.as_binary::<i32>().iter().flatten() {
            match state.split_first_chunk() {
                Some((rows, numbers)) if numbers.len() == 4 * NUMBERS => {
                    self.add(numbers);
                    self.add_rows(u64::from_le_bytes(*rows))?;
                }
                _ => return exec_err!("{NAME}: a state is malformed"),
            }
        }
        Ok(())
    }
}
