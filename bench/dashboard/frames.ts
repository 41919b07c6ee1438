// How smoothly a page is drawn: its animation frames over some seconds, the longest pause between two, and what a frame costs the page's own thread.
import type { CDPSession, Page } from 'playwright-core';

export interface Frames {
  perSecond: number;
  longestMs: number;
  /** CPU of the page's thread for each frame, in milliseconds. */
  cpuMs: number;
}

interface Watched {
  page: Page;
  devtools: CDPSession;
}

/** `each`: an expression of a function that is called with every frame. */
export async function framesWhile(
  { page, devtools }: Watched,
  seconds: number,
  { each = '() => undefined' } = {},
): Promise<Frames> {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await cpuSeconds(devtools);
  const { count, tookMs, longestMs } = await drawn(page, seconds, each);
  const cpuMs = ((await cpuSeconds(devtools)) - before) * 1_000;
  return { perSecond: (count * 1_000) / tookMs, longestMs, cpuMs: cpuMs / count };
}

async function cpuSeconds(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
}

function drawn(page: Page, seconds: number, each: string) {
  return page.evaluate<{ count: number; tookMs: number; longestMs: number }>(`new Promise((resolve) => {
    const each = ${each};
    let count = 0;
    let longestMs = 0;
    let startedAt;
    let lastAt;
    const frame = (at) => {
      startedAt ??= at;
      if (lastAt !== undefined) longestMs = Math.max(longestMs, at - lastAt);
      lastAt = at;
      const tookMs = at - startedAt;
      if (tookMs >= ${seconds * 1_000}) return resolve({ count, tookMs, longestMs });
      count += 1;
      each();
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })`);
}
