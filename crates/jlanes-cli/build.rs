//! Links the unwinder into the program where that can be done. As a shared library it is one more file
//! to be found, mapped and relocated at every start, for functions that only a panic calls.

use std::{env, path::Path, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|own| own == value);
    let native = env::var("HOST").is_ok_and(|host| is("TARGET", &host));
    if !native || !is("CARGO_CFG_TARGET_OS", "linux") || !is("CARGO_CFG_TARGET_ENV", "gnu") {
        return;
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
