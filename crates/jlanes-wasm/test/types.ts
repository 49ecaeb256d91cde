// Compiled, not run: what the types allow and what they refuse.
import { type Algorithm, algorithms, backend, createHasher, digest, digestMany, type Hasher, init, initSync } from "jlanes";
import * as external from "jlanes/init";

const names: readonly Algorithm[] = algorithms;
const one: Uint8Array = digest("sha256", new Uint8Array(3));
const many: Uint8Array[] = digestMany(names[0]!, [one, new DataView(new ArrayBuffer(3))] as const);
const streamed: Uint8Array = createHasher("blake3").update(one).update(many[0]!).digest();
const used: "simd128" | "portable" = backend;
export { streamed, used };

// what a digest is passed to
export const blob = new Blob([digest("sha256", one), ...digestMany("md5", [one])]);
export const key = crypto.subtle.importKey("raw", createHasher("sha256").digest(), "HKDF", false, []);
export const response = fetch("", { method: "POST", body: digest("sha256", one) });

const hasher: Hasher = createHasher("sha1");
hasher.free();

// @ts-expect-error: no such algorithm
digest("sha257", one);
// @ts-expect-error: text is not bytes
digest("sha256", "abc");
// @ts-expect-error: one message is not many
digestMany("sha256", one);

init().then(() => initSync(new Uint8Array()));
init(fetch(new URL("https://example.org/simd128.wasm")));
init(WebAssembly.compile(new Uint8Array()));
external.initSync(new WebAssembly.Module(new Uint8Array()));
const same: typeof digest = external.digest;
// @ts-expect-error: an address is no module
initSync("simd128.wasm");
export { same };
