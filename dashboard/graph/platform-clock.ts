// The platform's clock: what is asked of "today" and "the last hours" is meant by it, wherever the person's own stands.

/** Two clocks that nobody moved differ by less. */
const movedMsMin = 60_000;

let aheadMs = 0;

/** Takes over what the graph answered just now; whether the clock is another than the person's own. */
export function noteClock(now: string): boolean {
  const ahead = new Date(now).getTime() - Date.now();
  const isMoved = Math.abs(ahead) > movedMsMin;
  aheadMs = isMoved ? ahead : 0;
  return isMoved;
}

export function platformNow(): Date {
  return new Date(Date.now() + aheadMs);
}

const dayMs = 86_400_000;

/** The last days of UTC with today, whole: the same range for everybody, and for as long as the day lasts. */
export function lastDays(count: number): { from: string; to: string } {
  const tomorrow = (Math.floor(platformNow().getTime() / dayMs) + 1) * dayMs;
  return { from: new Date(tomorrow - count * dayMs).toISOString(), to: new Date(tomorrow).toISOString() };
}
