#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod args;
mod builtin;
mod columns;
mod fingerprint;
mod function;
mod keys;
mod merkle_root;
mod spark;
mod wildcard;

use std::sync::Arc;

use datafusion_common::{DataFusionError, Result, plan_datafusion_err};
use datafusion_expr::{AggregateUDF, ScalarUDF, registry::FunctionRegistry};
use jlanes::Algorithm;
use jlanes_columns::Encoding;

use function::{Function, Job};
use wildcard::Wildcards;

/// The hashes with their own functions, named after them: `jl_sha256`.
pub const ALGORITHMS: [&str; 21] = [
    "md5",
    "sha1",
    "sha224",
    "sha256",
    "sha384",
    "sha512",
    "sha512_224",
    "sha512_256",
    "sha3_224",
    "sha3_256",
    "sha3_384",
    "sha3_512",
    "keccak256",
    "blake2b",
    "blake2s",
    "blake3",
    "ripemd160",
    "sm3",
    "skein256",
    "skein512",
    "skein1024",
];

/// The scalar functions.
///
/// # Panics
/// Never: all [`ALGORITHMS`] are known.
#[must_use]
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    let mut functions = Vec::new();
    let mut add = |name: String, aliases: &[&str], job| {
        functions.push(function(name, aliases, job));
    };
    for name in ALGORITHMS {
        let algorithm: Algorithm = name.parse().expect("it is an algorithm's name");
        add(format!("jl_{name}"), &[], Job::Fixed(algorithm, Encoding::Binary));
        add(format!("jl_{name}_hex"), &[], Job::Fixed(algorithm, Encoding::Hex));
    }
    // `digest` is DataFusion's own
    add("jl_digest".into(), &[], Job::Digest(Encoding::Binary));
    add("jl_digest_hex".into(), &["digest_hex"], Job::Digest(Encoding::Hex));
    add("jl_digests".into(), &["digests"], Job::Several(Encoding::Binary));
    add("jl_digests_hex".into(), &["digests_hex"], Job::Several(Encoding::Hex));
    add("jl_hmac".into(), &["hmac"], Job::Hmac(Encoding::Binary));
    add("jl_hmac_hex".into(), &["hmac_hex"], Job::Hmac(Encoding::Hex));
    add("jl_pbkdf2".into(), &["pbkdf2"], Job::Pbkdf2(Encoding::Binary));
    add("jl_pbkdf2_hex".into(), &["pbkdf2_hex"], Job::Pbkdf2(Encoding::Hex));
    add("jl_row_digest".into(), &["row_digest"], Job::Row(Encoding::Binary));
    add("jl_row_digest_hex".into(), &["row_digest_hex"], Job::Row(Encoding::Hex));
    add("jl_verify".into(), &["verify"], Job::Verify);
    add("jl_verify_hmac".into(), &["verify_hmac"], Job::VerifyHmac);
    functions
}

/// Spark's `sha2(x, bits)`, `sha1` (`sha`) and `md5`, with Spark's rules: text is hashed as UTF-8, the
/// digest is Utf8 in hexadecimal, `bits` may be a column, 0 stands for 256, and a number of bits that
/// SHA-2 does not have is null.
///
/// # Panics
/// Never: the algorithms are known.
#[must_use]
pub fn spark_functions() -> Vec<Arc<ScalarUDF>> {
    let hex =
        |name: &str| Job::Fixed(name.parse().expect("it is an algorithm's name"), Encoding::Hex);
    vec![
        function("sha2".into(), &[], Job::Sha2),
        function("sha1".into(), &["sha"], hex("sha1")),
        function("md5".into(), &[], hex("md5")),
    ]
}

fn function(name: String, aliases: &[&str], job: Job) -> Arc<ScalarUDF> {
    Arc::new(ScalarUDF::from(Function::new(name, aliases, job)))
}

/// The aggregate functions.
#[must_use]
pub fn aggregates() -> Vec<Arc<AggregateUDF>> {
    vec![
        Arc::new(AggregateUDF::from(merkle_root::MerkleRoot::new())),
        Arc::new(AggregateUDF::from(fingerprint::TableFingerprint::new())),
    ]
}

/// Registers all [`functions`] and [`aggregates`]. This replaces no function of DataFusion; it
/// replaces your functions with the same name or alias.
///
/// # Errors
/// The registry's.
pub fn register_all(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    for aggregate in aggregates() {
        registry.register_udaf(aggregate)?;
    }
    match registry.register_function_rewrite(Arc::new(Wildcards)) {
        // an executor's registry, which gets rewritten plans
        Err(DataFusionError::NotImplemented(_)) => Ok(()),
        done => done,
    }
}

/// Registers all [`spark_functions`], in place of functions with these names: those of the crate
/// `datafusion-spark`, and DataFusion's `md5`.
///
/// # Errors
/// The registry's.
pub fn register_spark(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in spark_functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}

/// Replaces DataFusion's `md5`, `sha224`, `sha256`, `sha384`, `sha512` and `digest`. Types and results
/// stay the same. `md5` of [`register_spark`] stays, too.
///
/// # Errors
/// If the registry does not have these functions: they are DataFusion's feature
/// `crypto_expressions`.
pub fn replace_builtin(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for name in builtin::NAMES {
        let previous = registry
            .udf(name)
            .map_err(|error| plan_datafusion_err!("{name} is not there to be replaced: {error}"))?;
        if previous.inner().is::<Function>() {
            continue; // Spark's md5 is on lanes already
        }
        registry.register_udf(Arc::new(ScalarUDF::from(builtin::Replacement::of(previous))))?;
    }
    Ok(())
}
