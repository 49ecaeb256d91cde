//! Replacements for DataFusion's functions, under its names.

use std::sync::Arc;

use arrow::{
    array::{ArrayRef, AsArray, StringViewArray},
    datatypes::DataType,
};
use datafusion_common::{
    Result, ScalarValue,
    types::{logical_binary, logical_string},
};
use datafusion_expr::{
    Coercion, ColumnarValue, Documentation, EncodingPreservation, ScalarFunctionArgs, ScalarUDF,
    ScalarUDFImpl, Signature, TypeSignature, TypeSignatureClass, Volatility,
};
use jlanes_columns::Encoding;

use crate::{
    args::{algorithm, hasher},
    columns::{array, column, external},
};

/// The names, and the algorithms of the functions without an argument for it.
pub(crate) const NAMES: [&str; 6] = ["md5", "sha224", "sha256", "sha384", "sha512", "digest"];

/// The algorithms of `digest`.
const DIGESTS: [&str; 8] =
    ["md5", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake2s", "blake3"];

/// A function that replaces a built-in one.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Replacement {
    previous: Arc<ScalarUDF>,
    signature: Signature,
}

impl Replacement {
    pub(crate) fn of(previous: Arc<ScalarUDF>) -> Self {
        // as the built-in function's arguments, except that dictionaries stay packed
        let kept = |class| {
            Coercion::new_exact(class)
                .with_encoding_preservation(EncodingPreservation::dictionary())
        };
        let string = || TypeSignatureClass::Native(logical_string());
        let binary = || TypeSignatureClass::Native(logical_binary());
        let one = |class: TypeSignatureClass| {
            let mut coercions = vec![kept(class)];
            if previous.name() == "digest" {
                coercions.push(Coercion::new_exact(string()));
            }
            TypeSignature::Coercible(coercions)
        };
        let signature =
            Signature::one_of(vec![one(string()), one(binary())], Volatility::Immutable);
        Self { previous, signature }
    }

    /// The name of the algorithm, if we have it.
    fn algorithm<'a>(&'a self, args: &'a [ColumnarValue]) -> Option<&'a str> {
        let name = match args {
            [_] => self.name(),
            [_, ColumnarValue::Scalar(name)] => name.try_as_str()??,
            _ => return None,
        };
        DIGESTS.contains(&name).then_some(name)
    }
}

impl ScalarUDFImpl for Replacement {
    fn name(&self) -> &str {
        self.previous.name()
    }

    fn aliases(&self) -> &[String] {
        self.previous.aliases()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.previous.return_type(types)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Some(spec) = self.algorithm(&args.args) else {
            return self.previous.invoke_with_args(unpacked(args)?);
        };
        let hasher = hasher(self.name(), algorithm(self.name(), spec)?)?;
        let is_md5 = self.name() == "md5";
        let encoding = if is_md5 { Encoding::Hex } else { Encoding::Binary };
        let constant = matches!(args.args[0], ColumnarValue::Scalar(_));
        let x = args.args[0].to_array(if constant { 1 } else { args.number_rows })?;
        let mut digests = array(hasher.digest(&column(&x)?, encoding).map_err(external)?)?;
        if is_md5 {
            digests = Arc::new(StringViewArray::from(digests.as_string::<i32>())) as ArrayRef;
        }
        if constant {
            return ScalarValue::try_from_array(&digests, 0).map(ColumnarValue::Scalar);
        }
        Ok(ColumnarValue::Array(digests))
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.previous.documentation()
    }
}

/// The arguments without dictionaries, which built-in functions do not take.
fn unpacked(mut args: ScalarFunctionArgs) -> Result<ScalarFunctionArgs> {
    for argument in &mut args.args {
        if let DataType::Dictionary(_, values) = argument.data_type() {
            *argument = argument.cast_to(&values, None)?;
        }
    }
    Ok(args)
}
