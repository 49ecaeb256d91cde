// Opens the page in headless Chromium, prints its figures, and saves a screenshot:
// `node page/run.js CHROMIUM SCREENSHOT`. It fails if digests differ or the chart is not drawn.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname } from "node:path";
import { argv } from "node:process";

import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const root = new URL("..", import.meta.url);

const server = createServer(async (request, response) => {
    try {
        const path = new URL(request.url, "http://localhost").pathname;
        const body = await readFile(new URL(`.${path}`, root));
        response.writeHead(200, { "Content-Type": TYPES[extname(path)] ?? "text/plain" }).end(body);
    } catch {
        response.writeHead(404).end();
    }
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const browser = await chromium.launch({
    executablePath: argv[2],
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
try {
    const page = await browser.newPage({ viewport: { width: 960, height: 900 } });
    page.on("pageerror", (error) => console.error(error));
    await page.goto(`http://127.0.0.1:${server.address().port}/page/index.html`);
    await page.waitForFunction(() => window.results !== undefined, undefined, { timeout: 120_000 });
    const results = await page.evaluate(() => window.results);
    assert.equal(results.error, undefined);
    assert.equal(results.backend, "simd128");
    const bars = await page.locator("#chart rect.bar").count();
    assert.equal(bars, results.rows.flatMap((row) => row.bars).length);
    await page.screenshot({ path: argv[3], fullPage: true });
    console.log(`Chromium ${browser.version()}, jlanes with ${results.backend}, MB/s:`);
    for (const { title, bars } of results.rows) {
        const figures = bars.map(({ name, speed }) => `${name} ${speed.toFixed(0)}`);
        console.log(`  ${title.padEnd(24)} ${figures.join(", ")}`);
    }
} finally {
    await browser.close();
    server.close();
}
