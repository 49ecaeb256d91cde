"""Renames what a crate exports again from another crate of this workspace: from the path where it is
defined, which cargo public-api prints, to the path by which users of the crate know it. Rustdoc and the
compiler's messages print the latter. Prints a line once: cargo public-api repeats what has two paths, an `impl` of
two types, and the head of each block of methods.

usage: api-names.py RUSTDOC.JSON < LIST
"""

import json
import re
import sys

with open(sys.argv[1]) as file:
    crate = json.load(file)
index = crate["index"]


def exports(module, path):
    """The crate, the modules and the name of what each `pub use` names, and its public path."""
    for item in index[str(module)]["inner"]["module"]["items"]:
        item = index.get(str(item))
        if item is None:
            continue
        if "module" in item["inner"]:
            yield from exports(item["id"], [*path, item["name"]])
        elif (use := item["inner"].get("use")) and not use["is_glob"]:
            yield use["source"].split("::"), "::".join([*path, use["name"]])


root = index[str(crate["root"])]
public = list(exports(crate["root"], [root["name"]]))


def rename(match):
    """The public name of a defining path, for an export with its crate, its name and the beginning of
    its modules, or of a module above it."""
    path = match[0].split("::")
    for source, name in public:
        if path[: len(source)] == source:
            return "::".join([name, *path[len(source) :]])
        if source[0] == path[0] and source[-1] == path[-1] and source[:-1] == path[: len(source) - 1]:
            return name
    return match[0]


printed = set()
for line in sys.stdin:
    if not line.startswith("pub use "):
        line = re.sub(r"jlanes_\w+(?:::\w+)+", rename, line)
    if line not in printed:
        printed.add(line)
        print(line, end="")
