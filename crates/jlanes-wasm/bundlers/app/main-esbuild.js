// A page, in a bundle of esbuild.
import source from "jlanes/simd128.wasm";

import { run } from "./page.js";

run(source, () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
