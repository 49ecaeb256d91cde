//! Directories and lists of names.

use std::{
    ffi::OsString,
    fs,
    os::unix::{
        ffi::{OsStrExt, OsStringExt},
        fs::symlink,
    },
    process::Command,
};

use crate::common::{Ran, Scratch, paint, run, sha256};

fn tree() -> Scratch {
    let scratch = Scratch::new();
    let paths: [&[u8]; 19] = [
        b"top/a/x",
        b"top/a-b/x",
        b"top/a-b/.hidden",
        b"top/a.txt",
        b"top/a0",
        b"top/ab",
        b"top/A",
        b"top/.git/config",
        b"top/.hidden",
        b"top/new\nline/f\r",
        b"top/back\\slash",
        b"top/\xff\xfe/\xfd",
        b"top/deep/er/and/deeper/f",
        b"top/deep/er/f.rs",
        b"top/deep/g.rs",
        b"top/ blank/ f ",
        b"top/a!/z",
        b"top/~/z",
        b"top/-/-",
    ];
    for (i, path) in paths.into_iter().enumerate() {
        scratch.write(path, paint(i * 97));
    }
    fs::create_dir(scratch.at("top/empty")).unwrap();
    symlink("a.txt", scratch.at("top/link")).unwrap();
    symlink("deep", scratch.at("top/dirlink")).unwrap();
    symlink("nowhere", scratch.at("top/dangling")).unwrap();
    scratch
}

/// The output of `find`, sorted as by `LC_ALL=C sort`.
fn found(scratch: &Scratch, args: &[&str]) -> Vec<OsString> {
    let ran = run(scratch.command("find", "find").args(args).arg("-print0"), b"");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let names = ran.stdout.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let mut names: Vec<_> = names.map(<[u8]>::to_vec).collect();
    names.sort();
    names.into_iter().map(OsString::from_vec).collect()
}

#[track_caller]
fn gnu_on(scratch: &Scratch, names: &[OsString]) -> Ran {
    run(scratch.command("sha256sum", "jlanes-sum").arg("--").args(names), b"")
}

/// Checks that `jlanes-sum` with `ours` prints the same as GNU's tool for the files of `find`.
#[track_caller]
fn same_as_find(scratch: &Scratch, ours: &[&str], find: &[&str]) {
    let names = found(scratch, find);
    assert!(!names.is_empty());
    for threads in ["1", "2", "5"] {
        let ran = scratch.sum(&[&["--threads", threads, "-r"], ours].concat());
        assert_eq!(ran, gnu_on(scratch, &names), "{ours:?} with {threads} threads");
    }
}

#[test]
fn directories_come_in_byte_order_of_whole_paths() {
    let scratch = tree();
    for top in ["top", "top/", "./top", ".", "top//", "top/deep/../a"] {
        same_as_find(&scratch, &[top], &[top, "-type", "f"]);
    }
}

#[test]
fn a_directory_named_by_a_link_is_gone_through() {
    let scratch = tree();
    same_as_find(&scratch, &["top/dirlink"], &["-H", "top/dirlink", "-type", "f"]);
}

#[test]
fn links_are_followed_on_demand_and_loops_are_reported() {
    let scratch = tree();
    fs::remove_file(scratch.at("top/dangling")).unwrap();
    same_as_find(&scratch, &["-L", "top"], &["-L", "top", "-type", "f"]);
    symlink("..", scratch.at("top/deep/up")).unwrap();
    let ran = scratch.sum(&["-rL", "top/deep"]);
    assert_eq!(ran.code, Some(1));
    // through the link into top, and from there down to deep again, which is open already
    assert!(ran.err().contains("top/deep/up/deep: Too many levels of symbolic links\n"), "{ran:?}");
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(out.contains("  top/deep/up/a.txt\n"), "{ran:?}");
}

#[test]
fn depth_and_size_limit_a_walk() {
    let scratch = tree();
    for depth in ["1", "2", "3"] {
        let find = ["top", "-maxdepth", depth, "-type", "f"];
        same_as_find(&scratch, &["--max-depth", depth, "top"], &find);
    }
    assert_eq!(scratch.sum(&["-r", "--max-depth=0", "top"]).out(), "");
    same_as_find(&scratch, &["--max-size=1K", "top"], &["top", "-type", "f", "-size", "-1025c"]);
    same_as_find(&scratch, &["--max-size", "970", "top"], &["top", "-type", "f", "-size", "-971c"]);
    same_as_find(&scratch, &["-x", "top"], &["top", "-xdev", "-type", "f"]);
}

#[test]
fn patterns_choose_files() {
    let scratch = tree();
    same_as_find(&scratch, &["--include=*.rs", "top"], &["top", "-type", "f", "-name", "*.rs"]);
    scratch.write("top/-dash", "");
    let find = ["top", "-type", "f", "-not", "-name", "-*"];
    same_as_find(&scratch, &["--exclude", "-*", "top"], &find);
    let find = ["top", "-type", "f", "-not", "-path", "top/deep/*", "-not", "-name", ".*"];
    let find = [&find[..], &["-not", "-path", "*/.git/*"]].concat();
    same_as_find(&scratch, &["--exclude=/deep", "--exclude=.*", "top"], &find);
    let ran = scratch.sum(&["-r", "--include", "[", "top"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err().starts_with("jlanes-sum: --include: invalid pattern '[': "), "{ran:?}");
}

#[test]
fn patterns_choose_among_operands_too() {
    let scratch = tree();
    let names = |args: &[&str]| {
        let ran = scratch.sum(&[&["-r"], args].concat());
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()), "{args:?}");
        let name = |line: &str| line.split_at(66).1.to_owned();
        ran.out().lines().map(name).collect::<Vec<_>>()
    };
    let operands = ["top/a.txt", "top/a0", "top/deep", "top/ab"];
    assert_eq!(
        names(&[&["--exclude=*.txt", "--exclude=deep"], &operands[..]].concat()),
        ["top/a0", "top/ab"]
    );
    assert_eq!(names(&["--include=*.rs", "top/deep/g.rs", "top/a0", "./top/a"]), ["top/deep/g.rs"]);
    // `.` is not a hidden name
    assert_eq!(names(&["--exclude=.*", "--include=a*", "--max-depth=2", "."]).len(), 3);
}

#[test]
fn files_that_git_ignores_can_be_skipped() {
    let scratch = Scratch::new();
    for name in [
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
    ] {
        scratch.write(name, name);
    }
    scratch.write("repo/.gitignore", "*.o\n!keep.o\ntarget/\n/log\n# a comment\nwith\\ blank\\ \n\\#hash\n\\!bang\ndocs/**/c.txt\n");
    scratch.write("repo/sub/.gitignore", "*.tmp\n!b.o\n");
    scratch.write("repo/sub/deep/.gitignore", "/local\n");
    scratch.write("home/.config/git/ignore", "*.swp\n");
    // an inner repository has its own rules, and a work tree shares its repository's
    for name in ["repo/inner/a.o", "repo/inner/excluded", "repo/inner/b", "repo/inner/sub/c.x"] {
        scratch.write(name, name);
    }
    scratch.write("repo/inner/.gitignore", "\u{feff}*.x\r\n");
    let git = |dir: &str, args: &[&str]| {
        let mut command = scratch.command("git", "git");
        command.current_dir(scratch.at("repo").join(dir)).env("HOME", scratch.at("home"));
        let ran = run(command.args(args), b"");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    };
    git("", &["init", "-q"]);
    git("inner", &["init", "-q"]);
    let commit = ["-c", "user.name=a", "-c", "user.email=a", "commit", "-q", "--allow-empty"];
    git("", &[&commit[..], &["-m", "a"]].concat());
    git("", &["worktree", "add", "-q", "../tree"]);
    scratch.write("repo/.git/info/exclude", "excluded\ninner/\n");
    scratch.write("tree/excluded", "");
    scratch.write("tree/b", "");
    for dir in ["", "sub", "sub/deep", "inner", "inner/sub", "../tree"] {
        let listed = git(dir, &["ls-files", "-z", "-co", "--exclude-standard"]);
        let mut names: Vec<_> =
            listed.split(|byte| *byte == 0).filter(|name| !name.is_empty()).collect();
        names.sort();
        let mut command = scratch.ours("jlanes-sum");
        let operand = scratch.at("repo").join(dir);
        command.current_dir(scratch.path()).env("HOME", scratch.at("home"));
        let ran = run(command.args(["-rz", "--gitignore"]).arg(&operand), b"");
        let prefix = operand.as_os_str().len() + usize::from(!dir.is_empty());
        let lines = ran.stdout.split(|byte| *byte == 0).filter(|line| !line.is_empty());
        let found: Vec<_> = lines.map(|line| &line[66 + prefix..]).collect();
        assert_eq!((ran.code, ran.err()), (Some(0), String::new()));
        assert_eq!(found, names, "{dir}: ours (left) and git's");
    }
    // without a repository, the files with patterns still count
    fs::remove_dir_all(scratch.at("repo/.git")).unwrap();
    let ran = scratch.sum(&["-r", "--gitignore", "repo/sub"]);
    assert!(ran.out().contains("  repo/sub/b.o\n") && !ran.out().contains("x.tmp"), "{ran:?}");
    // anything but a regular file is not read
    fs::remove_file(scratch.at("repo/sub/.gitignore")).unwrap();
    scratch.fifo("repo/sub/.gitignore");
    assert_eq!(scratch.sum(&["-r", "--gitignore", "repo"]).code, Some(0));
}

#[test]
fn each_pattern_ignores_what_it_does_for_git() {
    let scratch = Scratch::new();
    let git = |args: &[&str]| {
        let mut command = scratch.command("git", "git");
        command.current_dir(scratch.at("repo")).env("HOME", scratch.path());
        run(command.args(args), b"").stdout
    };
    for name in [
        "a", "b", "ca", "A", "-", "{a,b}", "a b", "a ", "\u{e9}", "[a", ":", "fool/a", "fool/b/a",
        "c/a", "c/b/a", "c/d/e/a",
    ] {
        scratch.write(format!("repo/{name}"), name);
    }
    git(&["init", "-q"]);
    let patterns = "{a,b}|{a,b}/|a,b|[[:upper:]]|[![:upper:]]|[[:no:]]|[[::]]|[[:]|[a-]|[]-a]|[z-a]|[^a]\
        |[!a]|[\\]]|[a|\\[a|[a-\\b]|?|??|\u{e9}|a\\|\\a|a\\ |a |a \\ |a\t|a\r\n!A\r|*|**|***\
        |**/a|c/**|c/**/a|c/***/a|c/**/**/a|c/*/a|c/**a|c/**/*/a|c**/a|c**//|*\n!c**/a|foo**/a|foo*/a|/**/a|**/\
        |*\n!c/\n!c/a|*\n!*/\n!a|!|/|//a|c//a|c/d/|d/|a/|\u{feff}a\n\u{feff}b|";
    for patterns in patterns.split('|') {
        scratch.write("repo/.gitignore", patterns);
        let listed = git(&["ls-files", "-zo", "--exclude-standard"]);
        let mut names: Vec<_> = listed.split_inclusive(|byte| *byte == 0).collect();
        names.sort();
        let mut command = scratch.ours("jlanes-sum");
        command.current_dir(scratch.at("repo")).env("HOME", scratch.path());
        let ran = run(command.args(["-rz", "--gitignore", "."]), b"");
        let lines = ran.stdout.split_inclusive(|byte| *byte == 0);
        let found: Vec<_> = lines.map(|line| &line[64 + "  ./".len()..]).collect();
        assert_eq!(found, names, "{patterns:?}: ours (left) and git's");
    }
}

#[test]
fn what_is_only_called_git_is_no_repository() {
    let scratch = Scratch::new();
    let in_repo = |mut command: Command| {
        command.current_dir(scratch.at("repo")).env("HOME", scratch.at("home"));
        command
    };
    scratch.write("repo/.gitignore", "!keep.log\nlost\n");
    scratch.write("home/.config/git/ignore", "*.log\n");
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
        let _ = fs::remove_dir_all(scratch.at("repo/.git"));
        let _ = fs::remove_dir_all(scratch.at("repo/sub"));
        let git = ["init", "-q"];
        assert_eq!(run(in_repo(scratch.command("git", "git")).args(git), b"").code, Some(0));
        for name in ["sub/keep.log", "sub/other.log", "sub/name", "sub/lost"] {
            scratch.write(format!("repo/{name}"), name);
        }
        for (name, text) in files {
            scratch.write(format!("repo/sub/.git/{name}").trim_end_matches('/'), text);
        }
        let args = ["ls-files", "-zo", "--exclude-standard"];
        let listed = run(in_repo(scratch.command("git", "git")).args(args), b"").stdout;
        let ran = run(in_repo(scratch.ours("jlanes-sum")).args(["-rz", "--gitignore", "."]), b"");
        let lines = ran.stdout.split_inclusive(|byte| *byte == 0);
        let found: Vec<_> = lines.flat_map(|line| &line[64 + "  ./".len()..]).copied().collect();
        let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
        assert_eq!(text(&found), text(&listed), "{case}: ours (left) and git's");
        assert!(text(&found).contains("sub/keep.log"), "{case}");
    }
}

#[test]
fn the_users_ignore_file_is_the_one_of_git() {
    let scratch = Scratch::new();
    let repo = scratch.at("repo");
    for file in ["repo/a", "repo/b", "repo/c", "repo/d"] {
        scratch.write(file, "");
    }
    scratch.write("home/.config/git/ignore", "a\n");
    for file in ["home/b", "home/a b", "repo/.git/b"] {
        scratch.write(file, "b\n");
    }
    scratch.write("home/c", "c\n");
    scratch.write("home/included", "[core]\nexcludesFile = ~/c\n");
    let git = |args: &[&str]| {
        let mut command = scratch.command("git", "git");
        command.current_dir(&repo).env("HOME", scratch.at("home"));
        run(command.env("GIT_CONFIG_NOSYSTEM", "1").args(args), b"").stdout
    };
    git(&["init", "-q"]);
    let same = |config: &str| {
        let names = git(&["ls-files", "-zo", "--exclude-standard"]);
        let mut command = scratch.ours("jlanes-sum");
        command.current_dir(&repo).env("HOME", scratch.at("home"));
        let ran = run(command.args(["-rz", "--gitignore", "."]), b"");
        let lines = ran.stdout.split_inclusive(|byte| *byte == 0);
        let found: Vec<_> = lines.flat_map(|line| &line[64 + "  ./".len()..]).copied().collect();
        assert_eq!(found, names, "{config}: ours (left) and git's");
    };
    same("");
    let absolute = format!("[core]\nexcludesFile = {}", scratch.at("home/b").display());
    for config in [
        &absolute,
        "[core]\nexcludesFile = ~/b # a comment",
        "[Core] ExcludesFile=~/b;\n",
        "[core]\r\n\texcludesFile = ~/b\r\n",
        "[core]\nexcludesFile = \"~/a b\"",
        "[core]\nexcludesFile = ~/a b \n",
        "[core]\nexcludesFile = ~/\"b\" ",
        "[core]\nexcludesFile = ~/\\\nb",
        "[core]\nexcludesFile = .git/b",
        "[core]\nexcludesFile =",
        "[core]\nexcludesFile = ~/b\nexcludesFile = ~/c\n",
        "[other]\nexcludesFile = ~/b",
        "[core \"other]\"]\nexcludesFile = ~/b",
        "[core]\nexcludesFiles = ~/b\nbare\n[core] # excludesFile = ~/b",
        "[include]\npath = included",
        "[include]\npath = ~/included\n[core]\nexcludesFile = ~/b",
    ] {
        scratch.write("home/.gitconfig", config);
        same(config);
    }
    scratch.write("home/.config/git/config", "[core]\nexcludesFile = ~/c");
    same("both of the user's");
    scratch.write("home/.gitconfig", "");
    same("one of the user's");
    git(&["config", "core.excludesFile", "~/b"]);
    same("the repository's");
}

#[test]
fn gits_configuration_is_read_from_everywhere() {
    let scratch = Scratch::new();
    let repo = scratch.at("repo");
    for file in ["repo/a", "repo/b", "repo/c", "repo/Keep", "repo/sub/kEEp"] {
        scratch.write(file, "");
    }
    for name in ["a", "b", "c"] {
        scratch.write(format!("home/{name}"), format!("{name}\n"));
        let config = format!("[core]\nexcludesFile = ~/{name}\n");
        scratch.write(format!("home/{name}.config"), config);
    }
    let same = |what: &str, variables: &[(&str, &str)]| {
        let set = |mut command: Command| {
            command.current_dir(&repo).env("HOME", scratch.at("home"));
            command.env("GIT_CONFIG_NOSYSTEM", "1").envs(variables.iter().copied());
            command
        };
        let mut command = set(scratch.command("git", "git"));
        let listed = run(command.args(["ls-files", "-zo", "--exclude-standard"]), b"");
        assert_eq!(listed.code, Some(0), "{what}");
        let mut command = set(scratch.ours("jlanes-sum"));
        let ran = run(command.args(["-rz", "--gitignore", "."]), b"");
        let lines = ran.stdout.split_inclusive(|byte| *byte == 0);
        let found: Vec<_> = lines.flat_map(|line| &line[64 + "  ./".len()..]).copied().collect();
        let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
        assert_eq!(text(&found), text(&listed.stdout), "{what}: ours (left) and git's");
    };
    let git = |args: &[&str]| {
        let mut command = scratch.command("git", "git");
        command.current_dir(&repo).env("HOME", scratch.at("home"));
        assert_eq!(run(command.args(args), b"").code, Some(0), "{args:?}");
    };
    git(&["init", "-q", "--initial-branch=feature/one"]);
    scratch.write("home/.gitconfig", "[core]\nexcludesFile = ~/a\n");
    let b = scratch.at("home/b.config").display().to_string();
    same("the system's", &[("GIT_CONFIG_NOSYSTEM", "no"), ("GIT_CONFIG_SYSTEM", &b)]);
    same("no system's", &[("GIT_CONFIG_SYSTEM", &b)]);
    same("another user's", &[("GIT_CONFIG_GLOBAL", &b)]);
    same("no user's", &[("GIT_CONFIG_GLOBAL", "/dev/null")]);
    let key = ("GIT_CONFIG_KEY_0", "Core.ExcludesFile");
    same("variables'", &[("GIT_CONFIG_COUNT", "1"), key, ("GIT_CONFIG_VALUE_0", "~/c")]);
    let top = scratch.path().display().to_string();
    for condition in [
        "gitdir:repo/",
        "gitdir:REPO/",
        "gitdir/i:REPO/",
        "gitdir:~/",
        "gitdir:./../repo/",
        "gitdir:**/repo/.git",
        "gitdir:repo",
        "gitdir:.git",
        &format!("gitdir:{top}/"),
        &format!("gitdir:{top}/*/.git"),
        &format!("gitdir:{top}/repo"),
        "onbranch:feature/",
        "onbranch:feature/*",
        "onbranch:one",
        "onbranch:Feature/",
        "hasconfig:remote.*.url:https://example.org/**",
        "hasconfig:remote.*.url:https://example.com/**",
        "unknown:x",
    ] {
        let remote = "[remote \"x\"]\nurl = https://example.org/y/z\n";
        let config = format!("[includeIf \"{condition}\"]\npath = b.config\n{remote}");
        scratch.write("home/.gitconfig", format!("[core]\nexcludesFile = ~/a\n{config}"));
        same(condition, &[]);
    }
    git(&["config", "extensions.worktreeConfig", "true"]);
    git(&["config", "--worktree", "core.excludesFile", "~/c"]);
    same("the work tree's", &[]);
    git(&["config", "extensions.worktreeConfig", "false"]);
    same("no work tree's", &[]);
    scratch.write("repo/.gitignore", "*\n!KEEP\n!Su[A-B]\n![[:upper:]]\n");
    for value in ["true", "false", "1", "0", "ON"] {
        git(&["config", "core.ignoreCase", value]);
        same(value, &[]);
    }
    git(&["config", "--unset", "core.ignoreCase"]);
    scratch.write("repo/.git/config", "[core]\nrepositoryFormatVersion = 0\nignoreCase\n");
    same("without a value", &[]);
}

#[test]
fn git_includes_the_same_configuration() {
    let scratch = Scratch::new();
    let top = scratch.path().canonicalize().unwrap();
    let top = top.to_str().unwrap();
    for name in ["repo/a", "repo/B", "repo/b"] {
        scratch.write(name, "");
    }
    scratch.write("home/a", "a\n");
    scratch.write("home/b", "b\n");
    scratch.write("home/b.config", format!("[core]\nexcludesFile = {top}/home/b\n"));
    symlink(top, scratch.at("home/link")).unwrap();
    symlink("home", scratch.at("also-home")).unwrap();
    scratch.write("dots/user", "");
    symlink("../dots/user", scratch.at("home/.gitconfig")).unwrap();
    let set = |mut command: Command, variables: &[(&str, &str)]| {
        command.current_dir(scratch.at("repo")).env("HOME", format!("{top}/also-home"));
        command.env("PWD", format!("{top}/home/link/repo")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.envs(variables.iter().copied());
        command
    };
    let git = |args: &[&str], variables: &[(&str, &str)]| {
        let ran = run(set(scratch.command("git", "git"), variables).args(args), b"");
        assert_eq!(ran.code, Some(0), "{args:?} {variables:?}");
        ran.stdout
    };
    let same = |what: &str, variables: &[(&str, &str)]| {
        let listed = git(&["ls-files", "-zo", "--exclude-standard"], variables);
        let mut command = set(scratch.ours("jlanes-sum"), variables);
        let ran = run(command.args(["-rz", "--gitignore", "."]), b"");
        let lines = ran.stdout.split_inclusive(|byte| *byte == 0);
        let found: Vec<_> = lines.flat_map(|line| &line[64 + "  ./".len()..]).copied().collect();
        let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
        assert_eq!(text(&found), text(&listed), "{what}: ours (left) and git's");
    };
    git(&["init", "-q", "--initial-branch=one"], &[]);
    let first = format!("[core]\nexcludesFile = {top}/home/a\n");
    let included = format!("path = {top}/home/b.config\n");
    let user = |more: &str| scratch.write("dots/user", format!("{first}{more}"));
    user("");
    let file = format!("{top}/home/b.config");
    for key in ["include.path", "includeIf.onbranch:one.path"] {
        let key = ("GIT_CONFIG_KEY_0", key);
        same("variables", &[("GIT_CONFIG_COUNT", " 1"), key, ("GIT_CONFIG_VALUE_0", &file)]);
    }
    for condition in [
        "gitdir:~/../repo/",
        "gitdir:~/link/repo/",
        "gitdir:./../repo/",
        &format!("gitdir:{top}/home/link/repo/"),
        &format!("gitdir:{top}/also-home/link/repo/"),
        "hasconfig:remote.*.url:**",
    ] {
        user(&format!("[remote]\nurl = x\n[includeIf \"{condition}\"]\n{included}"));
        same(condition, &[]);
    }
    // below both homes
    git(&["init", "-q", &format!("{top}/home/repo")], &[]);
    user(&format!("[includeIf \"gitdir:~/\"]\n{included}"));
    for name in ["a", "b"] {
        scratch.write(format!("home/repo/{name}"), "");
    }
    let ran =
        run(set(scratch.ours("jlanes-sum"), &[]).args(["-r", "--gitignore", "../home/repo"]), b"");
    assert!(ran.out().ends_with("  ../home/repo/a\n"), "{}", ran.out());
    for branch in ["one", "two", "three"] {
        user(&format!("[includeIf \"onbranch:{branch}\"]\n{included}"));
        for head in ["ref: refs/heads/one\n", "ref: refs/heads/three four\n"] {
            scratch.write("repo/.git/HEAD", head);
            let _ = fs::remove_file(scratch.at("repo/.git/refs/heads/one"));
            same(branch, &[]);
            scratch.write("repo/.git/refs/heads/one", "ref: refs/heads/two\n");
            same(branch, &[]);
        }
        fs::remove_file(scratch.at("repo/.git/HEAD")).unwrap();
        symlink("refs/heads/one", scratch.at("repo/.git/HEAD")).unwrap();
        same(branch, &[]);
        fs::remove_file(scratch.at("repo/.git/HEAD")).unwrap();
    }
    scratch.write("repo/.git/HEAD", "ref: refs/heads/one\n");
    user("[extensions]\nworktreeConfig = true\n");
    scratch.write("repo/.git/config.worktree", format!("[include]\n{included}"));
    same("a work tree's of the user", &[]);
    for value in ["1k", "0k", "0x1", "0x0", "-1", "+0", "010"] {
        user(&format!("ignoreCase = {value}\nexcludesFile = {top}/home/b\n"));
        git(&["config", "core.ignoreCase", value], &[]);
        same(value, &[]);
    }
    user(&format!("excludesFile = {top}/home/b\x0c\n"));
    same("no blank", &[]);
}

/// Without a limit it would be read six times for each of ten levels, 60 million times.
#[test]
fn a_configuration_that_includes_itself_ends() {
    let scratch = Scratch::new();
    scratch.write("d/f", "");
    for name in ["HEAD", "objects/x", "refs/x"] {
        scratch.write(format!("d/.git/{name}"), "ref: refs/heads/one\n");
    }
    scratch.write("d/.git/config", "[include]\npath = config\n".repeat(6));
    assert!(scratch.sum(&["-r", "--gitignore", "d"]).out().ends_with("  d/f\n"));
}

#[test]
fn an_ignore_file_that_is_too_long_ignores_nothing() {
    let scratch = Scratch::new();
    scratch.write("d/kept", "");
    scratch.write("d/other", "");
    scratch.write("d/.gitignore", format!("*\n{}!kept\n", "!something\n".repeat(400_000)));
    let names = scratch.sum(&["-r", "--gitignore", "d"]).out();
    assert_eq!(names.lines().filter(|line| line.ends_with("/kept")).count(), 1, "{names}");
}

#[test]
fn skipped_entries_are_reported_on_demand() {
    let scratch = Scratch::new();
    scratch.write("d/f", "f");
    scratch.write("d/sub/g", "g");
    symlink("f", scratch.at("d/link")).unwrap();
    for pipe in ["d/fifo", "d/sub/pipe"] {
        scratch.fifo(pipe);
    }
    let _socket = std::os::unix::net::UnixListener::bind(scratch.at("d/socket")).unwrap();
    let printed = "jlanes-sum: d/fifo: a FIFO, left out\n\
                jlanes-sum: d/socket: a socket, left out\n\
                jlanes-sum: d/sub/pipe: a FIFO, left out\n";
    let quiet = scratch.sum(&["-r", "d"]);
    assert_eq!((quiet.code, quiet.err(), quiet.out().lines().count()), (Some(0), String::new(), 2));
    let loud = scratch.sum(&["-r", "--warn", "d"]);
    assert_eq!((loud.code, loud.out(), loud.err()), (Some(0), quiet.out(), printed.to_owned()));
    assert_eq!(
        scratch.sum(&["-r", "-w", "d", "--exclude=fifo", "--exclude=sub"]).err().lines().count(),
        1
    );
    scratch.write("LIST", &quiet.stdout);
    let ran = scratch.sum(&["--audit=LIST", "--quiet", "--warn", "d"]);
    // an audit also reports links, which it does not compare
    let links =
        printed.replace("d/socket", "d/link: a symbolic link, left out\njlanes-sum: d/socket");
    assert_eq!((ran.code, ran.err()), (Some(0), links));
    assert_eq!(scratch.sum(&["--warn", "d/f"]).code, Some(1), "there is nothing to warn about");
}

#[test]
fn dangling_links_are_reported_where_links_are_followed() {
    let scratch = Scratch::new();
    scratch.write("d/f", "f");
    symlink("nowhere", scratch.at("d/dangling")).unwrap();
    symlink("round", scratch.at("d/round")).unwrap();
    let quiet = scratch.sum(&["-r", "d"]);
    assert_eq!((quiet.code, quiet.err()), (Some(0), String::new()));
    let ran = scratch.sum(&["-rL", "d"]);
    let printed = "jlanes-sum: d/dangling: No such file or directory\n\
                jlanes-sum: d/round: Too many levels of symbolic links\n";
    assert_eq!((ran.code, ran.out(), ran.err()), (Some(1), quiet.out(), printed.to_owned()));
}

#[test]
fn unsorted_walks_find_the_same_files() {
    let scratch = tree();
    let lines = |args: &[&str]| {
        let ran = scratch.sum(args);
        let mut lines: Vec<_> = ran.stdout.split(|b| *b == 0).map(<[u8]>::to_vec).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&["-rz", "--sort=none", "top"]), lines(&["-rz", "--sort=name", "top"]));
}

#[test]
fn directories_need_the_option() {
    let scratch = tree();
    let ran = scratch.sum(&["top", "top/A"]);
    assert_eq!(ran.err(), "jlanes-sum: top: Is a directory\n");
    assert_eq!((ran.code, ran.out().lines().count()), (Some(1), 1));
    let ran = scratch.sum(&["--max-depth=1", "top/A"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err().starts_with("jlanes-sum: the --max-depth option is meaningful only with"));
}

#[test]
fn a_tree_deeper_than_the_allowed_descriptors_is_walked() {
    let scratch = Scratch::new();
    let mut path = String::from("top");
    for depth in 0..60 {
        scratch.write(format!("{path}/f{depth}"), path.as_bytes());
        scratch.write(format!("{path}/z{depth}"), b"z");
        path += "/d";
    }
    let names = found(&scratch, &["top", "-type", "f"]);
    let mut command = scratch.command("sh", "sh");
    command.args(["-c", "ulimit -n 30; exec \"$0\" --threads 2 -r top"]);
    let ran = run(command.arg(env!("CARGO_BIN_EXE_jlanes-sum")), b"");
    assert_eq!(ran, gnu_on(&scratch, &names));
}

#[test]
fn paths_may_be_longer_than_the_system_takes() {
    const LEVELS: usize = 180;
    let scratch = Scratch::new();
    let bottom = |top: &str| format!("{top}{}", "/directory of a tree".repeat(LEVELS));
    let parts = ["a", "b", "c"];
    for top in parts {
        for (end, _) in format!("{}/", bottom(top)).match_indices('/') {
            scratch.write(format!("{}/file", &bottom(top)[..end]), "content");
        }
    }
    // the lowest part first, because its new path would be too long
    fs::rename(scratch.at("c"), scratch.at(bottom("b") + "/c")).unwrap();
    fs::rename(scratch.at("b"), scratch.at(bottom("a") + "/b")).unwrap();
    for threads in ["1", "3"] {
        let ran = scratch.sum(&["--threads", threads, "-r", "a"]);
        assert!(ran.code == Some(0) && ran.stderr.is_empty());
        let out = ran.out();
        let names: Vec<_> = out.lines().map(|line| line.split_at(66)).collect();
        assert_eq!(names.len(), parts.len() * (LEVELS + 1));
        let digest = sha256(b"content") + "  ";
        assert!(names.iter().all(|(sum, name)| *sum == digest && name.ends_with("/file")));
    }
}

#[test]
fn names_can_come_from_lists() {
    let scratch = tree();
    let names = found(&scratch, &["top", "-type", "f"]);
    let joined = |end: &[u8]| {
        let names = names.iter().filter(|name| !name.as_bytes().contains(&end[0]));
        names.flat_map(|name| [name.as_bytes(), end].concat()).collect::<Vec<u8>>()
    };
    scratch.write("LIST0", joined(b"\0"));
    let expected = gnu_on(&scratch, &names);
    assert_eq!(scratch.sum(&["--files0-from", "LIST0"]), expected);
    assert_eq!(scratch.sum(&["--files0-from=LIST0", "--threads=1"]), expected);
    let from_stdin = run(scratch.ours("jlanes-sum").arg("--files0-from=-"), &joined(b"\0"));
    assert_eq!(from_stdin, expected);
    let from_lines = run(scratch.ours("jlanes-sum").arg("--files-from=-"), &joined(b"\n"));
    let one_line = |name: &OsString| !name.as_bytes().contains(&b'\n');
    let lines: Vec<_> = names.iter().filter(|name| one_line(name)).cloned().collect();
    assert_eq!(from_lines, gnu_on(&scratch, &lines));
}

#[test]
fn bad_names_in_lists_are_reported_with_their_place() {
    let scratch = Scratch::new();
    scratch.write("f", "f");
    scratch.write("LIST", "f\n\nf\nmissing\nf");
    let ran = scratch.sum(&["--files-from=LIST"]);
    assert_eq!(ran.out(), format!("{}  f\n", sha256(b"f")).repeat(3));
    assert_eq!(
        ran.err(),
        "jlanes-sum: LIST:2: invalid zero-length file name\n\
         jlanes-sum: missing: No such file or directory\n"
    );
    scratch.write("LIST", [&b"f\0\n"[..], &b"/".repeat(70_000), b"\nf"].concat());
    let ran = scratch.sum(&["--files-from=LIST"]);
    assert_eq!(ran.out(), format!("{}  f\n", sha256(b"f")));
    let printed =
        "jlanes-sum: LIST:1: file name with a NUL\njlanes-sum: LIST:2: file name too long\n";
    assert_eq!((ran.code, ran.err()), (Some(1), printed.to_owned()));
    scratch.write("LIST", "f\r\n\r\nf");
    let ran = scratch.sum(&["--files-from=LIST"]);
    assert_eq!(ran.out(), format!("{}  f\n", sha256(b"f")).repeat(2));
    assert_eq!(ran.err(), "jlanes-sum: LIST:2: invalid zero-length file name\n");
    let ran = scratch.sum(&["--files-from=nowhere"]);
    assert_eq!(ran.err(), "jlanes-sum: nowhere: No such file or directory\n");
    assert_eq!(ran.code, Some(1));
    let ran = run(scratch.ours("jlanes-sum").arg("--files-from=-"), b"-\nf\n");
    assert!(ran.err().contains("no file name of '-' allowed"), "{ran:?}");
    let ran = scratch.sum(&["--files-from=LIST", "f"]);
    assert!(ran.err().contains("file operands cannot be combined with --files-from"));
}

#[test]
fn walked_names_can_be_checked() {
    let scratch = tree();
    let list = scratch.sum(&["-r", "top"]).stdout;
    scratch.write("LIST", list);
    for threads in ["1", "3"] {
        let ran = scratch.sum(&["-c", "--quiet", "LIST", "--threads", threads]);
        assert_eq!((ran.code, &ran.stdout[..], ran.err()), (Some(0), &b""[..], String::new()));
    }
}
