// The package in Node.
import { readFileSync } from "node:fs";

import { createApi, moduleName } from "./jlanes.js";

const source = readFileSync(new URL(moduleName(), import.meta.url));
const instance = new WebAssembly.Instance(new WebAssembly.Module(source));

export const { algorithms, backend, digest, digestMany, createHasher } = createApi(instance);
