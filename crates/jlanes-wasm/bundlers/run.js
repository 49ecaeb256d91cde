// Every bundler and runtime with the packed package: `node bundlers/run.js CHROMIUM FIREFOX`. Pages are
// opened in both browsers, with workers and service workers; programs run in Node, Deno and Bun.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { argv, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import resolve from "@rollup/plugin-node-resolve";
import esbuild from "esbuild";
import * as rollup from "rollup";
import webpack from "webpack";

import { launch, serve } from "./browser.js";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const app = join(here, "app");
const out = join(here, "out");
const bin = (name) => join(here, "node_modules/.bin", name);
const { dependencies, optionalDependencies } = JSON.parse(await readFile(join(here, "package.json")));

const vites = Object.keys(dependencies).filter((name) => name.startsWith("vite"));
const eachVite = (use) => Object.fromEntries(vites.map((name) => [name, async (to) => use(await import(name), to)]));

/** Installs what npm would publish. */
async function install() {
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", out], { cwd: join(here, "..") });
    const packed = Object.values(JSON.parse(stdout))[0];
    const target = join(here, "node_modules/jlanes");
    await rm(target, { recursive: true, force: true });
    await mkdir(target, { recursive: true });
    await run("tar", ["xzf", join(out, packed.filename), "-C", target, "--strip-components=1"]);
}

/** A page for a script, with the worker as a script that is no module, and `module`, the worker as one. */
async function page(directory, script, module) {
    await writeFile(join(directory, "index.html"),
        `<!doctype html><meta charset="utf-8"><script type="module" src="${script}"></script>`);
    await esbuild.build({
        entryPoints: [join(app, "worker.js")], bundle: true, format: "iife", outfile: join(directory, "script.js"),
    });
    return `index.html?script=script.js${module ? `&module=${module}` : ""}`;
}

/** The files of the module, for tools that do not copy them. */
const modules = (directory) => Promise.all(["simd128", "portable"].map((name) => {
    return cp(join(here, `node_modules/jlanes/lib/${name}.wasm`), join(directory, `${name}.wasm`));
}));

/** A bundle for browsers: writes files to a directory and returns the page. */
const pages = {
    esbuild: async (outdir) => {
        await esbuild.build({
            entryPoints: ["main-esbuild.js", "worker.js"].map((name) => join(app, name)),
            bundle: true, format: "esm", loader: { ".wasm": "file" }, outdir,
        });
        return page(outdir, "main-esbuild.js", "worker.js");
    },
    rollup: async (dir) => {
        const input = ["main.js", "worker.js"].map((name) => join(app, name));
        const bundle = await rollup.rollup({ input, plugins: [resolve()] });
        await bundle.write({ dir, chunkFileNames: "[name].js" });
        await modules(dir);
        return page(dir, "main.js", "worker.js");
    },
    webpack: async (path) => {
        await pack({ entry: join(app, "main.js"), output: { path } });
        return page(path, "main.js");
    },
    bun: async (outdir) => {
        await run(bin("bun"), ["build", "main.js", "worker.js", "--outdir", outdir], { cwd: app });
        await modules(outdir);
        return page(outdir, "main.js", "worker.js");
    },
    ...eachVite(async (vite, outDir) => {
        await vite.build({ root: app, logLevel: "error", base: "./", worker: { format: "es" }, build: { outDir } });
        return "index.html";
    }),
};

/** Programs for Node in one file. */
const programs = {
    esbuild: (outfile) => esbuild.build({
        entryPoints: [join(app, "node.js")], bundle: true, platform: "node", format: "cjs", outfile,
    }),
    rollup: async (file) => {
        const bundle = await rollup.rollup({ input: join(app, "node.js"), plugins: [resolve()] });
        await bundle.write({ file, format: "cjs" });
    },
    webpack: (file) => pack({
        entry: join(app, "node.js"), target: "node", output: { path: out, filename: basename(file) },
    }),
    bun: (file) => {
        return run(bin("bun"), ["build", "node.js", "--target=node", "--format=cjs", `--outfile=${file}`], { cwd: app });
    },
    ...eachVite((vite, file) => vite.build({
        root: app, logLevel: "error", ssr: { noExternal: true },
        build: {
            ssr: "node.js", outDir: out, emptyOutDir: false,
            rollupOptions: { output: { format: "cjs", entryFileNames: basename(file) } },
        },
    })),
};

async function pack(options) {
    const stats = await promisify(webpack)({ mode: "production", context: app, performance: false, ...options });
    if (stats.hasErrors() || stats.hasWarnings()) {
        throw new Error(stats.toString("errors-warnings"));
    }
}

/** A tool's version. */
async function version(name) {
    const manifest = await readFile(join(here, "node_modules", name, "package.json"));
    return JSON.parse(manifest).version;
}

let failures = 0;
async function attempt(name, work) {
    try {
        console.log(`${name}: ${await work()}`);
    } catch (error) {
        failures++;
        console.log(`${name}: FAILED: ${error.stdout ?? ""}${error.stderr ?? ""}${error.stack}`);
    }
}

/** The results of a page; throws if one is not right. */
async function results(browser, address) {
    const page = await browser.newPage();
    const told = [];
    page.on("pageerror", (error) => told.push(`${error}`));
    try {
        await page.goto(address);
        const handle = await page.waitForFunction(() => window.results, { timeout: 60_000 });
        const results = await handle.jsonValue();
        if (Object.values(results).some((result) => result !== "works")) {
            throw new Error(JSON.stringify(results));
        }
        return Object.keys(results).join(", ");
    } catch (error) {
        throw new Error(`${error.message} ${told}`);
    } finally {
        await page.close();
    }
}

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
await install();
const runtimes = [["node", []], [bin("deno"), ["run", "--allow-read"]], [bin("bun"), []]];
for (const name of Object.keys(optionalDependencies)) {
    const program = join(here, "node_modules", name, "bin/node");
    if (existsSync(program)) {
        runtimes.push([program, []]);
    } else {
        console.log(`${name}: NOT RUN: it is for Linux on x86-64`);
    }
}
for (const [runtime, args] of runtimes) {
    const version = (await run(runtime, ["--version"])).stdout.split("\n")[0];
    for (const program of ["node.js", "node-init.js"]) {
        if (program === "node-init.js" && version.startsWith("v18.")) {
            continue; // README: it needs 20.16
        }
        await attempt(`${runtime.split("/").pop()} ${version}`, async () => {
            return (await run(runtime, [...args, program], { cwd: app })).stdout.trim();
        });
    }
}
for (const [name, build] of Object.entries(programs)) {
    await attempt(`${name} ${await version(name)} for Node`, async () => {
        const file = join(out, `${name}.cjs`);
        await build(file);
        // alone, without the package next to it
        return (await run("node", [file], { cwd: "/" })).stdout.trim();
    });
}

const browsers = await launch({ chromium: argv[2], firefox: argv[3] });
const server = await serve(out);
for (const [name, build] of Object.entries(pages)) {
    const path = await build(join(out, name)).catch((error) => error);
    for (const browser of browsers) {
        await attempt(`${name} ${await version(name)} in ${await browser.version()}`, () => {
            if (path instanceof Error) {
                throw path;
            }
            return results(browser, `${server.address}/${name}/${path}`);
        });
    }
}
for (const name of vites) {
    const vite = await import(name);
    const dev = await vite.createServer({ root: app, logLevel: "error", cacheDir: join(out, `${name}-cache`) });
    await dev.listen(0);
    await attempt(`${name} ${await version(name)}, its server`, () => results(browsers[0], dev.resolvedUrls.local[0]));
    await dev.close();
}
server.close();
await Promise.all(browsers.map((browser) => browser.close()));
exit(failures === 0 ? 0 : 1);
