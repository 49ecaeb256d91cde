//! Links the unwinder into the program where that can be done. As a shared library it is one more file
//! to be found, mapped and relocated at every start, for functions that only a panic calls.
//!
//! With `JLANES_SUM_NO_PIE=1` in the environment the program is linked for one address. Then nothing
//! in it is relocated, which is a fifteenth of a start, but its own code and data are where everybody
//! knows, and exploits of errors in memory have it easier. Libraries, stack and heap stay random.

use std::{env, path::Path, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=JLANES_SUM_NO_PIE");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|own| own == value);
    let native = env::var("HOST").is_ok_and(|host| is("TARGET", &host));
    if !native || !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
    }
    let is_static = env::var("CARGO_CFG_TARGET_FEATURE")
        .is_ok_and(|features| features.split(',').any(|feature| feature == "crt-static"));
    if is("JLANES_SUM_NO_PIE", "1") && !is_static {
        println!("cargo:rustc-link-arg-bins=-no-pie"); // after rustc's own, and the last counts
    }
    // the C compiler links, and knows where its own libraries are
    let linker = env::var_os("RUSTC_LINKER").unwrap_or_else(|| "cc".into());
    let Ok(found) = Command::new(linker).arg("-print-file-name=libgcc_eh.a").output() else {
        return;
    };
    let found = String::from_utf8_lossy(&found.stdout);
    let library = Path::new(found.trim());
    if let (true, Some(folder)) = (library.is_file(), library.parent()) {
        println!("cargo:rustc-link-search=native={}", folder.display());
        println!("cargo:rustc-link-lib=static:-bundle=gcc_eh");
    }
}
