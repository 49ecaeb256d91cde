// Both modules, whatever the engine would choose.
import { readFileSync } from "node:fs";

import { createApi } from "../lib/jlanes.js";

function load(name) {
    const file = new URL(`../lib/${name}.wasm`, import.meta.url);
    const module = new WebAssembly.Module(readFileSync(file));
    const instance = new WebAssembly.Instance(module);
    return { name, module, memory: instance.exports.memory, api: createApi(instance) };
}

export const modules = ["simd128", "portable"].map(load);

/** Bytes that look random, the same for a seed each time. */
export function bytes(length, seed = 1) {
    const out = new Uint8Array(length);
    let state = (seed * 0x9e3779b1) >>> 0 || 1;
    for (let i = 0; i < length; i++) {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        out[i] = state;
    }
    return out;
}

export const hex = (digest) => Buffer.from(digest).toString("hex");
