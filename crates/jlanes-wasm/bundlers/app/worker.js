// A worker, or a service worker: it answers every message, the first included.
import * as jlanes from "jlanes";

import { check } from "./check.js";

self.onmessage = ({ ports }) => {
    let result;
    try {
        result = check(jlanes);
    } catch (error) {
        result = `${error}`;
    }
    (ports[0] ?? self).postMessage(result);
};
