// The functions of the package, over an instance of its module.
import { bytesOf, copied, copy, kind, lengthOf, part } from "./bytes.js";

/** Bytes that one call of the module takes, of messages, offsets and digests; longer messages are hashed in pieces. */
const BATCH = 8 << 20;
/** Bytes of such a piece. */
const PIECE = 1 << 18;

/** The functions of the package, which is loaded with this instance. */
export function createApi(instance) {
    const wasm = instance.exports;
    let memory = new Uint8Array(wasm.memory.buffer);
    // an engine that runs out of its own stack ends a call without unwinding the module's
    const stack = wasm.__stack_pointer;
    const top = stack.value;
    let returned = true;
    // the buffer of every call, which grows as needed
    let buffer = 0;
    let capacity = 0;

    /** The memory of the module: when it grows, arrays of it are detached. */
    function current() {
        if (lengthOf(memory) === 0) {
            memory = new Uint8Array(wasm.memory.buffer);
        }
        return memory;
    }

    /** Begins a call of the module, with its stack empty. */
    function begin() {
        if (!returned) {
            stack.value = top;
        }
        returned = false;
    }

    /** The address of a buffer, which the next call of this function reuses, for a call that begins. */
    function reserve(length) {
        begin();
        if (length > capacity) {
            const larger = Math.max(length, PIECE);
            // addresses from 2 GiB on are negative numbers to the engine
            const at = wasm.allocate(larger) >>> 0;
            if (at === 0) {
                throw new RangeError(`no memory for ${length} bytes`);
            }
            const [old, size] = [buffer, capacity];
            [buffer, capacity] = [at, larger];
            if (size > 0) {
                wasm.deallocate(old, size);
            }
        }
        return buffer;
    }

    const text = (at, length) => new TextDecoder().decode(part(current(), at, length));
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

    function start(hash) {
        begin();
        const hasher = wasm.hasher_new(hash.id);
        returned = true;
        return hasher;
    }

    function release(hasher) {
        begin();
        wasm.hasher_free(hasher);
        returned = true;
    }

    /** Hashes bytes in pieces. */
    function update(hasher, data) {
        const length = lengthOf(data);
        const at = reserve(Math.min(length, PIECE));
        for (let from = 0; from < length; from += PIECE) {
            const size = Math.min(PIECE, length - from);
            copy(current(), part(data, from, size), at);
            wasm.hasher_update(hasher, at, size);
        }
        returned = true;
    }

    function finish(hasher, size) {
        const at = reserve(size);
        wasm.hasher_finish(hasher, at, size);
        returned = true;
        return copied(current(), at, size);
    }

    function digestOf(hash, data) {
        const { id, size } = hash;
        const length = lengthOf(data);
        if (length > BATCH) {
            const hasher = start(hash);
            update(hasher, data);
            return finish(hasher, size);
        }
        const out = reserve(size + length);
        copy(current(), data, out + size);
        wasm.digest(id, out + size, length, out);
        returned = true;
        return copied(current(), out, size);
    }

    /** Writes the digests of the messages from `first` to `end` into `out`. */
    function batch(hash, messages, first, end, total, out) {
        const count = end - first;
        const size = count * hash.size;
        const table = reserve(4 * (count + 1) + size + total);
        const digests = table + 4 * (count + 1);
        const data = digests + size;
        const memory = current();
        const offsets = new Int32Array(wasm.memory.buffer, table, count + 1);
        let at = 0;
        for (let i = 0; i < count; i++) {
            const message = messages[first + i];
            offsets[i] = at;
            copy(memory, message, data + at);
            at += lengthOf(message);
        }
        offsets[count] = at;
        wasm.digest_many(hash.id, data, total, table, count, digests);
        returned = true;
        copy(out, part(current(), digests, size), first * hash.size);
    }

    function digest(algorithm, data) {
        const hash = hashOf(algorithm);
        return digestOf(hash, bytesOf(data, "data"));
    }

    function digestMany(algorithm, messages) {
        const hash = hashOf(algorithm);
        if (!Array.isArray(messages)) {
            throw new TypeError(`messages is ${kind(messages)}, not an array`);
        }
        // a list of our own: reading the array may run the caller's code
        const all = [];
        for (let i = 0, { length } = messages; i < length; i++) {
            const message = messages[i];
            all.push(bytesOf(message, `messages[${i}]`));
        }
        const { size } = hash;
        const out = new Uint8Array(all.length * size);
        for (let first = 0; first < all.length;) {
            let end = first;
            let total = 0;
            for (let taken = 4; end < all.length; end++) {
                const length = lengthOf(all[end]);
                taken += length + size + 4;
                if (taken > BATCH) {
                    break;
                }
                total += length;
            }
            if (end - first <= 1) {
                copy(out, digestOf(hash, all[first]), first * size);
                end = first + 1;
            } else {
                batch(hash, all, first, end, total, out);
            }
            first = end;
        }
        const { buffer } = out;
        return all.map((_, i) => new Uint8Array(buffer, i * size, size));
    }

    // hashers that are dropped before their digest
    const abandoned = new FinalizationRegistry(release);

    class Hasher {
        #hash;
        #state;
        #ended;

        constructor(algorithm) {
            this.#hash = hashOf(algorithm);
            this.#state = start(this.#hash);
            abandoned.register(this, this.#state, this);
        }

        update(data) {
            const state = this.#live();
            const bytes = bytesOf(data, "data");
            // unless all is hashed
            [this.#state, this.#ended] = [undefined, "failed"];
            update(state, bytes);
            this.#state = state;
            return this;
        }

        digest() {
            return finish(this.#end("returned its digest"), this.#hash.size);
        }

        free() {
            if (this.#state !== undefined) {
                release(this.#end("been freed"));
            }
        }

        #end(how) {
            const state = this.#live();
            abandoned.unregister(this);
            this.#state = undefined;
            this.#ended = how;
            return state;
        }

        #live() {
            if (this.#state === undefined) {
                throw new Error(`the hasher has ${this.#ended}`);
            }
            return this.#state;
        }
    }
    if (Symbol.dispose !== undefined) {
        Hasher.prototype[Symbol.dispose] = Hasher.prototype.free;
    }

    const backend = wasm.has_simd128() ? "simd128" : "portable";
    const createHasher = (name) => new Hasher(name);
    return { algorithms, backend, createHasher, digest, digestMany, init: async () => {}, initSync: () => {} };
}
