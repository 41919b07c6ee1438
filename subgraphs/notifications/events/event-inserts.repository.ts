// The stream of what is written to the log, as MongoDB tells it: one for all lanes that a process leads, because each stream looks through everything that is written to the database.
import { type ChangeStream, type ChangeStreamInsertDocument, type ClientSession, Timestamp } from 'mongodb';
import type { Connection } from 'mongoose';
import { createDeadline } from '../../shared/deadline';
import { collectionOf, driverDatabase } from '../../shared/store/collection-of';
import type { EventRecord } from '../../shared/store/unit-of-work';
import type { Lane } from './lane';

export interface InsertListener {
  onInsert(event: EventRecord): void;
  onEnd(error: unknown): void;
}

interface LaneListener extends InsertListener {
  lane: Lane;
}

type InsertStream = ChangeStream<EventRecord, ChangeStreamInsertDocument<EventRecord>>;

/** The session is ours: one of the driver's own ends with an answer that comes while the stream closes, and the cursor stays open at MongoDB for ten minutes. */
interface OpenInsertStream {
  stream: InsertStream;
  session: ClientSession;
}

const openMsMax = 5_000;
const lookMs = 20;
/** How far back a stream begins that takes over from another one: what that had not told yet is younger. */
const overlapSeconds = 5;

/** Resolves once everything committed from now on is sure to come, although the driver opens the stream itself later. An event may come twice. */
export type WatchInserts = (lane: Lane, listener: InsertListener) => Promise<{ close(): Promise<void> }>;

export function createInsertWatch(connection: Connection): WatchInserts {
  const listeners = new Set<LaneListener>();
  let present: (OpenInsertStream & { since: Timestamp }) | null = null;

  function join(listener: LaneListener, now: Timestamp): void {
    listeners.add(listener);
    const former = present;
    const since = former ? later(former.since, before(now)) : now;
    const opened = openStream(connection, [...listeners], since);
    const { stream } = opened;
    present = { ...opened, since };
    if (former) void retire(former).catch(() => undefined);
    const end = (error: unknown) => {
      if (present?.stream !== stream) return;
      present = null;
      void close(opened).catch(() => undefined);
      const told = [...listeners];
      listeners.clear();
      for (const { onEnd } of told) onEnd(error);
    };
    stream.on('change', ({ fullDocument }) => {
      if (present?.stream !== stream) return;
      for (const { lane, onInsert } of listeners) if (isIn(fullDocument, lane)) onInsert(fullDocument);
    });
    stream.on('error', end);
    stream.on('close', () => end(new Error('the change stream was closed')));
  }

  /** The others keep the stream as it is until somebody joins. */
  async function leave(listener: LaneListener): Promise<void> {
    if (!listeners.delete(listener) || listeners.size > 0) return;
    const former = present;
    present = null;
    if (former) await retire(former);
  }

  return async (lane, { onInsert, onEnd }) => {
    const listener: LaneListener = { lane, onInsert, onEnd };
    join(listener, await majorityTime(connection));
    return { close: () => leave(listener) };
  };
}

function openStream(
  connection: Connection,
  listeners: readonly LaneListener[],
  startAtOperationTime: Timestamp,
): OpenInsertStream {
  const ranges = listeners.map(({ lane: { from, to } }) => ({ 'fullDocument.slot': { $gte: from, $lte: to } }));
  const wanted = { $match: { operationType: 'insert', $or: ranges } };
  const session = driverDatabase(connection).client.startSession({ causalConsistency: false });
  const options = { batchSize: 1_000, maxAwaitTimeMS: 5_000, startAtOperationTime, session };
  const events = collectionOf<EventRecord>(connection, 'events');
  return { stream: events.watch<EventRecord, ChangeStreamInsertDocument<EventRecord>>([wanted], options), session };
}

/** Closed before MongoDB has opened it, a stream would leave its cursor there for ten minutes. */
async function retire(opened: OpenInsertStream): Promise<void> {
  const { stream } = opened;
  const isOver = createDeadline(openMsMax);
  while (!stream.resumeToken && !stream.closed && !isOver())
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  await close(opened);
}

async function close({ stream, session }: OpenInsertStream): Promise<void> {
  try {
    await stream.close();
  } finally {
    await session.endSession();
  }
}

/** As of what a majority has, which is what every other read here sees: an event that is committed but not there yet comes by the stream. */
async function majorityTime(connection: Connection): Promise<Timestamp> {
  const { operationTime } = await driverDatabase(connection).command({
    find: 'events',
    limit: 1,
    singleBatch: true,
    projection: { _id: 1 },
    readConcern: { level: 'majority' },
  });
  return operationTime as Timestamp;
}

function before({ t }: Timestamp): Timestamp {
  return new Timestamp({ t: t - overlapSeconds, i: 0 });
}

function later(one: Timestamp, other: Timestamp): Timestamp {
  return one.greaterThan(other) ? one : other;
}

function isIn({ slot }: EventRecord, { from, to }: Lane): boolean {
  return slot !== undefined && slot >= from && slot <= to;
}
