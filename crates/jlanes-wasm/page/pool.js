// Workers that share a queue of files.

/** Bytes of files that one message to a worker has; a larger file is alone. */
const BATCH = 8 << 20;
const MOST = 512;

/** The next files of the queue for a worker. */
function take(queue) {
    const files = [];
    let bytes = 0;
    while (files.length < MOST && queue.length > 0 && (files.length === 0 || bytes + queue.at(-1).file.size <= BATCH)) {
        bytes += queue.at(-1).file.size;
        files.push(queue.pop());
    }
    return files;
}

/**
 * Hashes `items`, each with a `file`: `progress(item, bytes)` while one is hashed, `done(item, result)`
 * with a digest or an error. The promise is fulfilled at the end, also if `signal` aborts.
 */
export function hashAll(algorithm, items, { done, progress, signal }) {
    const queue = items.toReversed();
    const count = Math.min(navigator.hardwareConcurrency || 2, 8, items.length);
    const workers = Array.from({ length: count }, () => work(algorithm, queue, { done, progress, signal }));
    return Promise.all(workers);
}

async function work(algorithm, queue, { done, progress, signal }) {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    // it did not start, and answers to nothing
    const broken = new Promise((_, reject) => {
        worker.onerror = (event) => reject(new Error(event.message ?? "the worker did not start"));
    });
    const aborted = new Promise((resolve) => {
        signal.addEventListener("abort", resolve, { once: true });
    });
    while (queue.length > 0 && !signal.aborted) {
        const items = take(queue);
        const results = new Promise((resolve) => {
            worker.onmessage = ({ data }) => (data.results ? resolve(data.results) : progress(items[0], data.bytes));
        });
        worker.postMessage({ algorithm, files: items.map(({ file }) => file) });
        const failed = (error) => items.map(() => ({ error: `${error.message}` }));
        const all = await Promise.race([results, broken, aborted]).catch(failed);
        if (!signal.aborted) {
            items.forEach((item, i) => done(item, all[i]));
        }
    }
    worker.terminate();
}
