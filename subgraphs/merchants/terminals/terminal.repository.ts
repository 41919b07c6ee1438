// Terminals at rest; looked up by id at every call of a checkout and listed by merchant.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import { newId } from '../../shared/ids';
import { collectionOf } from '../../shared/store/collection-of';
import { createGroupedReader } from '../../shared/store/grouped-reader';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { merchantStatuses } from '../merchant';
import { methodNames, type Terminal, terminalCaptureTypes } from './terminal';

type StoredTerminal = Terminal & { _id: string };

const collection = 'terminals';
const schema = storedSchema<StoredTerminal>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  terminalId: storedText,
  accountId: storedText,
  merchantId: storedText,
  label: storedText,
  status: there(String, { enum: merchantStatuses }),
  captureType: there(String, { enum: terminalCaptureTypes }),
  captureDelayHours: there(Number),
  origins: there([String]),
  methods: there([{ type: String, enum: methodNames }]),
  currencies: there([String]),
  createdAt: there(Date),
  version: there(Number),
});
schema.index({ environment: 1, terminalId: 1 }, { unique: true });
schema.index({ environment: 1, merchantId: 1, terminalId: 1 });

export type TerminalRepository = ReturnType<typeof createTerminalRepository>;

export function createTerminalRepository(connection: Connection) {
  const records: Model<StoredTerminal> = connection.model<StoredTerminal>('Terminal', schema);
  const readOne = createGroupedReader<StoredTerminal>(collectionOf(connection, collection), { field: 'terminalId' });

  return {
    async findMany(caller: Caller, terminalIds: readonly string[]): Promise<Terminal[]> {
      const filter = { ...tenantFilter(caller), terminalId: trusted({ $in: terminalIds }) };
      return (await reading(records.find(filter).lean<StoredTerminal[]>())).map(terminalOf);
    },
    /** Without a caller: for the checks that other domains make. */
    async findFacts(environment: Environment, terminalId: string): Promise<Terminal | null> {
      const found = await readOne(terminalId, { environment });
      return found && terminalOf(found);
    },
    /** By terminalId, of all these merchants at once. */
    async listOf(caller: Caller, merchantIds: readonly string[]): Promise<Terminal[]> {
      const filter = { ...tenantFilter(caller), merchantId: trusted({ $in: merchantIds }) };
      return (await reading(records.find(filter).sort({ terminalId: 1 }).lean<StoredTerminal[]>())).map(terminalOf);
    },
    countOf: (environment: Environment, merchantId: string): Promise<number> =>
      reading(records.countDocuments({ environment, merchantId })),
    insertOf: (terminal: Terminal): InsertWrite => ({ collection, document: { _id: newId(), ...terminal } }),
    /** Saves where the version read is still the present one. */
    updateOf({ environment, terminalId, version }: Terminal, change: Partial<Terminal>): UpdateWrite {
      return {
        collection,
        filter: { environment, terminalId, version },
        update: { $set: { ...change, version: version + 1 } },
      };
    },
    /** For the sandbox's own tenants: makes what is missing, puts its present first origin first, and leaves what was changed since. */
    async seed({ environment, terminalId, ...rest }: Terminal): Promise<void> {
      const [first = ''] = rest.origins;
      const which = { environment, terminalId };
      await records.updateOne(which, { $setOnInsert: { _id: newId(), ...rest } }, { upsert: true });
      const present = { $push: { origins: { $each: [first], $position: 0 } } };
      await records.updateOne({ ...which, origins: trusted({ $ne: first }) }, present);
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function terminalOf({ _id, ...terminal }: StoredTerminal): Terminal {
  return terminal;
}
