//! The Rust in README.md and in the book (`docs/src`), as examples in documentation: `cargo test`
//! compiles and runs each block. The tests of jlanes-cli run the shell sessions, in `tutorial.rs`, those of
//! jlanes-python the recipes in Python.

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
    from_isal: "from-isal.md"
    from_sha2: "from-sha2.md"
    messages: "messages.md"
    recipes: "recipes.md"
    trees: "trees.md"
}

#[cfg(test)]
mod tests {
    use std::{
        collections::HashSet,
        fs,
        path::{Path, PathBuf},
    };

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

    /// The code spans of a page, outside of blocks.
    fn spans(page: &str) -> impl Iterator<Item = &str> {
        page.split("```").step_by(2).flat_map(|text| text.split('`').skip(1).step_by(2))
    }

    /// Whether `code` defines a type or trait of this name, or a function if the name is in lower case.
    fn defines(code: &str, name: &str) -> bool {
        let is_type = name.starts_with(char::is_uppercase);
        let keywords: &[&str] =
            if is_type { &["struct", "enum", "trait", "type"] } else { &["fn"] };
        keywords.iter().any(|keyword| {
            let start = format!("{keyword} {name}");
            let mut rests = code.split(&start).skip(1);
            rests.any(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
        })
    }

    /// ARCHITECTURE names files by their paths from the repository or from `crates`, and in its tables types and
    /// functions next to their files.
    #[test]
    fn architecture_names_what_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let find = |path: &str| {
            let places = [root.join(path), root.join("crates").join(path)];
            places.into_iter().find(|place| place.exists())
        };
        let page = fs::read_to_string(root.join("docs/ARCHITECTURE.md")).unwrap();
        let mut found = (0, 0);
        for line in page.lines() {
            let is_path = |span: &&str| span.contains('/') || span.ends_with(".rs");
            for path in spans(line).filter(is_path) {
                assert!(find(path).is_some(), "{path}");
                found.0 += 1;
            }
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            let ["", names, second, third, ""] = cells[..] else { continue };
            // a table of nouns has the file in its last column
            let Some(file) = [second, third].into_iter().find_map(|cell| spans(cell).find(is_path))
            else {
                continue;
            };
            let code = fs::read_to_string(find(file).unwrap()).unwrap();
            for path in spans(names) {
                let name = path.rsplit("::").next().unwrap();
                assert!(defines(&code, name), "{path} in {file}");
                found.1 += 1;
            }
        }
        assert!(found.0 > 40 && found.1 > 45, "{found:?}");
    }

    /// CONTRIBUTING names files and folders by their paths, or the ends of these, and types, constants and macros;
    /// `NAME` and `...` stand for any.
    #[test]
    fn contributing_names_what_exists() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let page = fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
        let code = files(&root, ".rs");
        let folders = files(&root, "").into_iter().filter_map(|file| Some(file.parent()?.into()));
        let mut paths: Vec<PathBuf> = folders.chain(files(&root, "")).collect();
        paths.sort();
        paths.dedup();
        let texts: String =
            code.iter().map(|file| fs::read_to_string(file).unwrap() + "\n").collect();
        let words: HashSet<_> = texts.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let mut found = (0, 0);
        for span in spans(&page).map(|span| span.split_whitespace().next().unwrap()) {
            if span.contains("NAME") || span.contains("...") || span.starts_with("//") {
                continue;
            }
            let is_path = span.contains('/') && !span.starts_with("target");
            if is_path {
                assert!(paths.iter().any(|path| path.ends_with(span)), "{span}");
                found.0 += 1;
            }
            let is_name = span.starts_with(char::is_uppercase) && !span.contains(['.', '=']);
            if is_name || span.ends_with('!') {
                let names = span.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                for name in names.filter(|name| !name.is_empty()) {
                    assert!(words.contains(name), "{name}");
                    found.1 += 1;
                }
            }
        }
        assert!(found.0 > 50 && found.1 > 40, "{found:?}");
    }

    /// The files below `folder` with names that end in `end`, without what builds and runs leave.
    fn files(folder: &Path, end: &str) -> Vec<PathBuf> {
        const LEFT_OUT: [&str; 5] = [".git", "corpus", "node_modules", "records", "target"];
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let paths = paths.filter(|path| !LEFT_OUT.iter().any(|name| path.ends_with(name)));
        let below = |path: PathBuf| match path.is_dir() {
            true => files(&path, end),
            false => vec![path],
        };
        paths.flat_map(below).filter(|path| path.to_str().unwrap().ends_with(end)).collect()
    }

    /// Pages name files of code by their paths, or by the ends of these; `NAME` stands for any.
    #[test]
    fn pages_name_files_that_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let (pages, code) = (files(&root, ".md"), files(&root, ".rs"));
        let mut found = 0;
        for page in pages {
            for span in spans(&fs::read_to_string(&page).unwrap()) {
                if span.ends_with(".rs") && !span.contains(' ') && !span.contains("NAME") {
                    let exists = code.iter().any(|file| file.ends_with(span));
                    assert!(exists, "{span} in {}", page.display());
                    found += 1;
                }
            }
        }
        assert!(found > 100, "{found}");
    }

    /// A chapter that nobody lists would be neither in the book nor tested.
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
