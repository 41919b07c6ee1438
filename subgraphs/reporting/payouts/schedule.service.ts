// The settlement that runs by itself: at 02:00 UTC for the day before, on the one clock (2.6 of the decision register).
import { addDays, dayOf } from '../journal/journal';
import type { ScheduleRepository } from './schedule.repository';
import { type SettlementDeps, settle } from './settlement.service';

const closingHourMs = 2 * 3_600_000;

/** The day that is due to be closed at that moment. */
export function dueDay(now: Date): string {
  return addDays(dayOf(new Date(now.getTime() - closingHourMs)), -1);
}

/** Closes the day that is due; earlier ones that nobody closed go with it. Null when it was closed by itself before. */
export async function settleDue(
  deps: SettlementDeps & { schedule: ScheduleRepository },
  requestId: string,
): Promise<{ day: string; payouts: number } | null> {
  const day = dueDay(deps.clock.now());
  const last = await deps.schedule.lastDay(deps.environment);
  if (last !== null && last >= day) return null;
  const { payouts } = await settle(deps, day, requestId);
  await deps.schedule.keep(deps.environment, day);
  return { day, payouts: payouts.length };
}
