// Drives the pages in Chromium and Firefox: `node page/run.js CHROMIUM FIREFOX DIRECTORY`. It drops files,
// folders and lists, aborts, hashes a file of more than 4 GiB, and saves screenshots to the directory. Then it
// prints the figures of the page of speeds.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, mkdir, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

import { launch, serve } from "../bundlers/browser.js";

const sha256 = (data) => createHash("sha256").update(data).digest("hex");
const files = await mkdtemp(join(tmpdir(), "jlanes-page-"));

/** Files on the disk: their paths, by name. */
async function write(contents) {
    await mkdir(join(files, "folder"), { recursive: true });
    return Promise.all(Object.entries(contents).map(async ([name, data]) => {
        await writeFile(join(files, name), data);
        return join(files, name);
    }));
}

/** The page, with what a person does and sees. */
function person(page) {
    const text = (id) => page.$eval(id, (element) => element.textContent);
    return {
        choose: async (id, ...paths) => (await page.$(id)).uploadFile(...paths),
        click: (id) => page.$eval(id, (button) => button.click()),
        select: (algorithm) => page.select("#algorithm", algorithm),
        paste: (list) => page.$eval("#text", (area, list) => {
            area.closest("details").open = true;
            area.value = list;
            area.dispatchEvent(new Event("input"));
        }, list),
        /** Drops texts as files. */
        drop: (target, contents) => page.$eval(target, (element, contents) => {
            const dataTransfer = new DataTransfer();
            contents.forEach(([name, text]) => dataTransfer.items.add(new File([text], name)));
            for (const type of ["dragover", "drop"]) {
                element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
            }
        }, Object.entries(contents)),
        rows: () => page.$$eval("#rows tr", (rows) => rows.map(({ cells }) => Array.from(cells, (c) => c.textContent))),
        status: () => text("#status"),
        verdict: () => text("#verdict"),
        until: (pattern) => page.waitForFunction((pattern) => {
            return new RegExp(pattern).test(document.getElementById("status").textContent);
        }, { timeout: 120_000 }, pattern),
    };
}

async function checksums(page, screenshot) {
    const { choose, click, drop, paste, rows, select, status, until, verdict } = person(page);
    const large = Buffer.alloc(10_000_000, 7);
    const small = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`small-${i}`, `${i}\n`.repeat(i)]));
    const paths = await write({ ...small, large });

    await choose("#files", ...paths);
    await until("^301 of 301 files hashed");
    const digests = new Map((await rows()).map(([path, , digest]) => [path, digest]));
    for (const [name, data] of Object.entries({ ...small, large })) {
        assert.equal(digests.get(name), sha256(data), name);
    }

    // a list of some, one of them wrong, one of a file that is not there
    const list = [["small-1", small["small-1"]], ["./large", large], ["small-2", "other"], ["absent", ""]];
    await paste(list.map(([name, data]) => `${sha256(data)}  ${name}\n`).join("") + "and a word\n");
    assert.equal(await verdict(),
        "2 OK, 1 FAILED, 298 not in the list, 1 missing (absent); 1 lines are no checksums.");
    const failed = (await rows()).filter(([, , , verdict]) => verdict === "FAILED");
    assert.deepEqual(failed.map(([name]) => name), ["small-2"]);
    await paste("");

    // a drop, of files and of a list, which has another algorithm
    await click("#clear");
    await drop("body", { "a.txt": "abc", "b.txt": "", "ü ö.txt": "x" });
    await until("^3 of 3 files hashed");
    await page.$eval("#verify", (details) => {
        details.open = true;
    });
    await drop("#text", { "MD5SUMS": "900150983cd24fb0d6963f7d28e17f72 *a.txt\r\nMD5 (b.txt) = " + "0".repeat(32) + "\r\n" });
    await page.waitForFunction(() => document.getElementById("verdict").textContent.startsWith("1 OK, 1 FAILED"));
    assert.equal(await verdict(), "1 OK, 1 FAILED, 1 not in the list, 0 missing.");
    await page.screenshot({ path: screenshot });
    await paste("");

    // more than 4 GiB, and abort
    const sparse = join(files, "sparse");
    const handle = await open(sparse, "w");
    await handle.truncate(2 ** 32 + 1);
    await handle.close();
    await click("#clear");
    await select("blake3");
    await choose("#files", sparse);
    await until("^[0-9.]+ [MG]iB of 4.0 GiB");
    await drop("body", { "a.txt": "abc" });
    await page.waitForFunction(() => document.querySelectorAll("#rows tr")[1]?.cells[2].textContent.length === 64);
    await click("#abort");
    await until("^1 of 2 files hashed, .*, 1 aborted");
    assert.deepEqual((await rows())[0].slice(0, 3), ["sparse", "4.0 GiB", "aborted"]);
    await click("#clear");
    await choose("#files", sparse);
    await until("^1 of 1 files hashed");
    // by hash-wasm 4.13
    const expected = "1c5383e3e425b8b27d54e1b6bf91bb3320b8ba1496f7483f87b5f4490a542794";
    assert.equal((await rows())[0][2], expected);
    return status();
}

const programs = { chromium: argv[2], firefox: argv[3] };
const browsers = await launch(programs);
const server = await serve(fileURLToPath(new URL("..", import.meta.url)));
try {
    for (const [i, name] of Object.keys(programs).entries()) {
        const page = await browsers[i].newPage();
        await page.setViewport({ width: 1000, height: 800 });
        page.on("pageerror", (error) => console.error(error));
        const sent = [];
        page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
        await page.goto(`${server.address}/page/index.html`);
        const said = await checksums(page, join(argv[4], `jlanes-page-${name}.png`));
        const own = (request) => request.startsWith(`GET ${server.address}/`) || !/^[A-Z]+ (http|ws)/.test(request);
        assert.deepEqual(sent.filter((request) => !own(request)), [], "nothing is uploaded");
        console.log(`${await browsers[i].version()}: files work. ${said}`);

        await page.goto(`${server.address}/page/speed.html`);
        const handle = await page.waitForFunction(() => window.results, { timeout: 120_000 });
        const { backend, error, rows } = await handle.jsonValue();
        assert.equal(error, undefined);
        assert.equal(backend, "simd128");
        await page.screenshot({ path: join(argv[4], `jlanes-speed-${name}.png`), fullPage: true });
        for (const { title, bars } of rows) {
            console.log(`  ${title.padEnd(24)} ${bars.map(({ name, speed }) => `${name} ${speed.toFixed(0)}`).join(", ")}`);
        }
    }
} finally {
    await Promise.all(browsers.map((browser) => browser.close()));
    server.close();
    await rm(files, { recursive: true });
}
