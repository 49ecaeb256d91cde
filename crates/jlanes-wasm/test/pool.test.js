// The queue of the page for files, with workers that answer to their names, and some that are broken.
import assert from "node:assert/strict";
import { test } from "node:test";

import { hashAll } from "../page/pool.js";

const WORKERS = 3;
Object.defineProperty(globalThis, "navigator", { value: { hardwareConcurrency: WORKERS }, configurable: true });

/** Hashes files of 6 MiB, one at a time, on workers that break after a number of files. */
async function hashed(names, lives) {
    let count = 0;
    globalThis.Worker = class {
        #left = lives[count++];
        postMessage({ files }) {
            const isBroken = this.#left-- === 0;
            const results = files.map(({ name }) => ({ digest: name }));
            // a worker takes its time to break: the others are through by then
            setTimeout(() => (isBroken ? this.onerror({}) : this.onmessage({ data: { results } })), isBroken ? 20 : 0);
        }
        terminate() {
            count--;
        }
    };
    const items = names.map((name) => ({ file: { name, size: 6 << 20 } }));
    const found = [];
    await hashAll("sha256", items, {
        signal: new AbortController().signal,
        progress: () => {},
        done: ({ file }, result) => found.push([file.name, result.digest ?? result.error]),
    });
    assert.equal(count, 0, "every worker is terminated");
    return found.sort();
}

const names = ["a", "b", "c", "d", "e", "f"];

test("a broken worker leaves its files to the others", async () => {
    const digests = names.map((name) => [name, name]);
    for (const lives of [[0, 9, 9], [9, 0, 1], [0, 0, 9], [9, 1, 0]]) {
        assert.deepEqual(await hashed(names, lives), digests, `${lives}`);
    }
});

test("files are errors where no worker is left", async () => {
    const error = "the worker did not start";
    assert.deepEqual(await hashed(names, [0, 0, 0]), names.map((name) => [name, error]));
    const some = (await hashed(names, [1, 0, 1])).map(([, result]) => result);
    assert.deepEqual(some.filter((result) => result === error).length, names.length - 2);
});
