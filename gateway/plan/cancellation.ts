// Whether anybody still waits for an answer; the signal for network calls is made only when one is wanted, because most requests need none.

export class Cancellation {
  isCancelled = false;
  private controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.isCancelled) this.controller.abort();
    return this.controller.signal;
  }

  cancel(): void {
    this.isCancelled = true;
    this.controller?.abort();
  }
}
