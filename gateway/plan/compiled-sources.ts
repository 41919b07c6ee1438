// Documents are compiled to functions, and V8 keeps the source and code of each such function for the case that the same is compiled again.
import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 forget them with their documents: the cache of prepared documents bounds what is kept, and compiling the same document twice is rare.
 * For the whole process; measured with 400 distinct documents of 10 kB, which left 100 MB behind (`npm run bench:memory`).
 */
export function forgetCompiledSources(): void {
  setFlagsFromString('--no-compilation-cache');
}
