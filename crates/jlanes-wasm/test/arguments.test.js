// Arguments that functions accept, and the errors for others.
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

const TEN_ZEROS = "01d448afd928065458cf670b60f5a594d735af0172c8d67f22a81680132681ca";

/** Calls `check` with each function that returns a SHA-256. */
function everyEntry(api, check) {
    check((data) => hex(api.digest("sha256", data)));
    check((data) => hex(api.digestMany("sha256", [data])[0]));
    check((data) => {
        const hasher = api.createHasher("sha256");
        try {
            hasher.update(data);
        } catch (error) {
            // what is refused leaves it as it was
            assert.equal(hex(hasher.digest()), EMPTY);
            throw error;
        }
        return hex(hasher.digest());
    });
}

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

    test(`${name}: properties that hide the length of bytes`, () => {
        class Lying extends Uint8Array {
            constructor() {
                super(10);
            }
            get length() { return 1 << 20; }
            get byteLength() { return 1 << 20; }
            get byteOffset() { return 9; }
            get buffer() { return new ArrayBuffer(1 << 20); }
            get [Symbol.toStringTag]() { return "Uint16Array"; }
            static get [Symbol.species]() { return Uint16Array; }
            subarray() { return new Uint8Array(1 << 20); }
        }
        const own = new Uint8Array(10);
        for (const key of ["length", "byteLength", "byteOffset", "subarray", "constructor", Symbol.toStringTag]) {
            Object.defineProperty(own, key, { value: 1 << 20 });
        }
        const proxied = Object.setPrototypeOf(new Uint8Array(10), null);
        for (const data of [new Lying(), own, proxied]) {
            everyEntry(api, (digestOf) => assert.equal(digestOf(data), TEN_ZEROS));
        }
    });

    test(`${name}: objects that say that they are bytes`, () => {
        const tagged = { [Symbol.toStringTag]: "Uint8Array" };
        const inherits = Object.create(new Uint8Array(3));
        const proxy = new Proxy(new Uint8Array(3), {});
        const prototype = Object.setPrototypeOf({ length: 3 }, Uint8Array.prototype);
        const array = Object.setPrototypeOf([1, 2], Uint8Array.prototype);
        for (const value of [tagged, inherits, proxy, prototype, array, { ...tagged, length: 2 ** 40 }]) {
            everyEntry(api, (digestOf) => throws(() => digestOf(value), / is (Object|Array), not a Uint8Array$/));
        }
    });

    test(`${name}: bytes of every kind of buffer`, () => {
        const resizable = new ArrayBuffer(4, { maxByteLength: 100 });
        const tracking = new Uint8Array(resizable);
        const inside = new DataView(new ArrayBuffer(30), 7, 10);
        resizable.resize(10);
        const growable = new SharedArrayBuffer(4, { maxByteLength: 100 });
        const shared = new Uint8Array(growable);
        growable.grow(10);
        for (const data of [tracking, shared, inside, new DataView(growable)]) {
            everyEntry(api, (digestOf) => assert.equal(digestOf(data), TEN_ZEROS));
        }
    });

    test(`${name}: bytes that are gone`, () => {
        const message = /^(data|messages\[0\]) is detached, or out of its buffer's bounds$/;
        const gone = (make, remove) => {
            const buffer = new ArrayBuffer(10, { maxByteLength: 20 });
            const data = make(buffer);
            remove(buffer);
            everyEntry(api, (digestOf) => throws(() => digestOf(data), message));
        };
        const detach = (buffer) => structuredClone(buffer, { transfer: [buffer] });
        gone((buffer) => new Uint8Array(buffer), detach);
        gone((buffer) => new Uint8Array(buffer, 0, 0), detach);
        gone((buffer) => new DataView(buffer), detach);
        gone((buffer) => new Uint8Array(buffer, 4, 3), (buffer) => buffer.resize(5));
        gone((buffer) => new Uint8Array(buffer, 4), (buffer) => buffer.resize(3));
        gone((buffer) => new DataView(buffer, 4, 3), (buffer) => buffer.resize(5));
    });

    test(`${name}: arrays that run the caller's code`, () => {
        class Messages extends Array {
            static get [Symbol.species]() { throw new Error("an array of their class"); }
        }
        const empty = new Uint8Array();
        assert.deepEqual(api.digestMany("sha256", Messages.of(empty, empty)).map(hex), [EMPTY, EMPTY]);

        const buffer = new ArrayBuffer(10, { maxByteLength: 20 });
        const changing = [new Uint8Array(buffer), empty];
        Object.defineProperty(changing, 1, { get: () => (buffer.resize(20), empty) });
        assert.equal(hex(api.digestMany("sha256", changing)[0]), TEN_ZEROS);

        const vanishing = [new Uint8Array(buffer), empty];
        Object.defineProperty(vanishing, 1, { get: () => (structuredClone(0, { transfer: [buffer] }), empty) });
        assert.throws(() => api.digestMany("sha256", vanishing), TypeError);

        const endless = new Proxy([], { get: (target, key) => (key === "length" ? Infinity : target[key]) });
        throws(() => api.digestMany("sha256", endless), "messages[0] is undefined, not a Uint8Array");
        assert.equal(hex(api.digest("sha256", new Uint8Array(10))), TEN_ZEROS);
    });

    test(`${name}: a hasher returns one digest`, () => {
        const hasher = api.createHasher("sha256");
        assert.equal(hex(hasher.digest()), EMPTY);
        const finished = { name: "Error", message: "the hasher has returned its digest" };
        assert.throws(() => hasher.digest(), finished);
        assert.throws(() => hasher.update(new Uint8Array()), finished);
    });

    test(`${name}: a hasher can be freed`, () => {
        const freed = { name: "Error", message: "the hasher has been freed" };
        for (const free of ["free", ...(Symbol.dispose ? [Symbol.dispose] : [])]) {
            const hasher = api.createHasher("blake3").update(new Uint8Array(5000));
            hasher[free]();
            hasher[free]();
            assert.throws(() => hasher.digest(), freed);
            assert.throws(() => hasher.update(new Uint8Array()), freed);
        }
        const finished = api.createHasher("sha256");
        finished.digest();
        finished.free();
        assert.throws(() => finished.digest(), { message: "the hasher has returned its digest" });
    });
}
