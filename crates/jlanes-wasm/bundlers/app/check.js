// The checks that every program of this folder runs.
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** Throws if the package does not work. */
export function check({ algorithms, backend, createHasher, digest, digestMany }) {
    const bytes = new Uint8Array();
    const digests = [digest("sha256", bytes), ...digestMany("sha256", [bytes, bytes]), createHasher("sha256").digest()];
    const texts = digests.map((bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
    if (backend !== "simd128" || algorithms.length < 4 || texts.some((text) => text !== EMPTY)) {
        throw new Error(`${backend}, ${algorithms}, ${texts}`);
    }
    return "works";
}
