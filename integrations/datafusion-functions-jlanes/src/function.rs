//! The scalar functions: digests, HMAC tags, derived keys and verification of each row.

use std::sync::Arc;

use arrow::{
    array::{Array as _, ArrayRef, StructArray},
    datatypes::{DataType, Field, FieldRef, Fields},
};
use datafusion_common::{Result, ScalarValue, exec_err, internal_err, plan_err};
use datafusion_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use jlanes::Algorithm;
use jlanes_columns::{Encoding, Key, digest_several};

use crate::{
    args::{algorithm, arrays, count, hasher, is_text, text, text_of},
    columns::{array, check_extensions, column, external, is_bytes, is_field},
    keys, spark,
};

/// The function to compute. Digests are Binary, or Utf8 for functions with the suffix `_hex`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Job {
    /// `(x)`
    Fixed(Algorithm, Encoding),
    /// `(x, 'algorithm')`
    Digest(Encoding),
    /// `(x, bits)`
    Sha2,
    /// `(x, 'algorithm,algorithm')`
    Several(Encoding),
    /// `(x, 'name of a key', 'algorithm')`
    Hmac(Encoding),
    /// `(password, salt, rounds, length, 'algorithm')`
    Pbkdf2(Encoding),
    /// `('algorithm', field, ...)`
    Row(Encoding),
    /// `(x, expected, 'algorithm')`
    Verify,
    /// `(x, expected, 'name of a key', 'algorithm')`
    VerifyHmac,
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Function {
    job: Job,
    name: String,
    aliases: Vec<String>,
    signature: Signature,
}

/// The type of an argument.
#[derive(Clone, Copy)]
enum Kind {
    Bytes,
    Name,
    Number,
    /// A column of integers of any width.
    Bits,
}

impl Job {
    /// The arguments; the last `optional` ones may be omitted.
    fn arguments(self) -> &'static [Kind] {
        use Kind::{Bits, Bytes, Name, Number};
        match self {
            Self::Fixed(..) => &[Bytes],
            Self::Digest(_) | Self::Several(_) => &[Bytes, Name],
            Self::Sha2 => &[Bytes, Bits],
            Self::Hmac(_) => &[Bytes, Name, Name],
            Self::Pbkdf2(_) => &[Bytes, Bytes, Number, Number, Name],
            Self::Row(_) => &[Name],
            Self::Verify => &[Bytes, Bytes, Name],
            Self::VerifyHmac => &[Bytes, Bytes, Name, Name],
        }
    }

    /// The number of arguments that are columns, which come first.
    fn columns(self) -> usize {
        self.arguments().iter().filter(|kind| matches!(kind, Kind::Bytes)).count()
    }

    /// The result's type.
    fn return_type(self, name: &str, literals: &[Option<&ScalarValue>]) -> Result<DataType> {
        Ok(match self {
            Self::Verify | Self::VerifyHmac => DataType::Boolean,
            Self::Sha2 => DataType::Utf8,
            Self::Several(encoding) => {
                let Some(Some(list)) = literals.get(1) else {
                    return plan_err!("{name}: the list of algorithms is a literal");
                };
                DataType::Struct(digests(name, text_of(name, list)?, encoding)?.0)
            }
            Self::Fixed(_, encoding)
            | Self::Digest(encoding)
            | Self::Hmac(encoding)
            | Self::Pbkdf2(encoding)
            | Self::Row(encoding) => data_type(encoding),
        })
    }
}

fn data_type(encoding: Encoding) -> DataType {
    match encoding {
        Encoding::Hex => DataType::Utf8,
        _ => DataType::Binary,
    }
}

/// The fields of a struct of digests, and their algorithms.
fn digests(function: &str, list: &str, encoding: Encoding) -> Result<(Fields, Vec<Algorithm>)> {
    let mut fields = Vec::new();
    let mut algorithms = Vec::new();
    for name in list.split(',').map(str::trim) {
        let algorithm = algorithm(function, name)?;
        if algorithms.contains(&algorithm) {
            return plan_err!("{function}: '{name}' is there twice");
        }
        algorithms.push(algorithm);
        fields.push(Field::new(name, data_type(encoding), true));
    }
    Ok((fields.into(), algorithms))
}

impl Function {
    pub(crate) fn new(name: String, aliases: &[&str], job: Job) -> Self {
        let volatility = match job {
            // the same name may be another key in the next query
            Job::Hmac(_) | Job::VerifyHmac => Volatility::Stable,
            _ => Volatility::Immutable,
        };
        let aliases = aliases.iter().map(|&alias| alias.into()).collect();
        Self { job, name, aliases, signature: Signature::user_defined(volatility) }
    }

    /// The result for `rows` rows.
    fn compute(&self, args: &[ColumnarValue], rows: usize) -> Result<ArrayRef> {
        let name = &*self.name;
        let hasher_of = |at: usize| hasher(name, algorithm(name, text(name, &args[at])?)?);
        let columns = &args[..self.job.columns()];
        match self.job {
            Job::Fixed(algorithm, encoding) => {
                let [x] = arrays(name, columns, rows)?;
                let digests = hasher(name, algorithm)?.digest(&column(&x)?, encoding);
                array(digests.map_err(external)?)
            }
            Job::Digest(encoding) => {
                let [x] = arrays(name, columns, rows)?;
                array(hasher_of(1)?.digest(&column(&x)?, encoding).map_err(external)?)
            }
            Job::Sha2 => {
                let [x] = arrays(name, columns, rows)?;
                spark::sha2(name, &x, &args[1])
            }
            Job::Several(encoding) => {
                let [x] = arrays(name, columns, rows)?;
                let (fields, algorithms) = digests(name, text(name, &args[1])?, encoding)?;
                let hashers: Vec<_> =
                    algorithms.into_iter().map(|of| hasher(name, of)).collect::<Result<_>>()?;
                let all = digest_several(&hashers, &column(&x)?, encoding).map_err(external)?;
                let all: Vec<ArrayRef> = all.into_iter().map(array).collect::<Result<_>>()?;
                let nulls = all[0].nulls().cloned();
                Ok(Arc::new(StructArray::try_new(fields, all, nulls)?))
            }
            Job::Hmac(encoding) => {
                let [x] = arrays(name, columns, rows)?;
                let (key, hasher) = (keys::find(text(name, &args[1])?)?, hasher_of(2)?);
                array(hasher.hmac(Key::One(&key), &column(&x)?, encoding).map_err(external)?)
            }
            Job::Pbkdf2(encoding) => {
                let [passwords, salts] = arrays(name, columns, rows)?;
                let (rounds, length) = (count(name, &args[2])?, count(name, &args[3])?);
                let keys = hasher_of(4)?.pbkdf2(
                    &column(&passwords)?,
                    Key::Each(&column(&salts)?),
                    rounds,
                    length as usize,
                    encoding,
                );
                array(keys.map_err(external)?)
            }
            Job::Row(encoding) => {
                let fields: Vec<ArrayRef> =
                    args[1..].iter().map(|x| x.to_array(rows)).collect::<Result<_>>()?;
                let fields: Vec<_> = fields.iter().map(column).collect::<Result<_>>()?;
                array(hasher_of(0)?.row_digest(&fields, encoding).map_err(external)?)
            }
            Job::Verify => {
                let [x, expected] = arrays(name, columns, rows)?;
                let hasher = match args.len() {
                    2 => hasher(name, Algorithm::SHA256)?,
                    _ => hasher_of(2)?,
                };
                array(hasher.verify(&column(&x)?, &column(&expected)?).map_err(external)?)
            }
            Job::VerifyHmac => {
                let [x, expected] = arrays(name, columns, rows)?;
                let (key, hasher) = (keys::find(text(name, &args[2])?)?, hasher_of(3)?);
                let right = hasher.verify_hmac(Key::One(&key), &column(&x)?, &column(&expected)?);
                array(right.map_err(external)?)
            }
        }
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        &self.name
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        internal_err!("return_field_from_args is there instead")
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        check_extensions(&self.name, args.arg_fields)?;
        let data_type = self.job.return_type(&self.name, args.scalar_arguments)?;
        // a row has a digest even if all of its fields are null
        let columns = &args.arg_fields[..self.job.columns()];
        let nullable = self.job == Job::Sha2 || columns.iter().any(|field| field.is_nullable());
        Ok(Arc::new(Field::new(&self.name, data_type, nullable)))
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (name, kinds) = (&self.name, self.job.arguments());
        let least = kinds.len() - usize::from(self.job == Job::Verify);
        let most = if matches!(self.job, Job::Row(_)) { usize::MAX } else { kinds.len() };
        if !(least..=most).contains(&types.len()) {
            return plan_err!("{name}: {} arguments are not what it takes", types.len());
        }
        let coerce = |(i, data_type): (usize, &DataType)| match kinds.get(i) {
            Some(Kind::Bytes) if is_bytes(data_type) => Ok(data_type.clone()),
            Some(Kind::Bytes) => {
                plan_err!("{name}: {data_type} is neither text nor bytes; cast it to what you mean")
            }
            Some(Kind::Name) if is_text(data_type) => Ok(data_type.clone()),
            Some(Kind::Name) => plan_err!("{name}: {data_type} is not the type of a name"),
            Some(Kind::Number) if data_type.is_integer() => Ok(DataType::Int64),
            Some(Kind::Bits) if spark::is_bits(data_type) => Ok(data_type.clone()),
            Some(Kind::Number | Kind::Bits) => plan_err!("{name}: {data_type} is no integer"),
            None if is_field(data_type) => Ok(data_type.clone()),
            None => plan_err!("{name}: rows with fields of type {data_type} have no digest"),
        };
        types.iter().enumerate().map(coerce).collect()
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let constant = args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        let rows = if constant { 1 } else { args.number_rows };
        let result = self.compute(&args.args, rows)?;
        if result.len() != rows {
            return exec_err!("{}: {} rows for {rows}", self.name, result.len());
        }
        if constant {
            return ScalarValue::try_from_array(&result, 0).map(ColumnarValue::Scalar);
        }
        Ok(ColumnarValue::Array(result))
    }
}
