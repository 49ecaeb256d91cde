/** The name of a hash function. */
export type Algorithm = "sha256" | "blake3" | "sha1" | "md5";

/** All hash functions. */
export const algorithms: readonly Algorithm[];

/** What the loaded module uses: the vectors of WebAssembly, or none where the engine lacks them. */
export const backend: "simd128" | "portable";

/** Bytes, in a buffer of any kind. They are copied. Detached ones are a `TypeError`. */
export type Bytes = Uint8Array | DataView;

/** A digest: `Uint8Array<ArrayBuffer>`, or `Uint8Array` for a TypeScript before 5.7. */
export type Digest = ReturnType<Uint8ArrayConstructor["of"]>;

/** The digest of one message, in a buffer of its own. */
export function digest(algorithm: Algorithm, data: Bytes): Digest;

/**
 * The digests of many messages, in their order. They are views of one buffer, which is the caller's:
 * to transfer one of them, copy it by `slice()` first.
 *
 * Messages may differ in length. They share the lanes of vectors, so one call for all of them is
 * faster than a call for each.
 */
export function digestMany(algorithm: Algorithm, messages: readonly Bytes[]): Digest[];

/** Starts the digest of a message that arrives in pieces. */
export function createHasher(algorithm: Algorithm): Hasher;

/** `Symbol.dispose` as the name of a method, if the program's `lib` has it. */
type Dispose = SymbolConstructor extends { readonly dispose: infer Name extends symbol } ? Name : never;

/** The digest of a message that arrives in pieces. */
export type Hasher = {
    /** Hashes more bytes, and returns the hasher. */
    update(data: Bytes): Hasher;
    /** The digest, in a buffer of its own. The hasher is finished: other calls throw an `Error`. */
    digest(): Digest;
    /**
     * Frees a hasher that is not to return a digest. The garbage collector does so too, at some time.
     * `using` calls it as `Symbol.dispose`.
     */
    free(): void;
} & { [Name in Dispose]: () => void };
