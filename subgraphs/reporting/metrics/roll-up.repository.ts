// Roll-ups at rest: what a batch adds, with the place in the log that it was read to, in one transaction; and the few that a question needs.
import type { ClientSession, Document, Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/present-members';
import { driverDatabase } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll, reading } from '../../shared/store/reading';
import { maybeText, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import { inOneTransaction } from '../../shared/store/transaction';
import { checkpointsIn, durably, type FeedState } from '../journal/checkpoint.repository';
import { type BookSet, bookCollection, bookCollectionName } from '../journal/collections.repository';
import type { LogLane } from '../journal/read-log';
import { type Grain, grains, type Level, levels, type RollUp, rollUpId, type Sums } from './roll-up';

export type Counts = Record<string, number | bigint>;
export type Amounts = Record<string, bigint>;

export type StoredRollUp = RollUp['key'] & {
  _id: string;
  /** `<environment>:<level>:<grain>`. */
  series: string;
  start: Date;
  counts?: Counts;
  minor?: Amounts;
  circuitCounts?: Counts;
  circuitMinor?: Amounts;
  countryCounts?: Counts;
  countryMinor?: Amounts;
};

const counts = { type: Map, of: Number, default: undefined };
const amounts = { type: Map, of: BigInt, default: undefined };
const schema = storedSchema<StoredRollUp>('metric_sums', {
  _id: storedText,
  series: there(String, {
    enum: environments.flatMap((environment) =>
      levels.flatMap((level) => grains.map((grain) => seriesOf({ environment, level, grain }))),
    ),
  }),
  start: there(Date),
  accountId: maybeText,
  merchantId: maybeText,
  terminalId: maybeText,
  method: maybeText,
  circuit: maybeText,
  currency: maybeText,
  country: maybeText,
  counts,
  minor: amounts,
  circuitCounts: counts,
  circuitMinor: amounts,
  countryCounts: counts,
  countryMinor: amounts,
});
schema.index({ merchantId: 1, series: 1, start: 1 });
schema.index({ accountId: 1, series: 1, start: 1 });

const stateSchema = storedSchema<FeedState>('metric_state', { _id: storedText, position: there(Number) });

/** Everything that counting some events writes. */
export interface RollUpBatch {
  environment: Environment;
  /** The lane that it was read from. */
  feed: LogLane;
  /** The checkpoint that it continues; another one there means that somebody else was faster. */
  from: number;
  to: number;
  rollUps: RollUp[];
  /** The leader's own, so that whoever comes after it can end what it left open. */
  session?: ClientSession;
}

/** Of which roll-ups a question is answered. */
export interface RollUpRange {
  environment: Environment;
  level: Level;
  grain: Grain;
  /** Inclusive. */
  from: Date;
  /** Exclusive. */
  to: Date;
  /** Whose: of an account, of merchants, or of everybody. */
  accountId?: string;
  merchantIds?: readonly string[];
  /** Those with one of these values, and those that have none: applications. */
  currencies?: readonly string[];
  /** Which of the sums are wanted. */
  sums: 'all' | 'circuits' | 'countries';
  /** Of the sums that are not of parts only these are read; null: all. */
  counters: readonly string[] | null;
  limit: number;
}

export type RollUpRepository = ReturnType<typeof createRollUpRepository>;

export function createRollUpRepository(connection: Connection, set: BookSet = 'live') {
  const sums = bookCollection<StoredRollUp>(connection, 'metric_sums', set);
  const state = bookCollection<FeedState>(connection, 'metric_state', set);
  const checkpoints = checkpointsIn(state);

  /** As a command: the driver's own bulk writes cost this process twice as much for each. */
  async function addAll(rollUps: readonly RollUp[], session: ClientSession): Promise<void> {
    const command = { update: sums.collectionName, updates: rollUps.map(increment), ordered: false };
    const { writeErrors = [] } = await driverDatabase(connection).command(command, { session });
    if (writeErrors.length > 0) throw new Error(`sums were refused: ${JSON.stringify(writeErrors[0])}`);
  }

  return {
    ...checkpoints,
    /** False: nothing was written, because the checkpoint is another one now. */
    commit(batch: RollUpBatch): Promise<boolean> {
      if (batch.rollUps.length === 0) return checkpoints.move(batch, durably);
      return inOneTransaction(
        connection,
        async (session) => {
          if (!(await checkpoints.move(batch, { session }))) return false;
          await addAll(batch.rollUps, session);
          return true;
        },
        (isWritten) => isWritten,
        batch.session,
      );
    },
    read: (range: RollUpRange): Promise<StoredRollUp[]> =>
      reading(findAll(sums, filterOf(range), { projection: projectionOf(range), limit: range.limit })),
    async prepare(): Promise<void> {
      await prepareCollection(connection, schema, bookCollectionName('metric_sums', set));
      await prepareCollection(connection, stateSchema, bookCollectionName('metric_state', set));
    },
  };
}

function seriesOf({ environment, level, grain }: Pick<RollUp, 'environment' | 'level' | 'grain'>): string {
  return `${environment}:${level}:${grain}`;
}

function filterOf(range: RollUpRange): Filter<StoredRollUp> {
  const { from, to, accountId, merchantIds, currencies } = range;
  const currency = currencies ? { currency: { $in: [...currencies, null] } } : {};
  // In the order of their ids they are in that of time.
  if (!accountId && !merchantIds)
    return { _id: { $gte: rollUpId(range, from), $lt: rollUpId(range, to) }, ...currency };
  return {
    series: seriesOf(range),
    start: { $gte: from, $lt: to },
    ...withoutUndefined({ accountId, merchantId: merchantIds && { $in: [...merchantIds] } }),
    ...currency,
  };
}

function projectionOf({ level, sums, counters }: RollUpRange): Document {
  const key = { _id: 0, start: 1, merchantId: 1, currency: 1 };
  if (sums === 'circuits') return { ...key, circuitCounts: 1, circuitMinor: 1 };
  if (sums === 'countries') return { ...key, countryCounts: 1, countryMinor: 1 };
  const whole = level === 'DETAIL' ? { ...key, terminalId: 1, method: 1, circuit: 1, country: 1 } : key;
  if (counters === null) return { ...whole, counts: 1, minor: 1 };
  const named = counters.flatMap((name) => [[`counts.${name}`, 1] as const, [`minor.${name}`, 1] as const]);
  return { ...whole, ...Object.fromEntries(named) };
}

function increment(rollUp: RollUp) {
  const { id, start, key, sums, circuits, countries } = rollUp;
  const added = {
    ...fieldsOf('counts', 'minor', sums),
    ...fieldsOf('circuitCounts', 'circuitMinor', circuits),
    ...fieldsOf('countryCounts', 'countryMinor', countries),
  };
  return {
    q: { _id: id },
    u: { $inc: added, $setOnInsert: { series: seriesOf(rollUp), start, ...key } },
    upsert: true,
  };
}

function fieldsOf(countsName: string, minorName: string, sums: Sums) {
  const fields: Record<string, number | bigint> = {};
  for (const [name, { count, minor }] of sums) {
    fields[`${countsName}.${name}`] = count;
    if (minor !== undefined) fields[`${minorName}.${name}`] = minor;
  }
  return fields;
}
