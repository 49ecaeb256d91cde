/** The name of a hash function. */
export type Algorithm = "sha256" | "blake3" | "sha1" | "md5";

/** All hash functions. */
export const algorithms: readonly Algorithm[];

/** What the loaded module uses: the vectors of WebAssembly, or none where the engine lacks them. */
export const backend: "simd128" | "portable";

/** The digest of one message. */
export function digest(algorithm: Algorithm, data: Uint8Array): Uint8Array;

/**
 * The digests of many messages, in their order. They are views of one buffer.
 *
 * Messages may differ in length. They share the lanes of vectors, so one call for all of them is
 * faster than a call for each.
 */
export function digestMany(algorithm: Algorithm, messages: readonly Uint8Array[]): Uint8Array[];

/** Starts the digest of a message that arrives in pieces. */
export function createHasher(algorithm: Algorithm): Hasher;

/** The digest of a message that arrives in pieces. */
export interface Hasher {
    /** Hashes more bytes, and returns the hasher. */
    update(data: Uint8Array): this;
    /** The digest. The hasher is finished: another call of either method throws an `Error`. */
    digest(): Uint8Array;
}
