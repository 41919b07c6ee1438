// Something that is asked for more often than it can be done: one at a time, and once more for all that asked meanwhile.

/** What is given back resolves when all that was asked for is done; rejects as `run` does, and can be asked again. */
export function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let isMore = false;
  let running: Promise<void> | null = null;
  async function all(): Promise<void> {
    do {
      isMore = false;
      await run();
    } while (isMore);
  }
  return () => {
    isMore = running !== null;
    running ??= all().finally(() => {
      running = null;
    });
    return running;
  };
}
