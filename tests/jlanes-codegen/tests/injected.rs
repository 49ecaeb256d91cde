//! The check finds what it is for.
#![cfg(target_arch = "x86_64")]

use std::{env, fs, path::Path, process::Command};

use jlanes_codegen::{Report, functions};

#[test]
fn a_closure_in_a_kernel_is_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let assembly = Path::new(env!("CARGO_TARGET_TMPDIR")).join("closure.s");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status = Command::new(rustc)
        .args(["--edition=2024", "--crate-type=lib", "--emit=asm", "-Copt-level=3"])
        .args(["-Csymbol-mangling-version=v0", "-Cllvm-args=-x86-asm-syntax=intel", "-o"])
        .arg(&assembly)
        .arg(folder.join("tests/fixtures/closure.rs"))
        .status()
        .unwrap();
    assert!(status.success(), "the fixture compiles");

    let functions = functions(&fs::read_to_string(assembly).unwrap());
    let reports: Vec<_> = functions.iter().filter_map(Report::of).collect();
    let [kernel] = &reports[..] else { panic!("one kernel: {functions:?}") };
    assert_eq!(kernel.level.name, "avx2");
    let fault = |what: &str| kernel.faults.iter().any(|fault| fault.starts_with(what));
    assert!(fault("calls "), "{:?}", kernel.faults);
}
