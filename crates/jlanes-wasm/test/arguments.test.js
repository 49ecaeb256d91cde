// What may be passed, and what the errors say.
import assert from "node:assert/strict";
import { test } from "node:test";
import vm from "node:vm";

import * as jlanes from "jlanes";

import { hex, modules } from "./modules.js";

const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

test("the package has the API of the module for this engine", () => {
    assert.equal(jlanes.backend, "simd128");
    assert.deepEqual(Object.keys(jlanes).sort(), Object.keys(modules[0].api).sort());
    assert.equal(hex(jlanes.digest("sha256", new Uint8Array())), EMPTY);
});

for (const { name, api } of modules) {
    const throws = (work, message) => assert.throws(work, { name: "TypeError", message });

    test(`${name}: no messages`, () => {
        assert.deepEqual(api.digestMany("sha256", []), []);
    });

    test(`${name}: views, buffers, and arrays of another realm`, () => {
        const realm = vm.runInNewContext("new Uint8Array(0)");
        const view = new Uint8Array(new ArrayBuffer(10), 4, 0);
        const shared = new Uint8Array(new SharedArrayBuffer(0));
        for (const data of [realm, view, shared, Buffer.alloc(0)]) {
            assert.equal(hex(api.digest("sha256", data)), EMPTY);
            assert.equal(hex(api.digestMany("sha256", [data])[0]), EMPTY);
        }
    });

    test(`${name}: digests are the caller's own`, () => {
        const [first, second] = api.digestMany("sha256", [Buffer.from("a"), Buffer.alloc(0)]);
        first.fill(0);
        assert.equal(hex(second), EMPTY);
        api.digest("sha256", Buffer.from("b"));
        assert.equal(hex(second), EMPTY);
    });

    test(`${name}: algorithms that there are not`, () => {
        throws(() => api.digest("sha257", new Uint8Array()), /^algorithm is "sha257", not one of sha256, /);
        throws(() => api.digest(7, new Uint8Array()), /^algorithm is number, /);
        throws(() => api.digestMany("toString", []), /^algorithm is "toString", /);
        throws(() => api.createHasher(), /^algorithm is undefined, /);
    });

    test(`${name}: what is no bytes`, () => {
        throws(() => api.digest("sha256", "abc"), "data is string, not a Uint8Array");
        throws(() => api.digest("sha256", null), "data is null, not a Uint8Array");
        throws(() => api.digest("sha256", new ArrayBuffer(3)), "data is ArrayBuffer, not a Uint8Array");
        throws(() => api.digest("sha256", new Uint16Array(3)), "data is Uint16Array, not a Uint8Array");
        throws(() => api.digest("sha256", [1, 2]), "data is Array, not a Uint8Array");
        throws(() => api.createHasher("sha256").update("abc"), "data is string, not a Uint8Array");
        throws(() => api.digestMany("sha256", new Uint8Array(3)), "messages is Uint8Array, not an array");
        throws(() => api.digestMany("sha256"), "messages is undefined, not an array");
        throws(
            () => api.digestMany("sha256", [new Uint8Array(), "abc"]),
            "messages[1] is string, not a Uint8Array",
        );
        throws(() => api.digestMany("sha256", new Array(1)), "messages[0] is undefined, not a Uint8Array");
    });

    test(`${name}: a hasher returns one digest`, () => {
        const hasher = api.createHasher("sha256");
        assert.equal(hex(hasher.digest()), EMPTY);
        const finished = { name: "Error", message: "the hasher has returned its digest" };
        assert.throws(() => hasher.digest(), finished);
        assert.throws(() => hasher.update(new Uint8Array()), finished);
    });
}
