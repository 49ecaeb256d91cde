// Checksums of the files that people drop, and their verification by a list.
import { chosen, dropped } from "./drop.js";
import { compare, formatLine, parseList } from "./lists.js";
import { hashAll } from "./pool.js";

const at = (id) => document.getElementById(id);
/** Milliseconds between two updates of the progress. */
const TICK = 100;

/** Files with their row, the bytes that are hashed, and a digest or an error. */
let items = [];
/** The current run, to which files may be added: what ends it, its jobs, when it began, and bytes. */
let run;

const size = (bytes) => {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    const unit = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
    return `${(bytes / 1024 ** unit).toFixed(unit === 0 ? 0 : 1)} ${units[unit]}`;
};

function newItem({ file, path }) {
    const row = document.createElement("tr");
    for (const text of [path, size(file.size), "", ""]) {
        row.append(Object.assign(document.createElement("td"), { textContent: text }));
    }
    return { file, path, row, bytes: 0 };
}

function add(files) {
    const more = files.map(newItem);
    items.push(...more);
    at("rows").append(...more.map(({ row }) => row));
    return hash(more);
}

function show() {
    const seconds = (performance.now() - run.begun) / 1000;
    const speed = run.hashed / Math.max(seconds, 0.001);
    at("progress").value = run.total === 0 ? 1 : run.hashed / run.total;
    at("status").textContent = `${size(run.hashed)} of ${size(run.total)}, ${size(speed)}/s` +
        (run.hashed > 0 && seconds > 1 ? `, ${Math.ceil((run.total - run.hashed) / speed)} s left` : "");
}

async function hash(pending) {
    run ??= {
        control: new AbortController(), jobs: 0, begun: performance.now(), total: 0, hashed: 0,
        timer: setInterval(show, TICK),
    };
    const own = run;
    own.jobs++;
    at("abort").disabled = false;
    pending.forEach((item) => {
        own.total += item.file.size;
        item.bytes = 0;
        item.row.cells[2].textContent = "waits";
    });
    const advance = (item, bytes) => {
        own.hashed += bytes - item.bytes;
        item.bytes = bytes;
    };
    await hashAll(at("algorithm").value, pending, {
        signal: own.control.signal,
        progress: (item, bytes) => {
            advance(item, bytes);
            item.row.cells[2].textContent = `${Math.floor((100 * bytes) / item.file.size)} %`;
        },
        done: (item, result) => {
            advance(item, item.file.size);
            Object.assign(item, result);
            item.row.cells[2].textContent = item.digest ?? item.error;
        },
    });
    own.jobs--;
    if (run === own && own.jobs === 0) {
        finish();
    }
}

/** Ends the run without a word. */
function stop() {
    run?.control.abort();
    clearInterval(run?.timer);
    run = undefined;
}

function finish() {
    show();
    const seconds = ((performance.now() - run.begun) / 1000).toFixed(1);
    const bytes = size(run.hashed);
    stop();
    const digests = items.filter(({ digest }) => digest !== undefined).length;
    const errors = items.filter(({ error }) => error !== undefined).length;
    const aborted = items.filter(({ digest, error }) => digest === undefined && error === undefined);
    aborted.forEach(({ row }) => {
        row.cells[2].textContent = "aborted";
    });
    at("status").textContent = `${digests} of ${items.length} files hashed, ${bytes} in ${seconds} s` +
        (errors > 0 ? `, ${errors} could not be read` : "") + (aborted.length > 0 ? `, ${aborted.length} aborted` : "") + ".";
    at("abort").disabled = true;
    at("save").disabled = digests === 0;
    verify();
}

/** Hashes all again: with another algorithm. */
function restart() {
    stop();
    items.forEach((item) => {
        [item.digest, item.error] = [];
    });
    return hash(items);
}

function verify() {
    const { entries, rest } = parseList(at("text").value);
    const select = at("algorithm");
    const fits = ({ algorithms }) => algorithms.includes(select.value);
    if (entries.length > 0 && !entries.some(fits)) {
        [select.value] = entries[0].algorithms;
        restart();
        return;
    }
    const own = entries.filter(fits);
    const { verdicts, missing } = compare(items, own);
    items.forEach(({ row }, i) => {
        const verdict = own.length > 0 ? (verdicts[i] ?? "") : "";
        Object.assign(row.cells[3], { textContent: verdict, className: verdict.split(" ")[0] });
    });
    const count = (wanted) => verdicts.filter((verdict) => verdict === wanted).length;
    const absent = missing.map(({ digest, name }) => name ?? digest);
    at("verdict").textContent = at("text").value.trim() === "" ? "" :
        `${count("OK")} OK, ${count("FAILED")} FAILED, ${count("not in the list")} not in the list, ` +
        `${missing.length} missing` + (absent.length > 0 ? ` (${absent.slice(0, 10).join(", ")}` : "") +
        (absent.length > 10 ? ", …)" : absent.length > 0 ? ")" : "") +
        (own.length < entries.length ? `; ${entries.length - own.length} lines are of other algorithms` : "") +
        (rest > 0 ? `; ${rest} lines are no checksums` : "") + ".";
}

function save() {
    const lines = items.filter(({ digest }) => digest).map(({ digest, path }) => formatLine(digest, path));
    const url = URL.createObjectURL(new Blob(lines));
    Object.assign(document.createElement("a"), { href: url, download: `${at("algorithm").value}sums.txt` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function useList(file) {
    at("text").value = await file.text();
    at("verify").open = true;
    verify();
}

for (const id of ["files", "folder"]) {
    at(id).addEventListener("change", ({ target }) => {
        const files = chosen(target);
        target.value = "";
        add(files);
    });
}
at("list").addEventListener("change", ({ target }) => target.files.length > 0 && useList(target.files[0]));
at("text").addEventListener("input", verify);
at("algorithm").addEventListener("change", restart);
at("abort").addEventListener("click", () => run?.control.abort());
at("clear").addEventListener("click", () => {
    items.forEach(({ row }) => row.remove());
    items = [];
    restart();
});
at("save").addEventListener("click", save);
document.addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("over");
});
document.addEventListener("dragleave", () => document.body.classList.remove("over"));
document.addEventListener("drop", async (event) => {
    event.preventDefault();
    document.body.classList.remove("over");
    const onList = at("verify").contains(event.target);
    const files = await dropped(event.dataTransfer);
    if (onList && files.length === 1) {
        useList(files[0].file);
    } else {
        add(files);
    }
});
