// Digests compared with Node's crypto (OpenSSL) and with hash-wasm.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";

import * as hashWasm from "hash-wasm";

import { bytes, hex, modules } from "./modules.js";

// Node does not have BLAKE3
const blake3 = await hashWasm.createBLAKE3();

function expected(algorithm, data) {
    if (algorithm === "blake3") {
        return blake3.init().update(data).digest("hex");
    }
    return createHash(algorithm).update(data).digest("hex");
}

const ABC = {
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    blake3: "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
    sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
    md5: "900150983cd24fb0d6963f7d28e17f72",
};

for (const { name, api, memory } of modules) {
    test(`${name}: the module is the one that it says`, () => {
        assert.equal(api.backend, name);
    });

    test(`${name}: known answers`, () => {
        for (const [algorithm, digest] of Object.entries(ABC)) {
            assert.equal(hex(api.digest(algorithm, Buffer.from("abc"))), digest, algorithm);
        }
    });

    for (const algorithm of api.algorithms) {
        test(`${name}: ${algorithm} of every length`, () => {
            const messages = Array.from({ length: 600 }, (_, i) => bytes(i, i + 1));
            messages.push(bytes(4096), bytes(100_000));
            const digests = api.digestMany(algorithm, messages);
            assert.equal(digests.length, messages.length);
            messages.forEach((message, i) => {
                const digest = expected(algorithm, message);
                assert.equal(hex(digests[i]), digest, `${message.length} bytes among others`);
                assert.equal(hex(api.digest(algorithm, message)), digest, `${message.length} bytes`);
            });
        });

        test(`${name}: ${algorithm} in pieces`, () => {
            const message = bytes(700_000, 7);
            const digest = expected(algorithm, message);
            for (const piece of [1, 63, 64, 1000, 300_000, message.length]) {
                const hasher = api.createHasher(algorithm);
                const end = piece === 1 ? 5000 : message.length;
                for (let at = 0; at < end; at += piece) {
                    assert.equal(hasher.update(message.subarray(at, Math.min(end, at + piece))), hasher);
                }
                hasher.update(message.subarray(end));
                assert.equal(hex(hasher.digest()), digest, `pieces of ${piece} bytes`);
            }
            assert.equal(hex(api.createHasher(algorithm).digest()), expected(algorithm, bytes(0)));
        });
    }

    test(`${name}: messages that need several calls of the module`, () => {
        const MIB = 1 << 20;
        const lengths = [3 * MIB, 9 * MIB, 5 * MIB, 8 * MIB, 0, 1, 8 * MIB + 1, 2 * MIB];
        const messages = lengths.map((length, i) => bytes(length, i + 1));
        for (const algorithm of ["sha256", "blake3"]) {
            const digests = api.digestMany(algorithm, messages);
            messages.forEach((message, i) => {
                assert.equal(hex(digests[i]), expected(algorithm, message), `${message.length} bytes`);
            });
            assert.equal(hex(api.digest(algorithm, messages[1])), expected(algorithm, messages[1]));
        }
    });

    test(`${name}: hashers do not disturb each other`, () => {
        const hashers = api.algorithms.map((algorithm) => api.createHasher(algorithm));
        const message = bytes(1000, 3);
        for (let at = 0; at < message.length; at += 100) {
            hashers.forEach((hasher) => hasher.update(message.subarray(at, at + 100)));
        }
        hashers.forEach((hasher, i) => {
            assert.equal(hex(hasher.digest()), expected(api.algorithms[i], message));
        });
    });

    test(`${name}: memory is freed`, () => {
        const messages = Array.from({ length: 1000 }, (_, i) => bytes(i));
        const work = () => {
            api.digestMany("sha256", messages);
            api.digest("blake3", messages[999]);
            api.createHasher("sha1").update(messages[500]).digest();
        };
        for (let i = 0; i < 10; i++) {
            work();
        }
        const before = memory.buffer.byteLength;
        for (let i = 0; i < 500; i++) {
            work();
        }
        assert.equal(memory.buffer.byteLength, before);
    });
}
