// Onboarding on a real database, asked through its graph: merchants, mails and addresses are stand-ins that keep what they were asked.
import { graphql } from 'graphql';
import { createProposalRepository } from '../../subgraphs/access/proposals/proposal.repository';
import { confirmProposal, createPropose } from '../../subgraphs/access/proposals/proposal.service';
import { type ApprovedMerchant, createOnboarding, type MailDraft, type Onboarding } from '../../subgraphs/onboarding';
import type { RecordChange } from '../../subgraphs/shared/callers/audit';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { pageCaller } from '../../subgraphs/shared/callers/caller';
import { type IdempotencyKey, requestContext } from '../../subgraphs/shared/callers/context';
import { manualClock } from '../../subgraphs/shared/clock';
import { readConfig } from '../../subgraphs/shared/config';
import { createVault, type Vault } from '../../subgraphs/shared/crypto/vault';
import { DomainError, type DomainErrorCode } from '../../subgraphs/shared/errors';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import type { EventRecord, InTransaction, UnitOfWork } from '../../subgraphs/shared/store/unit-of-work';
import { openTracedStores } from '../slots/traced-stores';
import type { Stores } from '../support/stores';
import { schemaOf } from '../support/subgraph';
import { keyringFor } from '../support/vault';

export const start = new Date('2026-11-21T10:00:00Z');
export const dayMs = 86_400_000;

interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the schema has just established
  data: any;
  code: DomainErrorCode | 'internal' | null;
  field: string | undefined;
  message: string;
  replayed: boolean;
}

export interface OnboardingWorld {
  stores: Stores;
  clock: ReturnType<typeof manualClock>;
  vault: Vault;
  onboarding: Onboarding;
  alpha: Caller;
  beta: Caller;
  staff: Caller;
  /** Another one. */
  second: Caller;
  /** What the merchants domain made, by application. */
  provisioned: Map<string, { merchant: ApprovedMerchant; times: number }>;
  /** Merchant ids that somebody has. */
  taken: Set<string>;
  mails: MailDraft[];
  /** Called before each unit of work is committed; a test may throw. */
  faults: {
    beforeCommit: (unit: UnitOfWork) => void;
    afterCommit: (unit: UnitOfWork) => void;
    inMerchants: () => void;
  };
  close(): Promise<void>;
  run(source: string, options?: RunOptions): Promise<Answer>;
  /** A new application; refuses the test when it is not taken. */
  created(application?: object, options?: CreateOptions): Promise<Created>;
  lever(id: string, ...events: string[]): Promise<string>;
  /** Proposed by the caller and confirmed by the second; the application then, or the first refusal. */
  approve(id: string, reason: string | null, caller?: Caller): Promise<Answer>;
  page(source: string, variables: Record<string, unknown>): Promise<Answer>;
  events(id: string): Promise<EventRecord[]>;
}

interface RunOptions {
  variables?: Record<string, unknown>;
  caller?: Caller;
  idempotency?: IdempotencyKey;
}
interface CreateOptions {
  adminUser?: object;
  caller?: Caller;
}
interface Created {
  id: string;
  merchantId: string;
  link: string;
  token: string;
}

export const application = (changes: object = {}) => ({
  country: 'DNK',
  currency: 'DKK',
  company: { organizationNumber: '25313763' },
  ...changes,
});
export const adminUser = (changes: object = {}) => ({ email: 'admin@shop.example', ...changes });

const callerOf = (accountId: string | null, ...scopes: Scope[]): Caller => ({
  kind: 'apiKey',
  credentialId: `key-${accountId}`,
  environment: 'sandbox',
  accountId,
  scopes,
  identifiers: [],
});

const createSource = `mutation ($input: CreateOnboardingInput!) {
  answer: createOnboarding(input: $input) { verificationLink application { id merchantId status } }
}`;

const proposeSource =
  'mutation ($id: ID!, $reason: String) { answer: approveOnboarding(id: $id, reason: $reason) { proposal { proposalId } } }';
const approvedSource =
  'query ($id: ID!) { answer: onboardingApplication(id: $id) { status merchantNumber merchant { merchantId } approval { by reason step } } }';

export async function openOnboarding(): Promise<OnboardingWorld> {
  const stores = await openTracedStores();
  const { product: connection } = stores;
  const clock = manualClock(start);
  const committer = createCommitter(connection);
  const vault = createVault(connection, keyringFor({ current: Buffer.alloc(32, 7).toString('base64'), previous: '' }));
  const idempotent = createIdempotent({ connection, clock, vault });
  const provisioned: OnboardingWorld['provisioned'] = new Map();
  const taken = new Set<string>();
  const mails: MailDraft[] = [];
  const faults: OnboardingWorld['faults'] = { beforeCommit: () => {}, afterCommit: () => {}, inMerchants: () => {} };
  const inTransaction: InTransaction = async (unit) => {
    faults.beforeCommit(unit);
    await committer.inTransaction(unit);
    faults.afterCommit(unit);
  };
  const proposals = createProposalRepository(connection);
  const audit: RecordChange = ({ caller, requestId }, change) => ({
    collection: 'audit',
    document: { _id: newId(), actor: caller.credentialId, requestId, ...change },
  });
  const proposing = { clock, inTransaction: committer.inTransaction, proposals, audit };
  const onboarding = createOnboarding({
    connection,
    inTransaction,
    idempotent,
    clock,
    vault,
    config: readConfig({}),
    audit,
    propose: createPropose(proposing),
    judgeAddress: (address) => (/^https:\/\/|^http:\/\/127\.0\.0\.1/.test(address) ? null : 'must be https'),
    isMerchantIdTaken: async (_environment, merchantId) => taken.has(merchantId),
    provisionMerchant: async (merchant) => {
      faults.inMerchants();
      const before = provisioned.get(merchant.applicationId);
      if (!before && taken.has(merchant.merchantId)) throw new DomainError('merchantExists');
      provisioned.set(merchant.applicationId, { merchant, times: (before?.times ?? 0) + 1 });
      return { merchantNumber: 100_000 + Number(merchant.applicationId), terminalId: `t-${merchant.applicationId}` };
    },
    mailInsert: async (draft) => {
      mails.push(draft);
      return { collection: 'asked_mails', document: { _id: newId(), to: draft.to } };
    },
  });
  // Without the index of the keys: their day ends on the clock of this world, and MongoDB would delete them by its own.
  await onboarding.ensureIndexes();
  const alpha = callerOf('alpha', 'onboarding', 'graph:read');
  const staff = callerOf(null, 'graph:admin', 'graph:read');
  const second = { ...staff, credentialId: 'key-second' };

  const run: OnboardingWorld['run'] = async (source, { variables = {}, caller = alpha, idempotency } = {}) => {
    const context = requestContext(caller, newId(), idempotency);
    const schema = await schemaOf(onboarding);
    const result = await graphql({ schema, source, contextValue: context, variableValues: variables });
    const [error] = result.errors ?? [];
    const refusal = error ? refusalOf(error) : null;
    return {
      data: result.data?.['answer'] ?? null,
      code: error ? (refusal?.code ?? 'internal') : null,
      field: refusal?.details.field,
      message: error?.message ?? '',
      replayed: context.reply.idempotentReplayed === true,
    };
  };

  return {
    stores,
    clock,
    vault,
    onboarding,
    alpha,
    staff,
    second,
    provisioned,
    taken,
    mails,
    faults,
    run,
    beta: callerOf('beta', 'onboarding', 'graph:read'),
    async close() {
      await committer.drain();
      await stores.close();
    },
    async created(changes = {}, { adminUser: admin = {}, caller = alpha } = {}) {
      const input = { application: application(changes), adminUser: adminUser(admin) };
      const { data, code, message } = await run(createSource, { variables: { input }, caller });
      if (code !== null) throw new Error(`not created: ${code} ${message}`);
      const { verificationLink: link, application: made } = data;
      return { id: made.id, merchantId: made.merchantId, link, token: link.split('/').at(-1) };
    },
    async lever(id, ...events) {
      const caller = { ...callerOf(null, 'sandbox:control'), kind: 'sandboxKey' as const };
      let status = '';
      for (const event of events) {
        const source =
          'mutation ($id: ID!, $event: String!) { answer: applyOnboardingEvent(id: $id, event: $event) { status } }';
        const { data, code, message } = await run(source, { variables: { id, event }, caller });
        if (code !== null) throw new Error(`${event}: ${code} ${message}`);
        status = data.status;
      }
      return status;
    },
    async approve(id, reason, caller = staff) {
      const proposed = await run(proposeSource, { variables: { id, reason }, caller });
      if (proposed.code !== null) return proposed;
      const unused = async () => {
        throw new Error('only approvals are proposed here');
      };
      const carryOut = { LEDGER_BOOKING: unused, PAYOUT_ACCOUNT: unused, CLIENT_SCOPES: unused };
      const deps = { ...proposing, carryOut: { ...carryOut, ONBOARDING_APPROVAL: onboarding.carryOutApproval } };
      try {
        await confirmProposal(deps, requestContext(second, newId()), proposed.data.proposal.proposalId);
      } catch (error) {
        return { ...proposed, data: null, code: refusalOf(error)?.code ?? 'internal' };
      }
      return run(approvedSource, { variables: { id }, caller });
    },
    page: (source, variables) => run(source, { variables, caller: pageCaller('sandbox') }),
    events: (id) =>
      stores.connection
        .collection<EventRecord>('events')
        .find({ aggregateType: 'application', aggregateId: id })
        .sort({ sequence: 1 })
        .toArray(),
  };
}
