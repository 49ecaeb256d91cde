// Browsers and servers for tests: those of Debian, driven by puppeteer.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

import puppeteer from "puppeteer-core";

const TYPES = {
    ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript",
    ".wasm": "application/wasm",
};

/** Serves a directory to this machine. Returns the address and a function that ends it. */
export async function serve(root) {
    const server = createServer(async (request, response) => {
        const { pathname } = new URL(request.url, "http://localhost");
        try {
            const body = await readFile(join(root, normalize(pathname)));
            response.writeHead(200, { "Content-Type": TYPES[extname(pathname)] ?? "text/plain" }).end(body);
        } catch {
            response.writeHead(404).end();
        }
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** Starts the browsers: `{ chromium: PATH, firefox: PATH }`. */
export function launch(programs) {
    return Promise.all(Object.entries(programs).map(([browser, executablePath]) => puppeteer.launch({
        browser: browser === "firefox" ? "firefox" : "chrome",
        executablePath,
        args: browser === "firefox" ? [] : ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    })));
}
