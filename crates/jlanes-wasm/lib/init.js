// The package with its module in a file of its own, which is loaded by `init` or given to `initSync`.
import { createApi } from "./jlanes.js";

/** A module of one function with an instruction of simd128: engines without it refuse it. */
const PROBE = Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, // magic number, version
    1, 5, 1, 96, 0, 1, 123, // a type: no parameters, a v128
    3, 2, 1, 0, // a function of that type
    10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11, // i32.const 0, i8x16.splat, i8x16.popcnt
);

let api;
let loading;
export let algorithms;
export let backend;

export function initSync(source) {
    if (api === undefined) {
        const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
        api = createApi(new WebAssembly.Instance(module));
        ({ algorithms, backend } = api);
    }
}

export async function init(source) {
    if (api === undefined) {
        loading ??= compile(source).finally(() => {
            loading = undefined;
        });
        initSync(await loading);
    }
}

/** Where bundlers put the file for this engine, which they find by these literal addresses. */
function address() {
    return WebAssembly.validate(PROBE)
        ? new URL("simd128.wasm", import.meta.url)
        : new URL("portable.wasm", import.meta.url);
}

async function compile(given) {
    let source = (await given) ?? address();
    if (typeof source === "string" || source instanceof URL) {
        source = readFile(source) ?? (await fetch(source));
    }
    if (typeof Response === "undefined" || !(source instanceof Response)) {
        return source instanceof WebAssembly.Module ? source : WebAssembly.compile(source);
    }
    if (!source.ok) {
        throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
    }
    // servers that do not know the type
    const streams = source.headers.get("Content-Type") === "application/wasm";
    return streams ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
}

/** A local file: Node's `fetch` reads none. Bundlers for browsers would refuse an import of Node's. */
function readFile(source) {
    const fs = globalThis.process?.getBuiltinModule?.("node:fs");
    return `${source}`.startsWith("file:") ? fs?.readFileSync(new URL(source)) : undefined;
}

function loaded() {
    if (api === undefined) {
        throw new Error("jlanes is not loaded: await init(), or call initSync(module), first");
    }
    return api;
}

export const digest = (algorithm, data) => loaded().digest(algorithm, data);
export const digestMany = (algorithm, messages) => loaded().digestMany(algorithm, messages);
export const createHasher = (algorithm) => loaded().createHasher(algorithm);
