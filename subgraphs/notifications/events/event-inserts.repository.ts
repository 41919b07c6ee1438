// The stream of what is written to the log, as MongoDB tells it.
import type { Timestamp } from 'mongodb';
import type { Connection } from 'mongoose';
import { collectionOf, driverDatabase } from '../../shared/store/collection-of';
import type { EventRecord } from '../../shared/store/unit-of-work';
import type { Lane } from './lane';

export interface InsertListener {
  onInsert(event: EventRecord): void;
  onEnd(error: unknown): void;
}

/** Resolves once everything committed from now on is sure to come, although the driver opens the stream itself later. */
export async function watchInserts(
  connection: Connection,
  { from, to }: Lane,
  { onInsert, onEnd }: InsertListener,
): Promise<{ close(): Promise<void> }> {
  // As of what a majority has, which is what every other read here sees: an event that is committed but not there yet comes by the stream.
  const { operationTime } = await driverDatabase(connection).command({
    find: 'events',
    limit: 1,
    singleBatch: true,
    projection: { _id: 1 },
    readConcern: { level: 'majority' },
  });
  const stream = collectionOf<EventRecord>(connection, 'events').watch(
    [{ $match: { operationType: 'insert', 'fullDocument.slot': { $gte: from, $lte: to } } }],
    {
      batchSize: 1_000,
      maxAwaitTimeMS: 5_000,
      startAtOperationTime: operationTime as Timestamp,
    },
  );
  let isClosed = false;
  const end = (error: unknown) => {
    if (isClosed) return;
    isClosed = true;
    void stream.close().catch(() => undefined);
    onEnd(error);
  };
  stream.on('change', (change) => {
    if (change.operationType === 'insert') onInsert(change.fullDocument);
  });
  stream.on('error', end);
  stream.on('close', () => end(new Error('the change stream was closed')));
  return {
    async close() {
      isClosed = true;
      await stream.close();
    },
  };
}
