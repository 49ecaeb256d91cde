// The package in a single file, for every engine and bundler: the module is in the code, and is compiled
// when this is imported.
import { createApi } from "./jlanes.js";
import { base64 } from "./simd128.js";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The bytes of base64 without padding. Node's `atob` takes 50 ms. */
function decode(text) {
    const values = new Uint8Array(128);
    [...ALPHABET].forEach((character, value) => {
        values[character.charCodeAt(0)] = value;
    });
    const bytes = new Uint8Array((text.length * 3) >> 2);
    let bits = 0;
    for (let i = 0, at = 0; i < text.length; i++) {
        bits = (bits << 6) | values[text.charCodeAt(i)];
        if (i % 4 > 0) {
            bytes[at++] = bits >> (6 - 2 * (i % 4));
        }
    }
    return bytes;
}

export const { algorithms, backend, createHasher, digest, digestMany, init, initSync } =
    createApi(new WebAssembly.Instance(new WebAssembly.Module(decode(base64))));
