// The package in browsers and workers.
import { createApi, moduleName } from "./jlanes.js";

// literal addresses, so that bundlers find the files
const source = moduleName() === "simd128.wasm"
    ? new URL("simd128.wasm", import.meta.url)
    : new URL("portable.wasm", import.meta.url);

async function instantiate() {
    const response = await fetch(source);
    if (!response.ok) {
        throw new Error(`${source}: ${response.status} ${response.statusText}`);
    }
    // servers that do not know the type
    const streams = response.headers.get("Content-Type") === "application/wasm";
    const { instance } = streams
        ? await WebAssembly.instantiateStreaming(response)
        : await WebAssembly.instantiate(await response.arrayBuffer());
    return instance;
}

export const { algorithms, backend, digest, digestMany, createHasher } =
    createApi(await instantiate());
