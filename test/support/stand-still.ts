/** Nothing of this process runs meanwhile: what a stopped process, or one without a processor, is like. */
export function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
