// The sandbox's built-in callback receiver in MongoDB: the latest requests it got (a capped collection) and the fault ordered for the next ones.
import type { Connection } from 'mongoose';
import { collectionOf, driverDatabase } from '../../shared/store/collection-of';
import { platformSettings } from '../../shared/store/platform-settings';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { findAll } from '../../shared/store/reading';
import { storedSchema, storedText, there } from '../../shared/store/stored-schema';

const collection = 'received_callbacks';
const faultId = 'receiverFault';
const bytesMax = 16 * 1024 * 1024;
const requestsMax = 5_000;

export interface ReceivedCallback {
  _id: string;
  receivedAt: Date;
  method: string;
  path: string;
  /** As JSON text, names in the spelling received. */
  headers: string;
  body: string;
  /** What the receiver answered. */
  status: number;
}

const schema = storedSchema<ReceivedCallback>(collection, {
  _id: storedText,
  receivedAt: there(Date),
  method: storedText,
  path: storedText,
  headers: storedText,
  body: storedText,
  status: there(Number),
});

export interface ReceiverFault {
  status: number | null;
  delayMs: number | null;
  /** How many requests it is still for; null until it is replaced. */
  times: number | null;
}

export interface ReceiverRepository {
  insert(received: ReceivedCallback): Promise<void>;
  /** Newest first. */
  list(limit: number): Promise<ReceivedCallback[]>;
  setFault(fault: ReceiverFault): Promise<void>;
  /** The fault for one more request, counted down; null when none is ordered. */
  takeFault(): Promise<ReceiverFault | null>;
  ensureCollection(): Promise<void>;
}

export function createReceiverRepository(connection: Connection): ReceiverRepository {
  const received = collectionOf<ReceivedCallback>(connection, collection);
  const settings = platformSettings<ReceiverFault & { _id: string }>(connection);

  return {
    insert: async (request) => void (await received.insertOne(request)),
    list: (limit) => findAll(received, {}, { sort: { $natural: -1 }, limit }),
    setFault: async (fault) => void (await settings.replaceOne({ _id: faultId }, fault, { upsert: true })),
    async takeFault() {
      const counted = await settings.findOneAndUpdate({ _id: faultId, times: { $gt: 0 } }, { $inc: { times: -1 } });
      return counted ?? (await settings.findOne({ _id: faultId, times: null }));
    },
    async ensureCollection() {
      const options = { capped: true, size: bytesMax, max: requestsMax };
      await driverDatabase(connection)
        .createCollection(collection, options)
        .catch((error: { codeName?: string }) => {
          if (error.codeName !== 'NamespaceExists') throw error;
        });
      await prepareCollection(connection, schema);
    },
  };
}
