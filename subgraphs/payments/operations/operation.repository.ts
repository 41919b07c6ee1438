// Operations at rest: the listing of everything that moved or tried to move money, written in the unit of work of its payment (hosted checkout, Operation object).
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import { withoutUndefined } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { createGroupedReader } from '../../shared/store/grouped-reader';
import { ofSlotOf, ofSlotOfIds } from '../../shared/store/of-slot';
import { dropIndexes, prepareCollection } from '../../shared/store/prepare-collection';
import { slotOf } from '../../shared/store/slot';
import {
  absentOr,
  maybeText,
  openObject,
  orNull,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { operationResults, operationTypes, paymentMethods } from '../../shared/vocabulary/operation';
import {
  channels,
  type Operation,
  type OperationCall,
  operationCallSteps,
  paymentFamilies,
  type Warning,
} from './operation';
import { type ListingIndex, listedWherePresent, listingIndexes, profileOf } from './operation-facets';

export const operationsCollection = 'operations';

/** As it lies in the collection; whole numbers of 64 bits come back as number or bigint. */
export type StoredOperation = Omit<Operation, 'operationId' | 'amountMinor'> & {
  _id: string;
  amountMinor: bigint | number;
  /** Absent in operations of a release before. */
  slot?: number;
  /** What the listing finds it by. */
  profile: string;
};

/** A warning, as operations, calls and sessions keep it. */
export const warningPart = storedPart<Warning>({ code: storedText, description: storedText });
const callPart = storedPart<OperationCall>({
  callId: storedText,
  step: there(String, { enum: operationCallSteps }),
  requestKey: absentOr(String),
});
const schema = storedSchema<StoredOperation>(operationsCollection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  merchantId: storedText,
  slot: absentOr(Number),
  terminalId: maybeText,
  paymentId: storedText,
  sessionId: maybeText,
  family: there(String, { enum: paymentFamilies }),
  orderId: maybeText,
  channel: there(String, { enum: channels }),
  channelDetail: maybeText,
  type: there(String, { enum: operationTypes }),
  result: there(String, { enum: operationResults }),
  time: there(Date),
  createdAt: there(Date),
  amountMinor: there(BigInt),
  currency: storedText,
  method: there(String, { enum: paymentMethods }),
  circuit: maybeText,
  instrumentInfo: maybeText,
  endToEndId: maybeText,
  parentOperationId: maybeText,
  cancelledOperationId: maybeText,
  omnichannelId: maybeText,
  paymentLinkId: maybeText,
  customField: maybeText,
  description: maybeText,
  reason: maybeText,
  contractId: maybeText,
  contractType: maybeText,
  installmentQty: orNull(Number),
  profile: storedText,
  customerInfo: orNull(openObject),
  warnings: there([warningPart]),
  additionalData: there(openObject),
  call: absentOr(callPart),
});
for (const [name, key] of Object.entries(listingIndexes)) {
  const field = listedWherePresent[name as ListingIndex];
  const partly = withoutUndefined({ partialFilterExpression: field ? textOnly(field) : undefined });
  schema.index({ ...key }, { name, ...partly });
}
schema.index({ environment: 1, time: -1, _id: -1 });
schema.index({ environment: 1, accountId: 1, time: -1, _id: -1 });
schema.index({ paymentId: 1, time: 1, _id: 1 });
schema.index(
  { environment: 1, result: 1, time: -1, _id: -1 },
  { name: 'waiting', partialFilterExpression: { result: 'PENDING' } },
);
for (const name of ['orderId', 'customField', 'contractId'])
  schema.index({ environment: 1, [name]: 1, time: -1, _id: -1 }, { partialFilterExpression: textOnly(name) });

/** An index of rows with a $type would not be used for an equality. */
function textOnly(field: string) {
  return { [field]: { $gte: '' } };
}

/** Of 0.3 and before: wider, and of every operation; and of visits. */
const retiredIndexes = [
  'sessionId_1',
  ...(['byTime', 'byProfile', 'byAmount', 'byOrder', 'byCustomField', 'byContract'] as const),
  ...(['byType', 'byResult', 'byCircuit', 'environment_1_amountMinor_1_time_-1__id_-1'] as const),
];

/** A payment, as far as its operations are found by it. */
interface RequestedPayment {
  environment: Environment;
  merchantId: string;
  entries: readonly Pick<Operation, 'operationId'>[];
}

export type OperationRepository = ReturnType<typeof createOperationRepository>;

export function createOperationRepository(connection: Connection) {
  const records: Model<StoredOperation> = connection.model<StoredOperation>('PaymentOperation', schema);
  const readOne = createGroupedReader<StoredOperation>(collectionOf(connection, operationsCollection));
  return {
    /** Null when it is absent or belongs to somebody else. */
    async find(caller: Caller, operationId: string): Promise<Operation | null> {
      const found = await readOne(operationId, ownFilter(caller));
      return found && operationOf(found);
    },
    async findMany(caller: Caller, ids: readonly string[]): Promise<Operation[]> {
      const filter = { ...ownFilter(caller), _id: trusted({ $in: ids }), ...ofSlotOfIds(ids, caller) };
      return (await records.find(filter).lean<StoredOperation[]>()).map(operationOf);
    },
    /** That one of a payment's operations which came of a request's call, begun not before `since`. */
    async findByRequests(
      { environment, merchantId, entries }: RequestedPayment,
      requestKeys: readonly string[],
      since: Date,
    ): Promise<Operation | null> {
      if (entries.length === 0) return null;
      const _id = trusted({ $in: entries.map(({ operationId }) => operationId) });
      const begun = { 'call.requestKey': trusted({ $in: requestKeys }), createdAt: trusted({ $gt: since }) };
      const filter = { _id, environment, ...begun, ...ofSlotOf(merchantId) };
      const found = await records.findOne(filter).lean<StoredOperation>();
      return found && operationOf(found);
    },
    /** Of one payment, oldest first. */
    async listByPayment(caller: Caller, paymentId: string): Promise<Operation[]> {
      const found = await records
        .find({ ...ownFilter(caller), paymentId, ...ofSlotOfIds([paymentId], caller) })
        .sort({ createdAt: 1, _id: 1 })
        .lean<StoredOperation[]>();
      return found.map(operationOf);
    },
    insertOf(operation: Operation): InsertWrite {
      const { operationId, ...rest } = operation;
      return {
        collection: operationsCollection,
        document: { _id: operationId, slot: slotOf(operation), ...rest, profile: profileOf(operation) },
      };
    },
    /** The final result of a PENDING operation; matches only while it is PENDING. */
    resultOf(operation: Operation): UpdateWrite {
      const { operationId, environment, merchantId, result, time, endToEndId, additionalData } = operation;
      return {
        collection: operationsCollection,
        filter: { _id: operationId, environment, result: 'PENDING', ...ofSlotOf(merchantId) },
        update: { $set: { result, time, endToEndId, additionalData, profile: profileOf(operation) } },
      };
    },
    async ensureIndexes(): Promise<void> {
      await prepareCollection(connection, schema);
      await dropIndexes(connection, operationsCollection, retiredIndexes);
    },
  };
}

/** A merchant's credential sees its merchant only; any other sees its account. */
export function ownFilter(caller: Caller): ReturnType<typeof tenantFilter> & { merchantId?: string } {
  return { ...tenantFilter(caller), ...withoutUndefined({ merchantId: caller.merchantId || undefined }) };
}

export function operationOf({ _id, profile: _foundBy, slot: _slot, ...stored }: StoredOperation): Operation {
  return { operationId: _id, ...stored, amountMinor: BigInt(stored.amountMinor) };
}
