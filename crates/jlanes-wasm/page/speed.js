// Hashes the same messages with jlanes, crypto.subtle and hash-wasm, and draws a chart.
import * as hashWasm from "../node_modules/hash-wasm/dist/index.esm.js";

import * as jlanes from "../lib/index.js";
import { drawChart } from "./chart.js";

const KIB = 1024;
const WORKLOADS = [
    { algorithm: "sha256", count: 1024, length: 64 },
    { algorithm: "sha256", count: 1000, length: 1000 },
    { algorithm: "sha256", count: 16, length: 64 * KIB },
    { algorithm: "sha256", count: 1, length: 1024 * KIB },
    { algorithm: "blake3", count: 1024, length: 64 },
    { algorithm: "blake3", count: 16, length: 64 * KIB },
    { algorithm: "sha1", count: 1000, length: 1000 },
];
const ROUNDS = 7;
/** Milliseconds of a run: clocks of browsers are coarse. */
const RUN = 40;

const hashers = {
    sha256: await hashWasm.createSHA256(),
    blake3: await hashWasm.createBLAKE3(),
    sha1: await hashWasm.createSHA1(),
};
const subtleNames = { sha256: "SHA-256", sha1: "SHA-1" };

/** The contestants for an algorithm: functions from messages to digests. */
function contestantsOf(algorithm) {
    const hasher = hashers[algorithm];
    const contestants = {
        "jlanes": (messages) => jlanes.digestMany(algorithm, messages),
        "hash-wasm": (messages) => messages.map((m) => hasher.init().update(m).digest("binary")),
    };
    const name = subtleNames[algorithm];
    if (name !== undefined) {
        contestants["crypto.subtle"] = async (messages) => {
            const digests = await Promise.all(messages.map((m) => crypto.subtle.digest(name, m)));
            return digests.map((digest) => new Uint8Array(digest));
        };
    }
    return contestants;
}

function messagesOf({ count, length }) {
    return Array.from({ length: count }, (_, i) => {
        return Uint8Array.from({ length }, (_, j) => i * 31 + j * 7);
    });
}

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function speed(run, messages, bytes) {
    const begun = performance.now();
    let runs = 0;
    let now = begun;
    while (now - begun < RUN) {
        await run(messages);
        runs++;
        now = performance.now();
    }
    return (bytes * runs) / (now - begun) / 1000;
}

async function measure(workload) {
    const messages = messagesOf(workload);
    const contestants = Object.entries(contestantsOf(workload.algorithm));
    const digests = await Promise.all(contestants.map(([, run]) => run(messages)));
    for (const other of digests) {
        if (other.map(hex).join() !== digests[0].map(hex).join()) {
            throw new Error(`${workload.algorithm}: the digests differ`);
        }
    }
    const speeds = contestants.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
        for (let c = 0; c < contestants.length; c++) {
            const bytes = workload.count * workload.length;
            speeds[c].push(await speed(contestants[c][1], messages, bytes));
        }
    }
    const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
    const bars = contestants.map(([name], c) => ({ name, speed: median(speeds[c]) }));
    return { title: titleOf(workload), bars };
}

function titleOf({ algorithm, count, length }) {
    const size = length % KIB === 0 ? `${length / KIB} KiB` : `${length} B`;
    return `${algorithm}, ${count} × ${size}`;
}

const status = document.getElementById("status");
try {
    const rows = [];
    for (const workload of WORKLOADS) {
        rows.push(await measure(workload));
        drawChart(document.getElementById("chart"), rows);
    }
    status.textContent = `jlanes ran with ${jlanes.backend}; all digests agree. ${navigator.userAgent}`;
    window.results = { backend: jlanes.backend, rows };
} catch (error) {
    status.textContent = `${error}`;
    window.results = { error: `${error}` };
}
