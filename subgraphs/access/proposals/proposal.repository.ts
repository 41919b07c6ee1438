// Proposals in MongoDB, newest first: one document each, ended by one conditional write.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, environments, tenantFilter } from '../../shared/callers/caller';
import { proposalKinds } from '../../shared/callers/proposal';
import { alongTime, type Slice, type TimePlace } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { createIdSearch } from '../../shared/lists/search-by-id';
import { withoutUndefined } from '../../shared/present-members';
import type { Find } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import {
  maybeText,
  openObject,
  orNull,
  storedPart,
  storedSchema,
  storedText,
  there,
} from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { keptStatuses, type Proposal, type ProposalStatus, proposalLifeMs } from './proposal';

const collection = 'proposals';

type StoredProposal = Omit<Proposal, 'proposalId'> & { _id: string };

const schema = storedSchema<StoredProposal>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: maybeText,
  kind: there(String, { enum: proposalKinds }),
  subjectType: storedText,
  subjectId: storedText,
  reason: maybeText,
  changes: there([
    storedPart<StoredProposal['changes'][number]>({ field: storedText, from: maybeText, to: maybeText }),
  ]),
  input: there(openObject),
  kept: there(String, { enum: keptStatuses }),
  proposedBy: storedText,
  proposedAt: there(Date),
  endedBy: maybeText,
  endedAt: orNull(Date),
  rejection: maybeText,
  resultId: maybeText,
});
schema.index({ environment: 1, proposedAt: -1, _id: -1 });
schema.index({ environment: 1, kept: 1, proposedAt: -1, _id: -1 });
schema.index({ environment: 1, accountId: 1, proposedAt: -1, _id: -1 });
schema.index({ resultId: 1 }, { partialFilterExpression: { resultId: { $gt: '' } } });

interface ProposalQuery {
  status: ProposalStatus | null;
  /** What it made. */
  resultId: string | null;
  now: Date;
}

/** How a proposal ends. */
export type ProposalEnding = Pick<Proposal, 'kept' | 'endedBy' | 'endedAt' | 'rejection' | 'resultId'>;

export interface ProposalRepository {
  search: Find;
  find(caller: Caller, proposalIds: readonly string[]): Promise<Proposal[]>;
  /** Newest first. */
  list(caller: Caller, query: ProposalQuery, slice: Slice<TimePlace>): Promise<Page<Proposal>>;
  insert(proposal: Proposal): InsertWrite;
  /** Matches only while nobody has ended it. */
  end(proposal: Proposal, ending: ProposalEnding): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createProposalRepository(connection: Connection): ProposalRepository {
  const proposals: Model<StoredProposal> = connection.model<StoredProposal>('Proposal', schema);
  const listed = collectionOf<StoredProposal>(connection, collection);
  return {
    search: createIdSearch(listed, 'Proposal'),
    async find(caller, proposalIds) {
      const filter = { ...tenantFilter(caller), _id: trusted({ $in: [...proposalIds] }) };
      return (await reading(proposals.find(filter).lean<StoredProposal[]>())).map(fromStored);
    },
    async list(caller, { status, resultId, now }, slice) {
      const made = withoutUndefined({ resultId: resultId || undefined });
      const filter = { ...tenantFilter(caller), ...made, ...byStatus(status, now) };
      return listPage(listed, { filter, ...alongTime('proposedAt', slice) }, fromStored);
    },
    insert: ({ proposalId, ...rest }) => ({ collection, document: { _id: proposalId, ...rest } }),
    end: ({ proposalId, environment }, ending) => ({
      collection,
      filter: { _id: proposalId, environment, kept: 'PENDING' },
      update: { $set: ending },
    }),
    ensureIndexes: () => prepareCollection(connection, schema),
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

function fromStored({ _id, ...rest }: StoredProposal): Proposal {
  return { ...rest, proposalId: _id };
}
