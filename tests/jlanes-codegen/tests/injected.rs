//! The check finds the faults of the fixtures.
#![cfg(target_arch = "x86_64")]

use std::{env, fs, path::Path, process::Command};

use jlanes_codegen::{Report, functions};

/// The level of the only kernel in a fixture, and the faults in it.
fn check(fixture: &str) -> (&'static str, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let assembly = Path::new(env!("CARGO_TARGET_TMPDIR")).join(fixture).with_extension("s");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=lib", "--emit=asm", "-Copt-level=3"])
        .args(["-Csymbol-mangling-version=v0", "-Cllvm-args=-x86-asm-syntax=intel", "-o"])
        .arg(&assembly)
        .arg(folder.join("tests/fixtures").join(fixture))
        .status()
        .expect("rustc runs");
    assert!(status.success(), "the fixture compiles");

    let functions = functions(&fs::read_to_string(assembly).expect("it has written"));
    let reports: Vec<_> = functions.iter().filter_map(Report::of).collect();
    let [kernel] = &reports[..] else { panic!("one kernel: {functions:?}") };
    (kernel.level.name, kernel.faults.clone())
}

#[test]
fn a_closure_in_a_kernel_is_found() {
    let (level, faults) = check("closure.rs");
    assert_eq!(level, "avx2");
    assert!(faults.iter().any(|fault| fault.starts_with("calls ")), "{faults:?}");
}

#[test]
fn a_kernel_in_the_encoding_of_another_set_is_found() {
    let (level, faults) = check("encoding.rs");
    assert_eq!(level, "avx");
    assert!(faults.iter().any(|fault| fault.starts_with("is not Vex: ")), "{faults:?}");
}
