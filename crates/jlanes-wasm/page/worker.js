// Hashes files: many small ones at once on the lanes, a large one in pieces. Nothing leaves the machine.
import { createHasher, digestMany } from "../lib/index.js";

/** Bytes that are read at once. */
const PIECE = 4 << 20;

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const read = async (blob) => new Uint8Array(await blob.arrayBuffer());

async function small(algorithm, files) {
    const contents = await Promise.allSettled(files.map(read));
    const bytes = contents.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
    const digests = digestMany(algorithm, bytes).map(hex);
    return contents.map(({ reason, status }) => {
        return status === "fulfilled" ? { digest: digests.shift() } : { error: `${reason}` };
    });
}

async function large(algorithm, file) {
    const hasher = createHasher(algorithm);
    try {
        let next = read(file.slice(0, PIECE));
        for (let at = 0; at < file.size; at += PIECE) {
            const bytes = await next;
            // the next piece is read while this one is hashed
            next = read(file.slice(at + PIECE, at + 2 * PIECE));
            next.catch(() => {}); // it is awaited in the next turn
            hasher.update(bytes);
            postMessage({ bytes: at + bytes.length });
        }
        return [{ digest: hex(hasher.digest()) }];
    } finally {
        hasher.free();
    }
}

self.onmessage = async ({ data: { algorithm, files } }) => {
    const answer = files.length === 1 ? large(algorithm, files[0]) : small(algorithm, files);
    // the page waits for an answer, and a rejection here is no event there
    const results = await answer.catch((error) => files.map(() => ({ error: `${error}` })));
    postMessage({ results });
};
