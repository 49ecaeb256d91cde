// A page, in Vite.
import source from "jlanes/simd128.wasm?url";

import { run } from "./page.js";

run(source, () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
