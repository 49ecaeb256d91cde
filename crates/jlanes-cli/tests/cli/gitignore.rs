//! `--gitignore`, compared with what git lists.

use std::{fs, process::Command};

use crate::common::{Scratch, run};

/// Repositories and a user's home.
struct World(Scratch);

impl World {
    /// With these empty files, and a repository in the directory `repo`.
    fn new(files: &[&str]) -> Self {
        let world = Self(Scratch::new());
        files.iter().for_each(|file| world.0.write(file, ""));
        fs::create_dir_all(world.0.at("repo")).unwrap();
        world.git("repo", &["init", "-q", "--initial-branch=feature/one"]);
        world
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        self.0.write(name, text);
    }

    fn at(&self, dir: &str, mut command: Command) -> Command {
        command.current_dir(self.0.at(dir)).env("HOME", self.0.at("home"));
        command.env("GIT_CONFIG_NOSYSTEM", "1").env_remove("XDG_CONFIG_HOME");
        command
    }

    fn git(&self, dir: &str, args: &[&str]) {
        let ran = run(self.at(dir, self.0.command("git", "git")).args(args), b"");
        assert_eq!(ran.code, Some(0), "{args:?}: {ran:?}");
    }

    /// The paths, each with a NUL, that `jlanes-sum` lists in `dir`.
    fn listed(&self, dir: &str, variables: &[(&str, &str)]) -> String {
        let mut ours = self.at(dir, self.0.ours("jlanes-sum"));
        let ours = ours.args(["-rz", "--gitignore", "."]).envs(variables.iter().copied());
        let ran = run(ours, b"");
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
        let lines = ran.stdout.split_inclusive(|byte| *byte == 0);
        let names: Vec<_> = lines.flat_map(|line| &line[64 + "  ./".len()..]).copied().collect();
        names.escape_ascii().to_string()
    }

    /// Checks that git lists the same in `dir`.
    #[track_caller]
    fn same(&self, what: &str, dir: &str, variables: &[(&str, &str)]) {
        let mut git = self.at(dir, self.0.command("git", "git"));
        git.args(["ls-files", "-zco", "--exclude-standard"]).envs(variables.iter().copied());
        let ran = run(&mut git, b"");
        assert_eq!(ran.code, Some(0), "{what}: {ran:?}");
        let mut names: Vec<_> = ran.stdout.split_inclusive(|byte| *byte == 0).collect();
        names.sort();
        let names = names.concat().escape_ascii().to_string();
        assert_eq!(self.listed(dir, variables), names, "{what}: ours (left) and git's");
    }
}

#[test]
fn files_that_git_ignores_can_be_skipped() {
    let world = World::new(&[
        "repo/a.o",
        "repo/a.c",
        "repo/keep.o",
        "repo/target/x",
        "repo/sub/target",
        "repo/sub/b.o",
        "repo/sub/deep/b.c",
        "repo/sub/deep/local",
        "repo/sub/deep/er/local",
        "repo/log",
        "repo/sub/log",
        "repo/excluded",
        "repo/home.swp",
        "repo/with blank ",
        "repo/.hidden",
        "repo/#hash",
        "repo/!bang",
        "repo/sub/x.tmp",
        "repo/docs/a/b/c.txt",
        "repo/docs/d.txt",
        "repo/\u{e9}.o",
        // an inner repository has its own rules
        "repo/inner/a.o",
        "repo/inner/excluded",
        "repo/inner/b",
        "repo/inner/sub/c.x",
    ]);
    world.write("repo/.gitignore", "*.o\n!keep.o\ntarget/\n/log\n# a comment\nwith\\ blank\\ \n\\#hash\n\\!bang\ndocs/**/c.txt\n");
    world.write("repo/sub/.gitignore", "*.tmp\n!b.o\n");
    world.write("repo/sub/deep/.gitignore", "/local\n");
    world.write("repo/inner/.gitignore", "\u{feff}*.x\r\n");
    world.write("home/.config/git/ignore", "*.swp\n");
    world.git("repo/inner", &["init", "-q"]);
    // a work tree shares its repository's rules
    let commit = ["-c", "user.name=a", "-c", "user.email=a", "commit", "-q", "--allow-empty"];
    world.git("repo", &[&commit[..], &["-m", "a"]].concat());
    world.git("repo", &["worktree", "add", "-q", "../tree"]);
    world.write("repo/.git/info/exclude", "excluded\ninner/\n");
    world.write("tree/excluded", "");
    world.write("tree/b", "");
    for dir in ["repo", "repo/sub", "repo/sub/deep", "repo/inner", "repo/inner/sub", "tree"] {
        world.same("", dir, &[]);
    }
    // without a repository, the files with patterns still count
    fs::remove_dir_all(world.0.at("repo/.git")).unwrap();
    let names = world.listed("repo/sub", &[]);
    assert!(names.contains("b.o\\x00") && !names.contains("x.tmp"), "{names}");
    // anything but a regular file is not read
    fs::remove_file(world.0.at("repo/sub/.gitignore")).unwrap();
    world.0.fifo("repo/sub/.gitignore");
    assert!(world.listed("repo", &[]).contains("x.tmp"));
}

#[test]
fn each_pattern_ignores_what_it_does_for_git() {
    let names = [
        "a", "b", "ca", "A", "-", "{a,b}", "a b", "a ", "\u{e9}", "[a", ":", "fool/a", "fool/b/a",
        "c/a", "c/b/a", "c/d/e/a",
    ];
    let world = World::new(&[]);
    names.iter().for_each(|name| world.write(&format!("repo/{name}"), ""));
    let patterns = "{a,b}|{a,b}/|a,b|[[:upper:]]|[![:upper:]]|[[:no:]]|[[::]]|[[:]|[a-]|[]-a]|[z-a]|[^a]\
        |[!a]|[\\]]|[a|\\[a|[a-\\b]|?|??|\u{e9}|a\\|\\a|a\\ |a |a \\ |a\t|a\r\n!A\r|*|**|***\
        |**/a|c/**|c/**/a|c/***/a|c/**/**/a|c/*/a|c/**a|c/**/*/a|c**/a|c**//|*\n!c**/a|foo**/a|foo*/a|/**/a|**/\
        |*\n!c/\n!c/a|*\n!*/\n!a|!|/|//a|c//a|c/d/|d/|a/|\u{feff}a\n\u{feff}b|";
    for patterns in patterns.split('|') {
        world.write("repo/.gitignore", patterns);
        world.same(patterns, "repo", &[]);
    }
}

#[test]
fn what_is_only_called_git_is_no_repository() {
    let world = World::new(&["repo/sub/keep.log", "repo/sub/other.log", "repo/sub/name"]);
    world.write("repo/sub/lost", "");
    world.write("repo/.gitignore", "!keep.log\nlost\n");
    world.write("home/.config/git/ignore", "*.log\n");
    let head = "ref: refs/heads/a\n";
    let whole = [("HEAD", head), ("objects/a", ""), ("refs/a", ""), ("info/exclude", "name\n")];
    let but = |name: &str| whole.iter().copied().filter(|file| file.0 != name).collect::<Vec<_>>();
    let with = |head| [&[("HEAD", head)], &but("HEAD")[..]].concat();
    for (case, files) in [
        ("empty", vec![("a", "")]),
        ("no head", but("HEAD")),
        ("no objects", but("objects/a")),
        ("no references", but("refs/a")),
        ("an odd head", with("a\n")),
        ("a short head", with("0123456789")),
        ("another reference", with("ref: heads/a\n")),
        ("rubbish", vec![("", "rubbish\n")]),
        ("a name that leads nowhere", vec![("", "gitdir: nowhere\n")]),
        ("a file's name", vec![("", "gitdir: ../.gitignore\n")]),
    ] {
        let git = world.0.at("repo/sub/.git");
        let _ = fs::remove_dir_all(&git);
        let _ = fs::remove_file(&git);
        for (name, text) in files {
            world.write(format!("repo/sub/.git/{name}").trim_end_matches('/'), text);
        }
        world.same(case, "repo", &[]);
        assert!(world.listed("repo", &[]).contains("sub/keep.log"), "{case}");
    }
}

#[test]
fn gits_configuration_counts() {
    let world = World::new(&["repo/a", "repo/b", "repo/c", "repo/Keep", "repo/sub/kEEp"]);
    for name in ["a", "b", "c"] {
        world.write(&format!("home/{name}"), format!("{name}\n"));
        world.write(&format!("home/{name}.config"), format!("[core]\nexcludesFile = ~/{name}\n"));
    }
    world.write("home/.config/git/ignore", "a\n");
    world.same("nothing", "repo", &[]);
    let home = world.0.at("home").display().to_string();
    let b = format!("{home}/b.config");
    world.write("home/git/ignore", "b\n");
    world.same("the default in another place", "repo", &[("XDG_CONFIG_HOME", &home)]);
    world.same("the system's", "repo", &[("GIT_CONFIG_NOSYSTEM", "no"), ("GIT_CONFIG_SYSTEM", &b)]);
    world.same("no user's", "repo", &[("GIT_CONFIG_GLOBAL", "/dev/null")]);
    world.same("a trace", "repo", &[("GIT_TRACE", "1")]);
    let key = ("GIT_CONFIG_KEY_0", "Core.ExcludesFile");
    let variables = [("GIT_CONFIG_COUNT", "1"), key, ("GIT_CONFIG_VALUE_0", "~/c")];
    world.same("variables'", "repo", &variables);
    for (case, text) in [
        ("a relative path", "[core]\nexcludesFile = .gitignore\n"),
        ("no path", "[core]\nexcludesFile =\n"),
        ("two paths", "[core]\nexcludesFile = ~/b\nexcludesFile = ~/c\n"),
        ("a condition", "[includeIf \"onbranch:feature/\"]\npath = ~/c.config\n"),
        ("the user's", "[core]\nexcludesFile = ~/b\n"),
    ] {
        world.write("home/.gitconfig", text);
        world.same(case, "repo", &[]);
    }
    world.git("repo", &["config", "core.excludesFile", "~/c"]);
    world.same("the repository's", "repo", &[]);
    world.git("repo", &["config", "extensions.worktreeConfig", "true"]);
    world.git("repo", &["config", "--worktree", "core.excludesFile", "~/a"]);
    world.same("the work tree's", "repo", &[]);
    world.write("repo/.gitignore", "*\n!KEEP\n!Su[A-B]\n![[:upper:]]\n");
    for value in ["true", "false", "ON", "0x1", "0k"] {
        world.git("repo", &["config", "core.ignoreCase", value]);
        world.same(value, "repo", &[]);
    }
    // as in a hook of another repository
    world.write("other/x", "");
    world.git("other", &["init", "-q"]);
    let other = world.0.at("other/.git").display().to_string();
    let plain = world.listed("repo", &[]);
    assert_eq!(world.listed("repo", &[("GIT_DIR", &other), ("GIT_WORK_TREE", "..")]), plain);
}

#[test]
fn a_configuration_that_git_refuses_is_an_error() {
    let world = World::new(&["repo/a", "repo/inner/b", "repo/sub/c"]);
    world.git("repo/inner", &["init", "-q"]);
    world.write("repo/inner/.git/config", "[core]\nignoreCase = rubbish\n");
    let walk = |dir: &str| {
        run(world.at(dir, world.0.ours("jlanes-sum")).args(["-r", "--gitignore", "."]), b"")
    };
    let ran = walk("repo");
    assert_eq!((ran.code, ran.out().lines().count()), (Some(1), 2), "{ran:?}");
    assert!(ran.err().starts_with("jlanes-sum: ./inner: git config core."), "{ran:?}");
    world.write("repo/.git/config", "[include]\npath = config\n".repeat(6));
    for dir in ["repo", "repo/sub"] {
        let ran = walk(dir);
        assert_eq!((ran.code, ran.out()), (Some(1), String::new()), "{ran:?}");
        assert!(ran.err().starts_with("jlanes-sum: .: git config core."), "{ran:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_repository_cannot_make_git_wait() {
    let world = World::new(&["repo/a", "repo/inner/b"]);
    world.git("repo/inner", &["init", "-q"]);
    world.0.fifo("repo/inner/.git/commondir");
    let walk =
        run(world.at("repo", world.0.ours("jlanes-sum")).args(["-r", "--gitignore", "."]), b"");
    assert_eq!((walk.code, walk.out().lines().count()), (Some(1), 1), "{walk:?}");
    let said = "jlanes-sum: ./inner: git config core.excludesFile: git did not answer\n";
    assert_eq!(walk.err(), said);
}

#[test]
fn blanks_belong_to_the_name_of_a_repository() {
    let world = World::new(&["repo/a", "repo/inner/a", "repo/inner/b"]);
    world.write("repo/.gitignore", "a\n");
    let named = world.0.at("named ").display().to_string();
    world.git("repo/inner", &["init", "-q", "--separate-git-dir", &named]);
    world.write("named /info/exclude", "b\n");
    world.same("a blank at the end", "repo/inner", &[]);
    assert_eq!(world.listed("repo", &[]), ".gitignore\\x00inner/a\\x00");
}

#[test]
fn without_git_its_defaults_count() {
    let world = World::new(&["repo/a", "repo/b", "repo/C"]);
    world.write("home/.config/git/ignore", "a\n");
    world.write("home/.gitconfig", "[core]\nexcludesFile = ~/no\n");
    world.write("repo/.git/info/exclude", "B\nc\n");
    world.git("repo", &["config", "core.ignoreCase", "true"]);
    assert_eq!(world.listed("repo", &[]), "a\\x00");
    let nowhere = world.0.at("nowhere").display().to_string();
    assert_eq!(world.listed("repo", &[("PATH", &nowhere)]), "C\\x00b\\x00");
}

#[test]
fn an_ignore_file_that_is_too_long_ignores_nothing() {
    let world = World::new(&["d/kept", "d/other"]);
    world.write("d/.gitignore", format!("*\n{}!kept\n", "!something\n".repeat(400_000)));
    assert!(world.listed("d", &[]).contains("kept\\x00other"));
}
