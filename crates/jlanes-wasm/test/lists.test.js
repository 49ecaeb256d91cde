// The lists of the page for files.
import assert from "node:assert/strict";
import { test } from "node:test";

import { compare, formatLine, parseList } from "../page/lists.js";

const digest = (fill, digits = 64) => `${fill}`.repeat(digits);
const names = (text) => parseList(text).entries.map(({ name }) => name);

test("lines of every format", () => {
    const cases = [
        [`${digest("a")}  name`, ["sha256", "blake3"], "name"],
        [`${digest("A")} *a name `, ["sha256", "blake3"], "a name "],
        [`${digest("b", 40)}\tname`, ["sha1"], "name"],
        [`${digest("b", 32)}   three spaces`, ["md5"], " three spaces"],
        [`\\${digest("c")}  a\\\\b\\nc\\rd`, ["sha256", "blake3"], "a\\b\nc\rd"],
        [`SHA256 (a (b) = c) = ${digest("d")}`, ["sha256"], "a (b) = c"],
        [`SHA2-256(name)= ${digest("d")}`, ["sha256"], "name"],
        [`BLAKE3 (name) = ${digest("e")}`, ["blake3"], "name"],
        [`\\MD5 (a\\nb) = ${digest("e", 32)}`, ["md5"], "a\nb"],
        [` ${digest("f")}`, undefined],
        [digest("f", 40), ["sha1"], undefined],
        [`${digest("f", 40)}\r`, ["sha1"], undefined],
        [`SHA256 (name) = ${digest("a", 40)}`, undefined],
        [`SHA512 (name) = ${digest("a", 128)}`, undefined],
        [`${digest("a", 63)}  name`, undefined],
        ["a word", undefined],
    ];
    for (const [line, algorithms, name] of cases) {
        const { entries, rest } = parseList(`${line}\n`);
        assert.equal(rest, algorithms === undefined ? 1 : 0, line);
        assert.deepEqual(entries.map((entry) => [entry.algorithms, entry.name]),
            algorithms === undefined ? [] : [[algorithms, name]], line);
    }
});

test("comments, empty lines, CRLF and a mark of byte order", () => {
    assert.deepEqual(names(`\ufeff# one\r\n\r\n; two\r\n${digest("a")}  x\r\n${digest("b")} *y`), ["x", "y"]);
    assert.deepEqual(parseList(""), { entries: [], rest: 0 });
});

test("a line that is written is read back", () => {
    for (const name of ["a", "a b ", " a", "*a", "a\\b", "a\nb\rc", "\\", "ü/ö"]) {
        assert.deepEqual(names(formatLine(digest("a"), name)), [name]);
    }
});

test("names are paths, ends of paths, or last names", () => {
    const { entries } = parseList(["./a", "d/b", "top/d/c", "p/same", "q/same", "absent"].map((name, i) => {
        return formatLine(digest(i), name);
    }).join(""));
    const files = [
        { path: "a", digest: digest(0) },
        { path: "folder/d/b", digest: digest(1) },
        { path: "d/c", digest: digest(2) },
        { path: "folder/p/same", digest: digest(3) },
        { path: "p/same", digest: digest(4) },
        { path: "same", digest: digest(9) },
        { path: "other", digest: digest(5) },
        { path: "q/same" },
        { path: "deep/d/b", error: "NotReadableError" },
        { path: "unknown", error: "NotReadableError" },
    ];
    const { missing, verdicts } = compare(files, entries);
    assert.deepEqual(verdicts, ["OK", "OK", "OK", "OK", "FAILED", "FAILED", "not in the list", undefined,
        "FAILED", "not in the list"]);
    assert.deepEqual(missing.map(({ name }) => name), ["absent"]);
});

test("a file at one of several places of a list", () => {
    const entries = parseList(formatLine(digest(1), "p/d/a") + formatLine(digest(2), "q/d/a")).entries;
    const { missing, verdicts } = compare([{ path: "d/a", digest: digest(2) }], entries);
    assert.deepEqual(verdicts, ["OK"]);
    assert.deepEqual(missing.map(({ name }) => name), ["p/d/a"]);
});

test("two digests of one file", () => {
    const entries = parseList(formatLine(digest(1), "a") + formatLine(digest(2), "./a")).entries;
    assert.deepEqual(compare([{ path: "a", digest: digest(1) }], entries), { verdicts: ["FAILED"], missing: [] });
});

test("a digest alone", () => {
    const { entries } = parseList(digest("a"));
    const files = [{ path: "x", digest: digest("a") }, { path: "y", digest: digest("b") }];
    assert.deepEqual(compare(files, entries), { verdicts: ["OK", "not in the list"], missing: [] });
    assert.deepEqual(compare(files.slice(1), entries).missing, entries);
    // is not that of a file with another in the list
    const named = [...entries, ...parseList(formatLine(digest("b"), "x")).entries];
    assert.deepEqual(compare(files.slice(0, 1), named), { verdicts: ["FAILED"], missing: entries });
});
