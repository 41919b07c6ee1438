// Of every entity with an owner the way to make one of a tenant's, and its key.
import { noSums } from '../../subgraphs/reporting/payouts/payout';
import type { Caller, Scope } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { type EntityWorld, now, secret, staff, type Tenant } from './entity-world';

export interface OwnedEntity {
  subgraph: string;
  type: string;
  /** A field beside the key that is text and never null. */
  field: string;
  /** Makes one of the tenant's, or names the one that was seeded. */
  key(world: EntityWorld, tenant: Tenant): Promise<Record<string, string>>;
}

export const ownedEntities: readonly OwnedEntity[] = [
  {
    subgraph: 'merchants',
    type: 'Merchant',
    field: 'name',
    key: async (_world, tenant) => ({ merchantId: `merchant-${tenant}` }),
  },
  {
    subgraph: 'merchants',
    type: 'Account',
    field: 'name',
    key: async (_world, tenant) => ({ accountId: tenant }),
  },
  {
    subgraph: 'merchants',
    type: 'Agreement',
    field: 'status',
    key: async (world, tenant) => ({ agreementId: await agreementOf(world, tenant) }),
  },
  {
    subgraph: 'merchants',
    type: 'Terminal',
    field: 'label',
    key: async (world, tenant) => ({ terminalId: await terminalOf(world, tenant) }),
  },
  {
    subgraph: 'access',
    type: 'Client',
    field: 'label',
    key: async (_world, tenant) => ({ clientId: `client-${tenant}` }),
  },
  {
    subgraph: 'access',
    type: 'Person',
    field: 'name',
    key: async ({ domains }, tenant) => {
      const identity = { issuer: 'https://id.example', subject: tenant, name: `Person of ${tenant}`, email: null };
      const groups = [`tenant-${tenant}`];
      const { person } = await domains.access.sessions.signIn(
        { ...identity, groups, authTime: now },
        { requestId: newId() },
      );
      return { personId: person.personId };
    },
  },
  {
    subgraph: 'access',
    type: 'Proposal',
    field: 'subjectType',
    key: async ({ domains }, accountId) => {
      const subject = { accountId, subjectType: 'merchant', subjectId: `merchant-${accountId}` };
      const act = { kind: 'LEDGER_BOOKING' as const, reason: null, changes: [], input: {} };
      return domains.access.propose({ caller: staff, requestId: newId() }, { ...subject, ...act });
    },
  },
  {
    subgraph: 'access',
    type: 'AuditRecord',
    field: 'action',
    key: async ({ domains, stores }, accountId) => {
      const subjectId = newId();
      const look = { subjectType: 'order' as const, subjectId, accountId };
      await domains.access.recordLook(requestContext(staff, newId()), look);
      return { auditId: String((await stores.connection.collection('audit').findOne({ subjectId }))?._id) };
    },
  },
  {
    subgraph: 'access',
    type: 'Job',
    field: 'reason',
    key: (world, tenant) => {
      const source = 'mutation ($input: StartJobInput!) { made: startJob(input: $input) { jobId } }';
      const input = { act: 'REDELIVER_CALLBACK', ids: ['x'], reason: 'x', dryRun: true };
      return made(world, tenant, { subgraph: 'access', scope: 'graph:callbacks:write', source, variables: { input } });
    },
  },
  {
    subgraph: 'payments',
    type: 'Payment',
    field: 'state',
    key: async (world, tenant) => ({ paymentId: await paymentOf(world, tenant) }),
  },
  {
    subgraph: 'payments',
    type: 'Operation',
    field: 'operationType',
    key: async (world, tenant) => ({ operationId: await operationOf(world, tenant) }),
  },
  {
    subgraph: 'onboarding',
    type: 'OnboardingApplication',
    field: 'status',
    key: async (world, tenant) => ({ id: await applicationOf(world, tenant) }),
  },
  {
    subgraph: 'reporting',
    type: 'Payout',
    field: 'currency',
    key: async (world, tenant) => ({ payoutId: await kept(world, tenant, 'payouts', payout) }),
  },
  {
    subgraph: 'tokenization',
    type: 'VirtualAccount',
    field: 'state',
    key: async (world, tenant) => ({ virtualAccountId: await virtualAccountOf(world, tenant) }),
  },
  {
    subgraph: 'notifications',
    type: 'Callback',
    field: 'path',
    key: async (world, tenant) => ({ callbackId: await callbackOf(world, tenant) }),
  },
  {
    subgraph: 'notifications',
    type: 'CallbackEndpoint',
    field: 'accountId',
    key: async (world, tenant) => ({ endpointId: await endpointOf(world, tenant) }),
  },
  {
    subgraph: 'notifications',
    type: 'TokenEvent',
    field: 'type',
    key: async (world, tenant) => ({ eventId: await tokenEventOf(world, tenant) }),
  },
  {
    subgraph: 'notifications',
    type: 'OperationEvent',
    field: 'type',
    key: async (world, tenant) => ({ eventId: await eventOf(world, await paymentPaidBy(world, tenant)) }),
  },
  {
    subgraph: 'notifications',
    type: 'OnboardingEvent',
    field: 'type',
    key: async (world, tenant) => ({ eventId: await eventOf(world, await applicationOf(world, tenant)) }),
  },
];

/** What a mutation made for the tenant. */
async function made<Made>(
  { ask }: EntityWorld,
  tenant: Tenant,
  { subgraph, scope, source, variables }: { subgraph: string; scope: Scope; source: string; variables: object },
): Promise<Made> {
  const own = { accountId: tenant, merchantId: `merchant-${tenant}`, credentialId: `client-${tenant}` };
  const caller: Caller = { ...staff, ...own, kind: scope === 'onboarding' ? 'apiKey' : 'client', scopes: [scope] };
  const { data, errors } = await ask<{ made: Made }>(subgraph, caller, source, { ...variables });
  if (!data) throw new Error(JSON.stringify(errors));
  return data.made;
}

/** The agreement that staff find with the tenant's merchant. */
async function agreementOf({ ask }: EntityWorld, tenant: Tenant): Promise<string> {
  const source = '{ merchant(merchantId: "merchant-TENANT") { agreements { agreementId } } }'.replace('TENANT', tenant);
  const { data } = await ask<{ merchant: { agreements: { agreementId: string }[] } }>('merchants', staff, source, {});
  return String(data?.merchant.agreements[0]?.agreementId);
}

async function terminalOf(world: EntityWorld, tenant: Tenant): Promise<string> {
  const source = `mutation ($input: CreateTerminalInput!) { made: createTerminal(input: $input) { terminalId } }`;
  const input = {
    terminalId: `terminal-${tenant}-${newId().slice(0, 8)}`,
    merchantId: `merchant-${tenant}`,
    label: 'x',
    origins: ['https://shop.example'],
  };
  const { errors } = await world.ask('merchants', staff, source, { input });
  if (errors) throw new Error(JSON.stringify(errors));
  return input.terminalId;
}

async function paymentOf(world: EntityWorld, tenant: Tenant): Promise<string> {
  const source = `mutation ($input: CreatePaymentInput!) { made: createPayment(input: $input) { payment { paymentId } } }`;
  const variables = { input: { amount: '5000', currencyCode: 'EUR', processing: 'Authorize' } };
  const create = { subgraph: 'payments', scope: 'payments:write' as const, source, variables };
  return (await made<{ payment: { paymentId: string } }>(world, tenant, create)).payment.paymentId;
}

/** A payment that was paid on its page, or tried to be. */
export async function paymentPaidBy(world: EntityWorld, tenant: Tenant, number = '4242424242424242'): Promise<string> {
  const source = `mutation ($id: ID!, $card: CardInput!) { made: fillPaymentCard(paymentId: $id, card: $card) { state } }`;
  const id = await paymentOf(world, tenant);
  const card = { number, expiry: '12/30', cvv: '123', holder: 'Ada Lovelace' };
  await made(world, tenant, { subgraph: 'payments', scope: 'sandbox:control', source, variables: { id, card } });
  return id;
}

async function operationOf(world: EntityWorld, tenant: Tenant): Promise<string> {
  const paymentId = await paymentPaidBy(world, tenant);
  return String((await world.stores.connection.collection('operations').findOne({ paymentId }))?._id);
}

async function applicationOf(world: EntityWorld, tenant: Tenant): Promise<string> {
  const source = `mutation ($input: CreateOnboardingInput!) { made: createOnboarding(input: $input) { application { id } } }`;
  const application = { country: 'DNK', currency: 'DKK', company: { organizationNumber: '25313763' } };
  const variables = { input: { application, adminUser: { email: 'admin@shop.example' } } };
  const create = { subgraph: 'onboarding', scope: 'onboarding' as const, source, variables };
  return (await made<{ application: { id: string } }>(world, tenant, create)).application.id;
}

async function endpointOf({ domains, stores }: EntityWorld, tenant: Tenant): Promise<string> {
  await domains.notifications.seedEndpoint({ accountId: tenant, kind: 'notify-update', secret: signingSecret });
  const found = await stores.connection.collection('callback_endpoints').findOne({ accountId: tenant });
  return String(found?._id);
}

/** The first event of a payment or an application. */
async function eventOf({ stores }: EntityWorld, aggregateId: string): Promise<string> {
  return String((await stores.connection.collection('events').findOne({ aggregateId }))?._id);
}

/** With the fields that are looked at and no more, for what only workers or sealed calls make. */
async function kept({ stores }: EntityWorld, tenant: Tenant, collection: string, document: object): Promise<string> {
  const _id = newId() as never;
  const owner = { environment: 'sandbox', accountId: tenant, merchantId: `merchant-${tenant}` };
  await stores.connection
    .collection(collection)
    .insertOne({ _id, ...owner, ...document }, { bypassDocumentValidation: true });
  return _id;
}

async function virtualAccountOf(world: EntityWorld, tenant: Tenant): Promise<string> {
  return kept(world, tenant, 'virtual_accounts', { ...account, agreementId: await agreementOf(world, tenant) });
}

async function tokenEventOf(world: EntityWorld, tenant: Tenant): Promise<string> {
  return kept(world, tenant, 'events', { ...tokenEvent, aggregateId: await virtualAccountOf(world, tenant) });
}

async function callbackOf(world: EntityWorld, tenant: Tenant): Promise<string> {
  const [endpointId, eventId] = [await endpointOf(world, tenant), await tokenEventOf(world, tenant)];
  return kept(world, tenant, 'deliveries', { ...callback, endpointId, eventId, orderingKey: newId() });
}

const signingSecret = `whsec_${secret}`;
const account = {
  state: 'ACTIVE',
  par: null,
  accountMasked: '424242******4242',
  accountExpiry: '122030',
  reasonCode: null,
  tokenMasked: '948888******4242',
  tokenExpiry: '122030',
  createdAt: now,
  updatedAt: now,
};
const tokenEvent = {
  aggregateType: 'virtualAccount',
  sequence: 1,
  type: 'virtualAccount.created',
  version: 1,
  occurredAt: now,
  requestId: newId(),
  data: {},
  position: null,
};
const callback = {
  kind: 'notify-update',
  path: '/notify',
  body: '{}',
  status: 'PENDING',
  reason: null,
  open: true,
  attempts: [],
  redelivery: null,
  dueAt: now,
  createdAt: now,
  endedAt: null,
  position: 1,
};
const payout = {
  number: 1,
  date: '2026-11-20',
  currency: 'EUR',
  reference: 'reference',
  iban: null,
  bic: null,
  ...noSums,
  amountMinor: 0n,
  runs: [],
  upToSerial: 0,
  closedAt: now,
};
