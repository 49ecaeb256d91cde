// The entry with the module in a file: how it is loaded.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as jlanes from "jlanes";

import { hex } from "./modules.js";

const file = (name) => new URL(import.meta.resolve(`jlanes/${name}.wasm`));
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
let copies = 0;
/** The entry, as a program finds it. */
const fresh = () => import(`../lib/init.js?${copies++}`);

function works(api, backend) {
    assert.equal(api.backend, backend);
    assert.equal(hex(api.digest("sha256", new Uint8Array())), EMPTY);
    assert.deepEqual(api.algorithms, jlanes.algorithms);
}

test("both entries have the same names", async () => {
    assert.deepEqual(Object.keys(await import("jlanes/init")), Object.keys(jlanes));
});

test("the single file is loaded", async () => {
    jlanes.initSync(readFileSync(file("portable")));
    await jlanes.init("nowhere");
    works(jlanes, "simd128");
});

test("before it is loaded", async () => {
    const api = await fresh();
    const message = /^jlanes is not loaded: await init\(\)/;
    assert.throws(() => api.digest("sha256", new Uint8Array()), { name: "Error", message });
    assert.throws(() => api.digestMany("sha256", []), { message });
    assert.throws(() => api.createHasher("sha256"), { message });
});

test("init finds the file for the engine, once", async () => {
    const api = await fresh();
    await Promise.all([api.init(), api.init()]);
    works(api, "simd128");
    await api.init("nowhere");
    api.initSync(readFileSync(file("portable")));
    works(api, "simd128");
});

test("a module that is given", async () => {
    const bytes = readFileSync(file("portable"));
    const headers = { "Content-Type": "application/wasm" };
    const sources = [
        () => bytes, () => new WebAssembly.Module(bytes), () => WebAssembly.compile(bytes),
        () => file("portable"), () => `${file("portable")}`,
        () => new Response(bytes, { headers }), async () => new Response(bytes),
    ];
    for (const source of sources) {
        const api = await fresh();
        await api.init(source());
        works(api, "portable");
    }
    for (const source of [bytes, new Uint8Array(bytes).buffer, new WebAssembly.Module(bytes)]) {
        const api = await fresh();
        api.initSync(source);
        works(api, "portable");
    }
});

test("what is no module, and another attempt", async () => {
    const api = await fresh();
    await assert.rejects(api.init(new Response("", { status: 404 })), /404/);
    await assert.rejects(api.init(new Response("<!doctype html>")), WebAssembly.CompileError);
    assert.throws(() => api.initSync(new Uint8Array(8)), WebAssembly.CompileError);
    assert.throws(() => api.initSync("simd128.wasm"), TypeError);
    await api.init();
    works(api, "simd128");
});
