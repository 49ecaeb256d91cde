//! Writes `include/jlanes.h`, or with `--check` fails where it is not what it would write.

use std::{env, error::Error, fs, path::Path, process::ExitCode};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let capi = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let config = cbindgen::Config::from_file(capi.join("cbindgen.toml"))?;
    // in the order of the header
    let sources = [
        "status.rs",
        "ffi.rs",
        "ffi/parameters.rs",
        "ffi/hasher.rs",
        "ffi/lanes.rs",
        "ffi/arrow.rs",
    ];
    let sources = sources.map(|file| capi.join("src").join(file));
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = sources.into_iter().fold(builder, cbindgen::Builder::with_src);
    let mut header = Vec::new();
    builder.generate()?.write(&mut header);
    // what Rust wants said about unsafe functions is said to C by each function's first lines
    let text = with_version(&without_safety(&String::from_utf8(header)?))?;

    let path = capi.join("include/jlanes.h");
    if env::args().nth(1).as_deref() == Some("--check") {
        if fs::read_to_string(&path)? == text {
            return Ok(ExitCode::SUCCESS);
        }
        eprintln!("include/jlanes.h is not what the sources say: run this without --check");
        return Ok(ExitCode::FAILURE);
    }
    fs::write(path, text)?;
    Ok(ExitCode::SUCCESS)
}

/// The header with `# Safety` as a sentence.
fn without_safety(header: &str) -> String {
    header.replace(" # Safety\n", " The caller sees to this:\n")
}

/// The header with the version of the workspace.
fn with_version(header: &str) -> Result<String, Box<dyn Error>> {
    let workspace = include_str!("../../../../Cargo.toml");
    let version = workspace.lines().find_map(|line| line.strip_prefix("version = "));
    let version = version.ok_or("the workspace has no version")?.trim_matches('"');
    let mut parts = version.split(['.', '-']);
    let mut part = || parts.next().ok_or("the version has three parts");
    let (major, minor, patch) = (part()?, part()?, part()?);
    let guard = "#define JLANES_H\n";
    let defines = format!(
        "{guard}\n/* The version of this header; jlanes_version() is that of the library. */\n\
         #define JLANES_VERSION \"{version}\"\n#define JLANES_VERSION_MAJOR {major}\n\
         #define JLANES_VERSION_MINOR {minor}\n#define JLANES_VERSION_PATCH {patch}\n"
    );
    Ok(header.replacen(guard, &defines, 1))
}
