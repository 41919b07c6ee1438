// Proposals in MongoDB, newest first: one document each, ended by one conditional write.
import { type Connection, type Model, Schema, trusted } from 'mongoose';
import { type Caller, environments, tenantFilter } from '../shared/caller';
import { olderThan } from '../shared/older';
import type { InsertWrite, UpdateWrite } from '../shared/outbox';
import type { Page } from '../shared/page';
import { proposalKinds } from '../shared/proposal';
import { reading } from '../shared/reading';
import { keptStatuses, type Proposal, type ProposalStatus, proposalLifeMs } from './proposal';

const collection = 'proposals';

type Stored = Omit<Proposal, 'proposalId'> & { _id: string };

const required = { required: true } as const;
const schema = new Schema<Stored>(
  {
    _id: { type: String, ...required },
    environment: { type: String, enum: environments, ...required },
    accountId: { type: String, default: null },
    kind: { type: String, enum: proposalKinds, ...required },
    subjectType: { type: String, ...required },
    subjectId: { type: String, ...required },
    reason: { type: String, default: null },
    changes: [new Schema({ field: String, from: String, to: String }, { _id: false })],
    input: { type: Schema.Types.Mixed, ...required },
    kept: { type: String, enum: keptStatuses, ...required },
    proposedBy: { type: String, ...required },
    proposedAt: { type: Date, ...required },
    endedBy: { type: String, default: null },
    endedAt: { type: Date, default: null },
    rejection: { type: String, default: null },
    resultId: { type: String, default: null },
  },
  { collection, versionKey: false, autoIndex: false, autoCreate: false },
);
schema.index({ environment: 1, proposedAt: -1, _id: -1 });
schema.index({ environment: 1, kept: 1, proposedAt: -1, _id: -1 });
schema.index({ environment: 1, accountId: 1, proposedAt: -1, _id: -1 });

interface ProposalQuery {
  status: ProposalStatus | null;
  now: Date;
  size: number;
  /** Place of the last one seen: time in milliseconds, id. */
  after: { atMs: number; id: string } | null;
}

/** How a proposal ends. */
export type Ending = Pick<Proposal, 'kept' | 'endedBy' | 'endedAt' | 'rejection' | 'resultId'>;

export interface ProposalRepository {
  find(caller: Caller, proposalIds: readonly string[]): Promise<Proposal[]>;
  /** Newest first. */
  list(caller: Caller, query: ProposalQuery): Promise<Page<Proposal>>;
  insert(proposal: Proposal): InsertWrite;
  /** Matches only while nobody has ended it. */
  end(proposal: Proposal, ending: Ending): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createProposalRepository(connection: Connection): ProposalRepository {
  const proposals: Model<Stored> = connection.model<Stored>('Proposal', schema);
  return {
    async find(caller, proposalIds) {
      const filter = { ...tenantFilter(caller), _id: trusted({ $in: [...proposalIds] }) };
      return (await reading(proposals.find(filter).lean<Stored[]>())).map(fromStored);
    },
    async list(caller, { status, now, size, after }) {
      const isAfter = after ? olderThan('proposedAt', { at: new Date(after.atMs), id: after.id }) : {};
      const found = await reading(
        proposals
          .find({ $and: [{ ...tenantFilter(caller), ...byStatus(status, now) }, isAfter] })
          .sort({ proposedAt: -1, _id: -1 })
          .limit(size + 1)
          .lean<Stored[]>(),
      );
      return { items: found.slice(0, size).map(fromStored), hasNextPage: found.length > size };
    },
    insert: ({ proposalId, ...rest }) => ({ collection, document: { _id: proposalId, ...rest } }),
    end: ({ proposalId, environment }, ending) => ({
      collection,
      filter: { _id: proposalId, environment, kept: 'PENDING' },
      update: { $set: ending },
    }),
    ensureIndexes: () => proposals.createIndexes(),
  };
}

/** PENDING and EXPIRED are one status in the store, told apart by their age. */
function byStatus(status: ProposalStatus | null, now: Date): object {
  const oldest = new Date(now.getTime() - proposalLifeMs);
  if (status === null) return {};
  if (status === 'PENDING') return { kept: 'PENDING', proposedAt: trusted({ $gt: oldest }) };
  if (status === 'EXPIRED') return { kept: 'PENDING', proposedAt: trusted({ $lte: oldest }) };
  return { kept: status };
}

function fromStored({ _id, ...rest }: Stored): Proposal {
  return { ...rest, proposalId: _id };
}
