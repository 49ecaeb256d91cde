// The work of a page: `source` is the argument of `init`, and each of `workers` starts a worker.
import * as single from "jlanes";
import * as external from "jlanes/init";

import { check } from "./check.js";

/** The answer to a message that is sent at once. */
const answer = (worker) => new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(`worker: ${event.message}`));
    worker.postMessage("");
});

async function fromServiceWorker(address, options) {
    const registration = await navigator.serviceWorker.register(address, options);
    const worker = registration.installing ?? registration.waiting ?? registration.active;
    const { port1, port2 } = new MessageChannel();
    worker.postMessage("", [port2]);
    return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
    });
}

export async function run(source, startWorker) {
    const results = {};
    const attempt = async (name, work) => {
        try {
            results[name] = await work();
        } catch (error) {
            results[name] = `${error}`;
        }
    };
    await attempt("single file", () => check(single));
    await attempt("init", async () => {
        await external.init(source);
        return check(external);
    });
    await attempt("module worker", () => answer(startWorker()));
    const parameters = new URLSearchParams(location.search);
    const module = parameters.get("module");
    if (module !== null) {
        const options = { scope: "module/", type: "module" };
        await attempt("module service worker", () => fromServiceWorker(module, options));
    }
    // a script that is no module, next to the page
    const script = parameters.get("script");
    if (script !== null) {
        await attempt("worker", () => answer(new Worker(script)));
        await attempt("service worker", () => fromServiceWorker(script));
    }
    window.results = results;
}
