// Lists of checksums, as sha256sum and others write them.

/** The hash functions with digests of a number of hexadecimal digits. */
const BY_DIGITS = { 32: ["md5"], 40: ["sha1"], 64: ["sha256", "blake3"] };
const TAGS = { "MD5": "md5", "SHA1": "sha1", "SHA256": "sha256", "SHA2-256": "sha256", "BLAKE3": "blake3" };
const ESCAPES = { "\\\\": "\\", "\\n": "\n", "\\r": "\r" };

/**
 * The entries `{ algorithms, digest, name }` of a list, and the number of lines that are none. A digest
 * alone has no name.
 */
export function parseList(text) {
    const entries = [];
    let rest = 0;
    for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
        if (/^\s*([#;].*)?$/.test(line)) {
            continue;
        }
        const entry = parseLine(line);
        if (entry === undefined) {
            rest++;
        } else {
            entries.push(entry);
        }
    }
    return { entries, rest };
}

function parseLine(line) {
    const escaped = line.startsWith("\\");
    const text = escaped ? line.slice(1) : line;
    const unescaped = (name) => (escaped ? name.replace(/\\[\\nr]/g, (found) => ESCAPES[found]) : name);
    const tagged = /^([A-Z0-9-]+) ?\((.*)\) ?= ?([0-9a-f]+)\s*$/i.exec(text);
    if (tagged) {
        const algorithm = TAGS[tagged[1].toUpperCase()];
        const digest = tagged[3].toLowerCase();
        const fits = BY_DIGITS[digest.length]?.includes(algorithm);
        return fits ? { algorithms: [algorithm], digest, name: unescaped(tagged[2]) } : undefined;
    }
    const plain = /^([0-9a-f]+)(?: [ *](.+)|\s+(\S.*)|\s*)$/i.exec(text);
    const algorithms = BY_DIGITS[plain?.[1].length];
    if (algorithms === undefined) {
        return undefined;
    }
    const name = plain[2] ?? plain[3];
    return { algorithms, digest: plain[1].toLowerCase(), name: name && unescaped(name) };
}

/** A line of `sha256sum`, with its escapes. */
export function formatLine(digest, name) {
    const escaped = name.replace(/[\\\n\r]/g, (found) => ({ "\\": "\\\\", "\n": "\\n", "\r": "\\r" })[found]);
    return `${escaped === name ? "" : "\\"}${digest}  ${escaped}\n`;
}

const normal = (name) => name.replace(/^(\.\/)+/, "");
/** A path, and what is left of it behind each slash. */
const suffixes = (path) => [path, ...Array.from(path.matchAll(/\//g), ({ index }) => path.slice(index + 1))];

/**
 * Compares digests with a list. `files` have a `path`, and a `digest` when they are hashed, or an `error`.
 * Returns the verdict of each file, undefined until it is hashed, and the entries of other files.
 */
export function compare(files, entries) {
    const byPath = new Map();
    const bySuffix = new Map();
    const add = (map, key, entry) => map.get(key)?.push(entry) ?? map.set(key, [entry]);
    const alone = new Map();
    for (const entry of entries) {
        if (entry.name === undefined) {
            alone.set(entry.digest, entry);
            continue;
        }
        // a folder that is dropped has a name that the list may lack, and the reverse
        const path = normal(entry.name);
        add(byPath, path, entry);
        suffixes(path).forEach((suffix) => add(bySuffix, suffix, entry));
    }
    const elsewhere = (path) => {
        const ends = suffixes(path).flatMap((suffix) => byPath.get(suffix) ?? []).concat(bySuffix.get(path) ?? []);
        const named = bySuffix.get(suffixes(path).at(-1)) ?? [];
        const isOnePlace = named.every(({ name }) => normal(name) === normal(named[0].name));
        return ends.length > 0 ? ends : isOnePlace ? named : [];
    };
    const met = new Set();
    const verdicts = files.map(({ path, digest, error }) => {
        const own = byPath.get(path) ?? elsewhere(path);
        const equal = own.filter((entry) => entry.digest === digest);
        // of several places in the list, the file is at that of its digest
        const there = equal.length > 0 ? equal.flatMap(({ name }) => byPath.get(normal(name))) : own;
        there.forEach((entry) => met.add(entry));
        if (digest === undefined && error === undefined) {
            return undefined;
        }
        if (own.length > 0) {
            // a place may have several digests, and each of them counts
            return there.every((entry) => entry.digest === digest) ? "OK" : "FAILED";
        }
        met.add(alone.get(digest));
        return alone.has(digest) ? "OK" : "not in the list";
    });
    return { verdicts, missing: entries.filter((entry) => !met.has(entry)) };
}
