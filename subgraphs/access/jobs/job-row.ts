// One row of a job: what it is about, whether it was attempted, and what came of it. Pure.
import type { Environment } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import { parseMinor } from '../../shared/money';
import { type JobAct, jobActs } from './job';

/** UNKNOWN: it may have been done, and a person must look. */
export const rowOutcomes = ['WAITING', 'SUCCEEDED', 'FAILED', 'UNKNOWN'] as const;
export type RowOutcome = (typeof rowOutcomes)[number];

export interface JobRow {
  jobId: string;
  /** 1, 2, 3 ... */
  number: number;
  environment: Environment;
  accountId: string | null;
  /** Id of the thing that is acted on. */
  key: string;
  /** Minor units as they were asked for; null: all that is left. */
  asked: string | null;
  outcome: RowOutcome;
  /** What exactly is acted on, once that was looked up: kept before the act, so that whoever goes on after a death does the same. */
  target: string | null;
  /** When the act was first tried. */
  attemptedAt: Date | null;
  /** What it moved or would move. */
  amount: string | null;
  currency: string | null;
  /** The operation that it made. */
  operationId: string | null;
  /** Why not, by code and in words. */
  code: string | null;
  message: string | null;
  endedAt: Date | null;
  expiresAt: Date;
}

/** What is written down of a row that has ended. */
export type RowEnding = Pick<JobRow, 'outcome' | 'amount' | 'currency' | 'operationId' | 'code' | 'message'>;

export const nothingKnown = { amount: null, currency: null, operationId: null, code: null, message: null } as const;

export function failure(code: string, message: string): RowEnding {
  return { ...nothingKnown, outcome: 'FAILED', code, message };
}

export function unknown(code: string, message: string): RowEnding {
  return { ...nothingKnown, outcome: 'UNKNOWN', code, message };
}

/** As many as the variables of one call hold. */
const idsMax = 4_000;
const idCharactersMax = 100;

export interface AskedAmount {
  id: string;
  amount: string;
}

/** What is acted on, each once, with the amount that was asked for it. Refuses with `invalidInput` or `amountInvalid`. */
export function readItems(
  act: JobAct,
  ids: readonly string[],
  amounts: readonly AskedAmount[],
): { key: string; asked: string | null }[] {
  if (ids.length < 1 || ids.length > idsMax)
    throw new DomainError('invalidInput', `a job is about 1 to ${idsMax} ids`, { field: 'ids' });
  if (ids.some((id) => id === '' || id.length > idCharactersMax))
    throw new DomainError('invalidInput', `an id has 1 to ${idCharactersMax} characters`, { field: 'ids' });
  const keys = [...new Set(ids)];
  if (amounts.length > 0 && !jobActs[act].takesAmount)
    throw new DomainError('invalidInput', `${act} takes no amount`, { field: 'amounts' });
  const asked = new Map(amounts.map(({ id, amount }) => [id, readAsked(amount)]));
  if (asked.size < amounts.length)
    throw new DomainError('invalidInput', 'one id has several amounts', { field: 'amounts' });
  const stray = amounts.find(({ id }) => !keys.includes(id));
  if (stray) throw new DomainError('invalidInput', 'an amount is of none of the ids', { field: 'amounts' });
  return keys.map((key) => ({ key, asked: asked.get(key) ?? null }));
}

function readAsked(amount: string): string {
  const minor = parseMinor(amount);
  if (minor === 0n) throw new DomainError('amountInvalid', 'amount is zero', { field: 'amounts' });
  return minor.toString();
}
