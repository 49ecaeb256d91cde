// A program for runtimes, with the module in a file.
import * as jlanes from "jlanes/init";

import { check } from "./check.js";

await jlanes.init();
console.log(`init: ${check(jlanes)}`);
