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
export async function hashAll(algorithm, items, { done, progress, signal }) {
    const queue = items.toReversed();
    const aborted = new Promise((resolve) => {
        signal.addEventListener("abort", resolve, { once: true });
    });
    const count = Math.min(navigator.hardwareConcurrency || 2, 8, items.length);
    let workers = Array.from({ length: count }, start);
    let error;
    // a broken worker leaves its files to the others, which may have ended by then
    while (queue.length > 0 && workers.length > 0 && !signal.aborted) {
        const turn = { algorithm, queue, done, progress, signal, aborted };
        const errors = await Promise.all(workers.map((one) => work(one, turn)));
        error = errors.findLast((one) => one !== undefined);
        workers.filter((_, i) => errors[i] !== undefined).forEach(({ worker }) => worker.terminate());
        workers = workers.filter((_, i) => errors[i] === undefined);
    }
    workers.forEach(({ worker }) => worker.terminate());
    if (!signal.aborted) {
        queue.toReversed().forEach((item) => done(item, { error }));
    }
}

function start() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    // it did not start, and answers to nothing
    const broken = new Promise((resolve) => {
        worker.onerror = ({ message }) => resolve({ error: message ?? "the worker did not start" });
    });
    return { worker, broken };
}

/** Hashes files of the queue until it is empty, or the worker is broken: then its error is returned. */
async function work({ worker, broken }, { algorithm, queue, done, progress, signal, aborted }) {
    while (queue.length > 0 && !signal.aborted) {
        const items = take(queue);
        const answer = new Promise((resolve) => {
            worker.onmessage = ({ data }) => (data.results ? resolve(data) : progress(items[0], data.bytes));
        });
        worker.postMessage({ algorithm, files: items.map(({ file }) => file) });
        const { results, error } = await Promise.race([answer, broken, aborted]);
        if (error !== undefined) {
            queue.push(...items.toReversed());
            return error;
        }
        if (!signal.aborted) {
            items.forEach((item, i) => done(item, results[i]));
        }
    }
}
