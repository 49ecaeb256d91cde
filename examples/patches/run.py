#!/usr/bin/env python3
"""Puts jlanes into crates of others, runs their tests, and times both versions.

`examples/patches/run.py NAME...`, or without names all. For each crate: fetches it from crates.io,
copies it to target/patches/NAME, changes the copy as NAME/patch.py says, counts the changed lines,
runs the crate's own tests with and without the change, and runs NAME/bench.rs, which compares and
times both. `--keep` leaves what was built, about a gigabyte for a crate.
"""

import importlib.util, json, os, pathlib, re, shutil, subprocess, sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
JLANES = ROOT / "crates/jlanes"


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / name / "patch.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def contest(work, patch, ours):
    """The package of the comparison. The first time it only finds the crate's source."""
    (work / "contest/src").mkdir(parents=True, exist_ok=True)
    features = json.dumps(getattr(patch, "bench_features", []))
    theirs = f'theirs = {{ package = "{patch.crate}", version = "={patch.version}", features = {features} }}\n'
    path = f'ours = {{ package = "{patch.crate}", path = "../patched", features = {features} }}\n'
    (work / "contest/Cargo.toml").write_text(
        '[package]\nname = "contest"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n'
        + 'rustix = { version = "1.1", features = ["time"] }\n' + theirs + (path if ours else "") + getattr(patch, "bench_dependencies", "") + "\n[workspace]\n"
    )
    shutil.copy(HERE / patch.__name__ / "bench.rs", work / "contest/src/main.rs")
    shutil.copy(HERE / "contest.rs", work / "contest/src/contest.rs")


def source(work, patch):
    manifest = work / "contest/Cargo.toml"
    metadata = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--manifest-path", manifest],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )
    packages = json.loads(metadata.stdout)["packages"]
    crate = next(p for p in packages if p["source"] and (p["name"], p["version"]) == (patch.crate, patch.version))
    return pathlib.Path(crate["manifest_path"]).parent


def copy(source, to, folders):
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(source, to, ignore=shutil.ignore_patterns("Cargo.toml.orig", ".cargo-ok"))
    for path in to.rglob("*"):
        path.chmod(path.stat().st_mode | 0o200)
    for folder in folders:
        (to / folder).mkdir(parents=True, exist_ok=True)
    with (to / "Cargo.toml").open("a") as manifest:
        manifest.write("\n[workspace]\n")


def change(crate, patch):
    for name, changes in patch.changes.items():
        path = crate / name
        text = path.read_text()
        for pattern, ours, *count in changes:
            text, found = re.subn(pattern, ours, text, flags=re.S)
            expected = count[0] if count else 1
            assert found == expected, f"{name} has changed: {pattern} is there {found} times"
        path.write_text(text)
    for name, file in getattr(patch, "files", {}).items():
        shutil.copy(HERE / patch.__name__ / file, crate / name)
    manifest = crate / "Cargo.toml"
    features = json.dumps(patch.features)
    manifest.write_text(
        manifest.read_text().replace(
            "\n[workspace]\n",
            f'\n[dependencies.jlanes]\npath = "{JLANES}"\ndefault-features = false\nfeatures = {features}\n'
            "\n[workspace]\n",
        )
    )


def pin(package, patch):
    """Sets versions of dependencies that the newest one does not fit any more."""
    for name, version in getattr(patch, "pins", {}).items():
        subprocess.run(["cargo", "update", "--quiet", "--package", name, "--precise", version], cwd=package, check=True)


def lines(work):
    """Lines that the change adds and removes."""
    diff = subprocess.run(
        ["git", "diff", "--no-index", "--numstat", "original", "patched"],
        cwd=work, stdout=subprocess.PIPE, text=True,
    )
    rows = [line.split("\t") for line in diff.stdout.splitlines() if "Cargo.lock" not in line]
    return sum(int(row[0]) for row in rows), sum(int(row[1]) for row in rows)


def tests(crate, patch):
    """The tests that pass and those that fail, by name."""
    run = subprocess.run(
        ["cargo", "test", "--release", "--quiet", "--no-fail-fast", *getattr(patch, "test", []), "--", "--format=pretty",
         *getattr(patch, "test_args", [])],
        cwd=crate, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    # a doctest's name has the line, which the change moves
    found = re.findall(r"^test (.*?) \.\.\. (ok|FAILED|ignored)", run.stdout, flags=re.M)
    found = [(re.sub(r" \(line \d+\)", "", name), result) for name, result in found]
    if not found:
        print(run.stderr[-4000:], file=sys.stderr)
        sys.exit(f"{crate}: no tests ran")
    return sorted(n for n, r in found if r == "ok"), sorted(n for n, r in found if r == "FAILED")


def main():
    names = [name for name in sys.argv[1:] if not name.startswith("--")]
    for name in names or sorted(path.parent.name for path in HERE.glob("*/patch.py")):
        patch = load(name)
        work = ROOT / "target/patches" / name
        os.environ["CARGO_TARGET_DIR"] = str(work / "target")
        contest(work, patch, False)
        crate = source(work, patch)
        for copied in ["original", "patched"]:
            copy(crate, work / copied, getattr(patch, "folders", []))
        change(work / "patched", patch)
        for copied in ["original", "patched"]:
            pin(work / copied, patch)
        added, removed = lines(work)
        print(f"{patch.crate} {patch.version}: {added} lines added, {removed} removed", flush=True)
        if "--bench" not in sys.argv:
            (before, failing), (after, failed) = (tests(work / d, patch) for d in ["original", "patched"])
            print(f"tests passed: {len(after)}, without the change {len(before)}", flush=True)
            if set(before) - set(after):
                sys.exit("fail with the change:\n" + "\n".join(sorted(set(before) - set(after))))
            if failed:
                print("fail with and without the change: " + ", ".join(failed))
        contest(work, patch, True)
        pin(work / "contest", patch)
        subprocess.run(["cargo", "run", "--quiet", "--release"], cwd=work / "contest", check=True)
        if "--keep" not in sys.argv:
            shutil.rmtree(work)


main()
