#!/usr/bin/env python3
"""notices.py MANIFEST [TARGET]: prints the licences of all crates that the package at MANIFEST links, and of Rust's
standard library. A text that several crates have is printed once, with their names.

A crate without a licence text is an error, so a release cannot lack one.
"""

import html
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

TEXT = re.compile(r"(?!.*\.rs$)(licen[cs]e|copying|copyright|notice|unlicense)([-._].*)?", re.IGNORECASE)


def run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def linked(manifest: str, target: str) -> dict[str, list[str]]:
    """The texts of each crate from a registry, by name and version."""
    where = ["--manifest-path", manifest, "--locked"]
    metadata = json.loads(run("cargo", "metadata", "--format-version=1", "--filter-platform", target, *where))
    # macros and what only builds are not in the program
    tree = ["--edges=normal,no-proc-macro", "--prefix=none", "--format={p}"]
    lines = run("cargo", "tree", "--target", target, *where, *tree).splitlines()
    wanted = {tuple(line.split()[:2]) for line in lines}
    crates = {}
    for package in metadata["packages"]:
        name, version = package["name"], "v" + package["version"]
        if (name, version) not in wanted or package["source"] is None:
            continue
        folder = Path(package["manifest_path"]).parent
        # also below: the data in a crate may have another licence than the crate
        files = [file for file in sorted(folder.rglob("*")) if file.is_file() and TEXT.fullmatch(file.name)]
        crates[f"{name} {package['version']}"] = [file.read_text() for file in files]
    return crates


def standard_library() -> dict[str, list[str]]:
    """The same of what the standard library is made of."""
    page = Path(run("rustc", "--print", "sysroot").strip(), "share/doc/rust/COPYRIGHT-library.html").read_text()
    own, *others = re.split(r"<h3>\W*(\S+)</h3>", page)
    text = html.unescape(re.sub("<[^>]*>", "", own.split("</head>")[1]))
    crates = {"Rust's standard library": [re.sub(r"\n\s*\n+", "\n\n", text)]}
    for name, part in zip(others[::2], others[1::2]):
        texts = re.findall("<pre>(.*?)</pre>", part, re.DOTALL)
        # two crates for other systems come without a file, and their licence in a word
        texts = texts or [" ".join(html.unescape(re.sub("<[^>]*>", "", part)).split())]
        crates[f"{name} (in the standard library)"] = [html.unescape(text) for text in texts]
    return crates


manifest, *target = sys.argv[1:]
target = target or re.findall("^host: (.*)$", run("rustc", "-vV"), re.MULTILINE)
holders = defaultdict(list)
spelled = {}
for crate, texts in (linked(manifest, target[0]) | standard_library()).items():
    if not any(text.strip() for text in texts):
        sys.exit(f"{crate}: no licence text")
    for text in texts:
        key = " ".join(text.split())
        spelled.setdefault(key, text.strip("\n"))
        holders[key].append(crate)
print("Licences of the crates that are linked into this program or library.")
for key, crates in holders.items():
    print("\n" + "=" * 80, *dict.fromkeys(crates), sep="\n")
    print("-" * 80, spelled[key], sep="\n")
