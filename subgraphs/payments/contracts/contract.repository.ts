// Stored consents at rest; never a card number, only the acquirer's reference (payment interface, recurrence and PaymentWithToken).
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, type Environment, environments } from '../../shared/callers/caller';
import { newId } from '../../shared/ids';
import { ofSlotOf, ofSlotOfCaller, ofSlotOfIds } from '../../shared/store/of-slot';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { slotOf } from '../../shared/store/slot';
import {
  absentOr,
  absentOrNull,
  maybeText,
  orNull,
  sealedPart,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { paymentFamilies } from '../operations/operation';
import { ownFilter } from '../operations/operation.repository';
import { instrumentPart } from '../payment/instrument.repository';
import { type Contract, contractStatuses, contractTypes } from './contract';

type StoredContract = Omit<Contract, 'pending'> & {
  _id: string;
  /** Absent in those of a release before. */
  pending?: Contract['pending'];
  /** Absent in those of a release before. */
  slot?: number;
};

const contractsCollection = 'contracts';

const schema = storedSchema<StoredContract>(contractsCollection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  contractId: storedText,
  accountId: storedText,
  merchantId: storedText,
  slot: absentOr(Number),
  originPaymentId: storedText,
  type: there(String, { enum: contractTypes }),
  status: there(String, { enum: contractStatuses }),
  pending: absentOrNull(
    storedPart<NonNullable<Contract['pending']>>({
      type: there(String, { enum: contractTypes }),
      expiryDate: maybeText,
      frequencyDays: orNull(Number),
      instrument: there(instrumentPart),
      originPaymentId: storedText,
    }),
  ),
  family: there(String, { enum: paymentFamilies }),
  expiryDate: maybeText,
  frequencyDays: orNull(Number),
  instrument: there(instrumentPart),
  tokenHash: maybeText,
  secretHash: maybeText,
  shown: orNull(sealedPart),
  createdAt: there(Date),
  updatedAt: there(Date),
  version: there(Number),
});
schema.index({ slot: 1, environment: 1, merchantId: 1, contractId: 1 }, { unique: true });
schema.index({ originPaymentId: 1 });
// Not unique: it is the hash of 256 random bits.
schema.index({ tokenHash: 1, slot: 1 }, { partialFilterExpression: { tokenHash: { $type: 'string' } } });

export type ContractRepository = ReturnType<typeof createContractRepository>;

export function createContractRepository(connection: Connection) {
  const records: Model<StoredContract> = connection.model<StoredContract>('Contract', schema);
  const findOne = async (filter: object): Promise<Contract | null> => {
    const found = await reading(records.findOne(filter).lean<StoredContract>());
    return found ? contractOf(found) : null;
  };

  return {
    find: (environment: Environment, merchantId: string, contractId: string): Promise<Contract | null> =>
      findOne({ environment, merchantId, contractId, ...ofSlotOf(merchantId) }),
    /** Null when it is absent or belongs to somebody else. */
    findByToken: (caller: Caller, tokenHash: string): Promise<Contract | null> =>
      findOne({
        ...ownFilter(caller),
        tokenHash: trusted({ $type: 'string', $eq: tokenHash }),
        ...ofSlotOfCaller(caller),
      }),
    findByOrigin: (caller: Caller, originPaymentId: string): Promise<Contract | null> =>
      findOne({ ...ownFilter(caller), originPaymentId, ...ofSlotOfIds([originPaymentId], caller) }),
    insertOf: (contract: Contract): InsertWrite => ({
      collection: contractsCollection,
      document: { _id: newId(), slot: slotOf(contract), ...contract },
    }),
    /** Saves where the version read is still the present one. */
    updateOf({ environment, merchantId, contractId, version }: Contract, change: Partial<Contract>): UpdateWrite {
      return {
        collection: contractsCollection,
        filter: { environment, merchantId, contractId, version, ...ofSlotOf(merchantId) },
        update: { $set: { ...change, version: version + 1 } },
      };
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}

function contractOf({ _id, slot: _slot, pending = null, ...contract }: StoredContract): Contract {
  return { ...contract, pending };
}
