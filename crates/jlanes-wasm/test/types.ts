// Compiled, not run: what the types allow and what they refuse.
import { type Algorithm, algorithms, backend, createHasher, digest, digestMany } from "jlanes";

const names: readonly Algorithm[] = algorithms;
const one: Uint8Array = digest("sha256", new Uint8Array(3));
const many: Uint8Array[] = digestMany(names[0]!, [one, one] as const);
const streamed: Uint8Array = createHasher("blake3").update(one).update(many[0]!).digest();
const used: "simd128" | "portable" = backend;
export { streamed, used };

// @ts-expect-error: no such algorithm
digest("sha257", one);
// @ts-expect-error: text is not bytes
digest("sha256", "abc");
// @ts-expect-error: one message is not many
digestMany("sha256", one);
