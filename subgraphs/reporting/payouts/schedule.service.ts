// The settlement that runs by itself: at 02:00 UTC for the day before, on the one clock (2.6 of the decision register).
import { allSlots } from '../../shared/store/slot';
import { addDays, dayOf } from '../journal/journal';
import type { ScheduleRepository } from './schedule.repository';
import { type ClosingTurn, type SettlementDeps, settle } from './settlement.service';

const closingHourMs = 2 * 3_600_000;

/** The day that is due to be closed at that moment. */
export function dueDay(now: Date): string {
  return addDays(dayOf(new Date(now.getTime() - closingHourMs)), -1);
}

/** A day that was closed by itself. */
export interface ClosedByItself {
  day: string;
  payouts: number;
  /** Every lane has closed it, and this was the last one. */
  isWhole: boolean;
}

/** Closes the day that is due, for a lane or for all; earlier ones that nobody closed go with it. Null when that was done before, or came to no end. */
export async function settleDue(
  deps: SettlementDeps & { schedule: ScheduleRepository },
  requestId: string,
  turn: ClosingTurn = {},
): Promise<ClosedByItself | null> {
  const { environment, schedule } = deps;
  const { slots = allSlots, stopping } = turn;
  const day = dueDay(deps.clock.now());
  if (await schedule.isClosed(environment, slots, day)) return null;
  const { payouts } = await settle(deps, day, requestId, turn);
  if (stopping?.aborted) return null;
  return { day, payouts: payouts.length, isWhole: await schedule.keep(environment, slots, day) };
}
