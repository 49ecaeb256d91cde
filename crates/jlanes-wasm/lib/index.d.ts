// Both entries have these names: in `jlanes` the module is loaded, in `jlanes/init` it is to be.

/** The name of a hash function. */
export type Algorithm = "sha256" | "blake3" | "sha1" | "md5";

/** All hash functions. Undefined in `jlanes/init` before its module is loaded. */
export const algorithms: readonly Algorithm[];

/** What the loaded module uses: the vectors of WebAssembly, or none where the engine lacks them. Undefined as above. */
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
    /** Hashes more bytes, and returns the hasher. A `TypeError` leaves it as it was, any other error may finish it. */
    update(data: Bytes): Hasher;
    /** The digest, in a buffer of its own. The hasher is finished: other calls throw an `Error`. */
    digest(): Digest;
    /**
     * Frees a hasher that is not to return a digest. The garbage collector does so too, at some time.
     * `using` calls it as `Symbol.dispose`.
     */
    free(): void;
} & { [Name in Dispose]: () => void };

/** A type that the program has if its `lib` or its other types have it. */
type Global<Name extends string> = typeof globalThis extends { [N in Name]: { prototype: infer T } } ? T : never;
type Module = typeof globalThis extends { WebAssembly: { Module: { prototype: infer T } } }
    ? T & object
    : never;

/** A compiled module, its bytes, its address, or a response with it. */
export type Source = Module | ArrayBuffer | ArrayBufferView | string | Global<"URL"> | Global<"Response">;

/**
 * Loads the module, the first time it is called: from the package's file, or from `source`. The other
 * functions of `jlanes/init` throw before. Those of `jlanes` are loaded, and `source` is not read.
 */
export function init(source?: Source | PromiseLike<Source>): Promise<void>;

/** The same at once, of what `new WebAssembly.Module` accepts, or of its result. */
export function initSync(source: Module | ArrayBuffer | ArrayBufferView): void;
