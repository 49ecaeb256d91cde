// jlanes compared with hash-wasm, noble-hashes and node:crypto, in one process: `node benches/peers.js`.
// Each figure is the best of many short runs that take turns, because other programs only make a run slower.
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { argv, version, versions } from "node:process";

import { blake3 } from "@noble/hashes/blake3.js";
import { md5, sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import * as hashWasm from "hash-wasm";
import * as jlanes from "jlanes";

const noble = { sha256, blake3, sha1, md5 };
const wasm = {
    sha256: await hashWasm.createSHA256(),
    blake3: await hashWasm.createBLAKE3(),
    sha1: await hashWasm.createSHA1(),
    md5: await hashWasm.createMD5(),
};
const SHAPES = [[1, 64], [1, 1000], [1, 65536], [1024, 64], [1000, 1000], [16, 65536]];
const ROUNDS = 60;
/** Bytes that a run hashes at least, a message counting as 64. */
const RUN = 1 << 17;

function contestants(algorithm) {
    const each = (one) => (messages) => messages.map(one);
    const found = {
        digestMany: (messages) => jlanes.digestMany(algorithm, messages),
        digest: each((message) => jlanes.digest(algorithm, message)),
        "hash-wasm": each((message) => wasm[algorithm].init().update(message).digest("binary")),
        noble: each((message) => noble[algorithm](message)),
    };
    if (crypto.getHashes().includes(algorithm)) {
        found["node:crypto"] = each((message) => crypto.hash(algorithm, message, "buffer"));
    }
    return found;
}

console.log(`Node ${version}, V8 ${versions.v8}, OpenSSL ${versions.openssl}; MB/s`);
for (const algorithm of argv.length > 2 ? argv.slice(2) : jlanes.algorithms) {
    const all = Object.entries(contestants(algorithm));
    console.log(`${algorithm.padEnd(14)}${all.map(([name]) => name.padStart(12)).join("")}`);
    for (const [count, length] of SHAPES) {
        const messages = Array.from({ length: count }, (_, i) => {
            return Uint8Array.from({ length }, (_, j) => i * 31 + j * 7);
        });
        const expected = all[0][1](messages).map((digest) => Buffer.from(digest));
        const repeats = Math.ceil(RUN / (count * length));
        const best = all.map(() => Infinity);
        for (let round = 0; round < ROUNDS; round++) {
            all.forEach(([name, run], i) => {
                const begun = performance.now();
                let digests;
                for (let j = 0; j < repeats; j++) {
                    digests = run(messages);
                }
                best[i] = Math.min(best[i], performance.now() - begun);
                if (round === 0) {
                    assert.deepEqual(digests.map((digest) => Buffer.from(digest)), expected, name);
                }
            });
        }
        const figures = best.map((ms) => ((count * length * repeats) / ms / 1000).toFixed(0).padStart(12));
        console.log(`${`  ${count} x ${length} B`.padEnd(14)}${figures.join("")}`);
    }
}
