//! Finds the test files of the RustCrypto crates in `Cargo.lock`, in Cargo's own store of sources, and
//! writes a module for each.

use std::{env, error::Error, fmt::Write as _, fs, path::Path, process::Command};

/// The package, its test file, and the module made from it.
const TESTS: [(&str, &str, &str); 18] = [
    ("blake2", "mac.rs", "blake2_mac"),
    ("blake2", "mod.rs", "blake2_digests"),
    ("blake2", "persona.rs", "blake2_persona"),
    ("blake2", "unkeyed.rs", "blake2_unkeyed"),
    ("cshake", "cshake.rs", "cshake_customized"),
    ("hmac", "mod.rs", "hmac_tags"),
    ("k12", "mod.rs", "kangaroo_twelve"),
    ("md-5", "mod.rs", "md5_digests"),
    ("pbkdf2", "pbkdf2.rs", "pbkdf2_keys"),
    ("ripemd", "mod.rs", "ripemd_digests"),
    ("sha1", "mod.rs", "sha1_digests"),
    ("sha2", "mod.rs", "sha2_digests"),
    ("sha3", "mod.rs", "sha3_digests"),
    ("sha3", "serialization.rs", "sha3_serialization"),
    ("shake", "cshake.rs", "shake_outputs"),
    ("skein", "mod.rs", "skein_digests"),
    ("sm3", "mod.rs", "sm3_digests"),
    ("turboshake", "turboshake.rs", "turboshake_outputs"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let cargo = env::var_os("CARGO").ok_or("Cargo runs this")?;
    let host = env::var("HOST")?;
    // not `--offline`: other packages of the workspace may need crates that are not downloaded
    let args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &host];
    let output = Command::new(cargo).args(args).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().ok_or("packages")?;
    let mut modules = String::new();
    for (package, file, module) in TESTS {
        // the newest, if the lock file has several: this package asks for that
        let manifest = packages
            .iter()
            .filter(|found| found["name"] == package)
            .filter_map(|found| found["manifest_path"].as_str())
            .max()
            .ok_or_else(|| format!("{package} is not in Cargo.lock"))?;
        let path = Path::new(manifest).with_file_name("tests").join(file);
        fs::metadata(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        writeln!(modules, "#[path = {path:?}]\nmod {module};")?;
    }
    let out = env::var_os("OUT_DIR").ok_or("OUT_DIR")?;
    fs::write(Path::new(&out).join("rustcrypto.rs"), modules)?;
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    Ok(())
}
