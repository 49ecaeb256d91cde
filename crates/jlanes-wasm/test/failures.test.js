// What is left when a call of the module does not return: its stack, its memory, and the hasher.
import assert from "node:assert/strict";
import { test } from "node:test";

import { createApi } from "../lib/jlanes.js";
import { hex, modules } from "./modules.js";

const MESSAGE = new Uint8Array(10);
const EXPECTED = "01d448afd928065458cf670b60f5a594d735af0172c8d67f22a81680132681ca";

function works(api) {
    assert.equal(hex(api.digest("sha256", MESSAGE)), EXPECTED);
    assert.deepEqual(api.digestMany("sha256", [MESSAGE, MESSAGE]).map(hex), [EXPECTED, EXPECTED]);
    assert.equal(hex(api.createHasher("sha256").update(MESSAGE).digest()), EXPECTED);
}

for (const { name, module } of modules) {
    test(`${name}: a stack that traps have left full`, () => {
        const { exports } = new WebAssembly.Instance(module);
        // an overflow of the engine's stack loses as much, at a place that nobody knows
        const trap = () => exports.hash_size(exports.hash_count());
        const ends = { digest: trap, hasher_free: trap };
        const digest = (...args) => ends.digest(...args);
        const hasher_free = (...args) => ends.hasher_free(...args);
        const api = createApi({ exports: { ...exports, digest, hasher_free } });
        for (const call of [(hasher) => hasher.free(), () => api.digest("sha256", MESSAGE)]) {
            for (let i = 0; i < 30_000; i++) {
                const hasher = api.createHasher("sha256");
                assert.throws(() => call(hasher), WebAssembly.RuntimeError);
            }
        }
        Object.assign(ends, exports);
        works(api);
    });

    test(`${name}: no more of the engine's stack`, () => {
        const api = createApi(new WebAssembly.Instance(module));
        const errors = [];
        const dive = () => {
            try {
                dive();
            } catch {
                try {
                    api.digest("sha256", MESSAGE);
                } catch (error) {
                    errors.push(error);
                    throw error;
                }
            }
        };
        for (let i = 0; i < 200; i++) {
            dive();
        }
        assert.notEqual(errors.length, 0);
        assert.deepEqual(errors.filter((error) => !(error instanceof RangeError)), []);
        works(api);
    });

    test(`${name}: a hasher that has hashed a part`, () => {
        const { exports } = new WebAssembly.Instance(module);
        let calls = 0;
        const hasher_update = (...args) => {
            exports.hasher_update(...args);
            if (++calls === 2) {
                throw new RangeError("no stack");
            }
        };
        const api = createApi({ exports: { ...exports, hasher_update } });
        const hasher = api.createHasher("sha256");
        assert.throws(() => hasher.update(new Uint8Array(1 << 20)), RangeError);
        assert.throws(() => hasher.digest(), { name: "Error", message: "the hasher has failed" });
        assert.throws(() => hasher.update(MESSAGE), { message: "the hasher has failed" });
        hasher.free();
        works(api);
    });

    test(`${name}: addresses beyond 2 GiB`, () => {
        const instance = new WebAssembly.Instance(module);
        while (instance.exports.memory.buffer.byteLength <= 2 ** 31) {
            assert.notEqual(instance.exports.allocate(1 << 24), 0);
        }
        works(createApi(instance));
    });
}
