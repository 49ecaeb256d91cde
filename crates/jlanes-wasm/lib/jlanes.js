// The functions of the package, over an instance of its module.

/** Bytes of messages that one call of the module takes; longer messages are hashed in pieces. */
const BATCH = 8 << 20;
/** Bytes of such a piece. */
const PIECE = 1 << 18;

/** A module of one function with an instruction of simd128: engines without it refuse it. */
const PROBE = Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, // magic number, version
    1, 5, 1, 96, 0, 1, 123, // a type: no parameters, a v128
    3, 2, 1, 0, // a function of that type
    10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11, // i32.const 0, i8x16.splat, i8x16.popcnt
);

/** The file of the module for this engine. */
export function moduleName() {
    return WebAssembly.validate(PROBE) ? "simd128.wasm" : "portable.wasm";
}

/** The functions of the package. */
export function createApi(instance) {
    const wasm = instance.exports;
    const bytes = (at, length) => new Uint8Array(wasm.memory.buffer, at, length);
    const text = (at, length) => new TextDecoder().decode(bytes(at, length));

    const hashes = new Map();
    for (let id = 0; id < wasm.hash_count(); id++) {
        const name = text(wasm.hash_name(id), wasm.hash_name_len(id));
        hashes.set(name, { id, size: wasm.hash_size(id) });
    }
    const algorithms = Object.freeze([...hashes.keys()]);

    function hashOf(algorithm) {
        const hash = hashes.get(algorithm);
        if (hash === undefined) {
            const given = typeof algorithm === "string" ? `"${algorithm}"` : kind(algorithm);
            throw new TypeError(`algorithm is ${given}, not one of ${algorithms.join(", ")}`);
        }
        return hash;
    }

    /** Calls `use` with a buffer of the module's memory. */
    function withBuffer(length, use) {
        const at = wasm.allocate(length);
        if (at === 0) {
            throw new RangeError(`no memory for ${length} bytes`);
        }
        try {
            return use(at);
        } finally {
            wasm.deallocate(at, length);
        }
    }

    /** Hashes bytes in pieces, whatever their length. */
    function update(hasher, data) {
        const length = Math.min(data.length, PIECE);
        withBuffer(length, (at) => {
            for (let from = 0; from < data.length; from += PIECE) {
                const piece = data.subarray(from, from + PIECE);
                bytes(at, piece.length).set(piece);
                wasm.hasher_update(hasher, at, piece.length);
            }
        });
    }

    function finish(hasher, size) {
        return withBuffer(size, (at) => {
            wasm.hasher_finish(hasher, at, size);
            return bytes(at, size).slice();
        });
    }

    /** Writes the digests of the messages from `first` to `end` into `out`. */
    function batch(hash, messages, first, end, total, out) {
        const count = end - first;
        withBuffer(total, (data) => withBuffer(4 * (count + 1), (table) => {
            const memory = bytes(data, total);
            const offsets = new Int32Array(wasm.memory.buffer, table, count + 1);
            let at = 0;
            for (let i = 0; i < count; i++) {
                const message = messages[first + i];
                offsets[i] = at;
                memory.set(message, at);
                at += message.length;
            }
            offsets[count] = at;
            withBuffer(count * hash.size, (digests) => {
                wasm.digest_many(hash.id, data, total, table, count, digests);
                out.set(bytes(digests, count * hash.size), first * hash.size);
            });
        }));
    }

    function digest(algorithm, data) {
        const hash = hashOf(algorithm);
        checkBytes(data, "data");
        const out = new Uint8Array(hash.size);
        digestInto(hash, data, out);
        return out;
    }

    function digestInto(hash, data, out) {
        if (data.length <= BATCH) {
            batch(hash, [data], 0, 1, data.length, out);
        } else {
            const hasher = wasm.hasher_new(hash.id);
            update(hasher, data);
            out.set(finish(hasher, hash.size));
        }
    }

    function digestMany(algorithm, messages) {
        const hash = hashOf(algorithm);
        if (!Array.isArray(messages)) {
            throw new TypeError(`messages is ${kind(messages)}, not an array`);
        }
        for (let i = 0; i < messages.length; i++) {
            if (!(messages[i] instanceof Uint8Array)) {
                checkBytes(messages[i], `messages[${i}]`);
            }
        }
        const { size } = hash;
        const out = new Uint8Array(messages.length * size);
        const digests = messages.map((_, i) => out.subarray(i * size, (i + 1) * size));
        let first = 0;
        while (first < messages.length) {
            if (messages[first].length > BATCH) {
                digestInto(hash, messages[first], digests[first]);
                first++;
                continue;
            }
            let end = first;
            let total = 0;
            while (end < messages.length && total + messages[end].length <= BATCH) {
                total += messages[end].length;
                end++;
            }
            batch(hash, messages, first, end, total, out);
            first = end;
        }
        return digests;
    }

    // hashers that are dropped before their digest
    const abandoned = new FinalizationRegistry((hasher) => wasm.hasher_free(hasher));

    class Hasher {
        #hash;
        #state;

        constructor(algorithm) {
            this.#hash = hashOf(algorithm);
            this.#state = wasm.hasher_new(this.#hash.id);
            abandoned.register(this, this.#state, this);
        }

        update(data) {
            checkBytes(data, "data");
            update(this.#live(), data);
            return this;
        }

        digest() {
            const state = this.#live();
            abandoned.unregister(this);
            this.#state = undefined;
            return finish(state, this.#hash.size);
        }

        #live() {
            if (this.#state === undefined) {
                throw new Error("the hasher has returned its digest");
            }
            return this.#state;
        }
    }

    const backend = wasm.has_simd128() ? "simd128" : "portable";
    return { algorithms, backend, digest, digestMany, createHasher: (name) => new Hasher(name) };
}

function checkBytes(value, name) {
    // arrays of other realms, too
    if (!(value instanceof Uint8Array) && kind(value) !== "Uint8Array") {
        throw new TypeError(`${name} is ${kind(value)}, not a Uint8Array`);
    }
}

/** What a value is, for a message. */
function kind(value) {
    if (value === null || typeof value !== "object") {
        return value === null ? "null" : typeof value;
    }
    return Object.prototype.toString.call(value).slice(8, -1);
}
