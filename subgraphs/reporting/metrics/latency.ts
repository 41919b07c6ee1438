// Latencies as a histogram with fixed buckets, so that those of hours, merchants and processes add up; pure.

/** Attempts by bucket; a bucket is named by the most milliseconds that are in it. */
export type Histogram = Map<string, number>;

/** The first digit tells: 37 ms are in the bucket 40, 412 ms in 500. A percentile is never told too low, and at most a first digit too high. */
export function bucketOf(durationMs: number): string {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, durationMs))));
  return String(Math.max(1, Math.ceil(durationMs / step)) * step);
}

/** The bucket in which that share of all lies; null when there are none. */
export function percentileOf(histogram: Histogram, share: number): number | null {
  const sorted = [...histogram].map(([bucket, count]) => [Number(bucket), count] as const).sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.ceil(total * share);
  for (const [bucket, count] of sorted) {
    left -= count;
    if (left <= 0) return bucket;
  }
  return null;
}
