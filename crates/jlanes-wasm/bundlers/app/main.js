// A page, in a bundle of webpack, rollup or Bun.
import { run } from "./page.js";

run(undefined, () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
