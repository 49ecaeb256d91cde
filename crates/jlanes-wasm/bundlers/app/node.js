// A program for Node, as it is or in a bundle.
import * as jlanes from "jlanes";

import { check } from "./check.js";

console.log(`single file: ${check(jlanes)}`);
