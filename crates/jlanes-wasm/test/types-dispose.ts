// Compiled, not run: a `lib` with `Symbol.dispose`.
import { createHasher } from "jlanes";

export function scoped(data: Uint8Array): Uint8Array {
    using hasher = createHasher("sha256");
    return hasher.update(data).digest();
}
