//! The Rust code in README.md and in the book (`docs/src`), as examples in documentation: `cargo test`
//! compiles and runs each block. The tests of jlanes-cli run the shell sessions, in `tutorial.rs`.

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod front_page {}

macro_rules! chapters {
    ($($module:ident: $file:literal)*) => {
        $(
            #[cfg(doctest)]
            #[doc = include_str!(concat!("../../../docs/src/", $file))]
            mod $module {}
        )*

        #[cfg(test)]
        const CHAPTERS: &[&str] = &[$($file),*];
    };
}

chapters! {
    choosing: "choosing.md"
    columns: "columns.md"
    files: "files.md"
    from_isal: "from-isal.md"
    from_sha2: "from-sha2.md"
    messages: "messages.md"
    trees: "trees.md"
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::CHAPTERS;

    #[test]
    fn the_front_page_is_short() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
        let words = fs::read_to_string(path).unwrap().split_whitespace().count();
        assert!(words <= 700, "README.md has {words} words");
    }

    /// The workspace's profile does not apply to its users, who copy it from one of these pages.
    #[test]
    fn users_read_the_profile_of_the_kernels() {
        const NAME: &str = "[profile.dev.package.jlanes-simd]";
        /// The profile's lines in `text`, without comments.
        fn profile(text: &str) -> Vec<&str> {
            let lines = text.lines().skip_while(|line| *line != NAME).skip(1);
            let lines = lines.map(|line| line.split('#').next().unwrap_or_default().trim());
            lines.filter(|line| !line.is_empty()).take_while(|line| line.contains('=')).collect()
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        let used = read("Cargo.toml");
        assert_eq!(profile(&used).len(), 4, "{:?}", profile(&used));
        for page in ["crates/jlanes/README.md", "docs/src/start.md", "docs/src/from-sha2.md"] {
            assert_eq!(profile(&read(page)), profile(&used), "{page}");
        }
    }

    /// A chapter that the summary does not list would be neither in the book nor tested.
    #[test]
    fn every_chapter_is_listed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src");
        let summary = fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if !name.ends_with(".md") || name == "SUMMARY.md" {
                continue;
            }
            assert!(summary.contains(&format!("({name})")), "{name} is not in SUMMARY.md");
            let has_rust = fs::read_to_string(&path).unwrap().contains("```rust\n");
            assert_eq!(has_rust, CHAPTERS.contains(&name), "chapters! of {name}");
        }
    }
}
