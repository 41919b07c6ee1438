// Sums of attempts to deliver callbacks, by hour and by day, of everybody and of each merchant; pure.
import type { Environment } from '../../shared/callers/caller';
import type { Histogram } from './latency';
import { type Grain, rollUpId } from './roll-up';

export interface CallbackSum {
  /** `callbackSumId`. */
  id: string;
  environment: Environment;
  level: 'PLATFORM' | 'MERCHANT';
  grain: Grain;
  start: Date;
  accountId: string | null;
  merchantId: string | null;
  attempts: number;
  delivered: number;
  /** Of those that were answered. */
  latency: Histogram;
}

export function callbackSumId(
  kind: Pick<CallbackSum, 'environment' | 'level' | 'grain'>,
  start: Date,
  owner: Pick<CallbackSum, 'accountId' | 'merchantId'> | null,
): string {
  return rollUpId(kind, start, owner ? [owner.accountId, owner.merchantId] : []);
}
