//! Runs the program of this package in Valgrind. The program prints the backends that Valgrind cannot
//! run (it has no AVX-512); they are not checked.
#![cfg(target_arch = "x86_64")]

use std::{
    env,
    io::{Write, stderr},
    process::{Command, Output},
};

/// The result of the program in Valgrind; `None` without Valgrind.
fn in_valgrind(args: &[&str]) -> Option<Output> {
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--error-limit=no", env!("CARGO_BIN_EXE_jlanes-secrets")]).args(args);
    match command.output() {
        Ok(output) => Some(output),
        Err(error) => {
            assert!(env::var_os("JLANES_REQUIRE_VALGRIND").is_none(), "valgrind: {error}");
            let _ = writeln!(stderr(), "not tested: constant time: valgrind: {error}");
            None
        }
    }
}

#[test]
fn no_branch_and_no_address_depends_on_secrets() {
    let Some(output) = in_valgrind(&[]) else { return };
    let (out, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{errors}");
    for backend in ["hashers", "keyed", "portable", "sse41", "auto"] {
        let line = format!("{backend}: 0 branches or addresses that depend on secrets");
        assert!(out.lines().any(|found| found == line), "{backend} is missing: {out}{errors}");
    }
    let _ = write!(stderr(), "{errors}"); // the backends that were left out
}

#[test]
fn a_branch_on_a_secret_is_found() {
    let Some(output) = in_valgrind(&["leak"]) else { return };
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}
