// MongoDB: one connection per process, majority and journal by default, and what its absence means.
import mongoose from 'mongoose';
import { DomainError } from '../errors';
import { endWaitsOfClosedSockets } from './mongo-sockets';

export interface Mongo {
  connection: mongoose.Connection;
  /** Answers within `timeoutMs` whether a primary takes writes. */
  isReady(timeoutMs?: number): Promise<boolean>;
  close(): Promise<void>;
}

/** How long a process looks for a primary when it starts: on a busy machine the first answer takes longer than any later call may. */
const firstPrimaryMsMax = 15_000;

/** How long the driver waits for what; real time. */
const driverTimeouts = {
  serverSelectionTimeoutMS: 2_000,
  // Also how long a heartbeat may stay silent: a server that froze for a moment is not lost, and its calls are not ended.
  connectTimeoutMS: 4_000,
  socketTimeoutMS: 15_000,
  waitQueueTimeoutMS: 5_000,
};

/** Of what nobody waits for but who started it, as the making of indexes: on a large collection one takes hours, and on a slow disk the others wait for a connection as long. */
export const noTimeouts = { socketTimeoutMS: 0, waitQueueTimeoutMS: 0 } as const satisfies Partial<
  typeof driverTimeouts
>;

export interface MongoOptions extends Partial<typeof driverTimeouts> {
  maxPoolSize?: number;
  /** Tells listeners of the client every command. */
  monitorCommands?: boolean;
}

/** Opens the connection to a replica set; rejects when no primary is found in time. */
export async function openMongo(uri: string, applicationName: string, options: MongoOptions = {}): Promise<Mongo> {
  endWaitsOfClosedSockets();
  const connection = await connect(uri, { appName: applicationName, maxPoolSize: 32, ...driverTimeouts, ...options });
  return {
    connection,
    isReady: (timeoutMs = 1_000) => isPrimaryReachable(connection, timeoutMs),
    close: () => connection.close(),
  };
}

async function connect(uri: string, options: mongoose.ConnectOptions): Promise<mongoose.Connection> {
  for (const until = Date.now() + firstPrimaryMsMax; ; ) {
    const connection = mongoose.createConnection(uri, {
      ...options,
      heartbeatFrequencyMS: 2_000,
      retryWrites: true,
      retryReads: true,
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority', journal: true },
      autoIndex: false,
      bufferCommands: false,
    });
    connection.set('sanitizeFilter', true);
    connection.set('strictQuery', true);
    // A later loss of the server shows in each call's own rejection; without a listener it would also end the process.
    connection.on('error', () => undefined);
    try {
      return await connection.asPromise();
    } catch (error) {
      await connection.destroy();
      if (!isDatabaseUnavailable(error) || Date.now() >= until) throw error;
    }
  }
}

/** Whether a primary answers within that time. */
export async function isPrimaryReachable(connection: mongoose.Connection, timeoutMs: number): Promise<boolean> {
  const answer = connection
    .getClient()
    .db('admin')
    .command({ hello: 1 })
    .then((hello) => hello['isWritablePrimary'] === true)
    .catch(() => false);
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false).unref());
  return Promise.race([answer, late]);
}

const unavailableNames = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoTopologyClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'MongooseServerSelectionError',
  'DisconnectedError',
]);

/** The server's code for an operation that took longer than its `maxTimeMS`. */
export const maxTimeMsExpired = 50;

/** Server codes of a node that is stepping down, shutting down, or lost its majority in the middle of a call. */
const unavailableCodes = new Set([6, 7, 24, 64, 89, 91, 100, 189, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436]);

const brokenSocketCodes = new Set(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'ETIMEDOUT']);

/** True when the error means that the database cannot serve now, as opposed to a defect or a refusal. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (unavailableNames.has(error.name)) return true;
  if (error.name === 'MongooseError' && /initial connection|is complete|buffer/i.test(error.message)) return true;
  const { code, errorLabels, cause, errorResponse } = error as Error & {
    code?: unknown;
    errorLabels?: string[];
    cause?: unknown;
    errorResponse?: unknown;
  };
  if (code === maxTimeMsExpired || (typeof code === 'number' && unavailableCodes.has(code))) return true;
  // The driver passes on what a socket says when the server has just closed it.
  if (typeof code === 'string' && brokenSocketCodes.has(code)) return true;
  if (errorLabels?.some((label) => label === 'RetryableWriteError' || label === 'UnknownTransactionCommitResult'))
    return true;
  // A bulk write wraps whatever broke it.
  return [cause, errorResponse].some((inner) => inner !== error && isDatabaseUnavailable(inner));
}

/** What the caller is told while the database is away. */
export function databaseUnavailable(): DomainError {
  return new DomainError('unavailable', 'The database cannot serve now.', { retryAfterSeconds: 2 });
}
