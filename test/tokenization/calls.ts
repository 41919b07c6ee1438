// The calls that callers, issuers and staff make on tokenization, as the graph takes them.
import type { ExecutionResult } from 'graphql';
import { graphql } from 'graphql';
import { compactDecrypt } from 'jose';
import type { Caller, TokenizationIdentifiers } from '../../subgraphs/shared/callers/caller';
import { type IdempotencyKey, requestContext } from '../../subgraphs/shared/callers/context';
import { type RecipientKey, sealTo } from '../../subgraphs/shared/crypto/jwe';
import type { DomainErrorCode } from '../../subgraphs/shared/errors';
import { newId, sha256 } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import type { EventRecord } from '../../subgraphs/shared/store/unit-of-work';
import type { VirtualAccountEventData } from '../../subgraphs/tokenization';
import { schemaOf } from '../support/subgraph';
import { newCard, type Tenant, type World } from './world';

/** Runs an operation on the subgraph itself; errors carry the code of the refusal. */
export async function run<Data>(
  world: Pick<World, 'tokenization' | 'merchants'>,
  source: string,
  {
    caller,
    variables,
    idempotency,
    subgraph,
  }: { caller: Caller; variables?: object; idempotency?: IdempotencyKey; subgraph?: 'merchants' },
): Promise<{
  data: Data | null;
  code: DomainErrorCode | 'internal' | null;
  message: string;
  field?: string;
  replayed: boolean;
}> {
  const context = requestContext(caller, newId(), idempotency);
  const schema = await schemaOf(world[subgraph ?? 'tokenization']);
  const result = (await graphql({
    schema,
    source,
    contextValue: context,
    variableValues: { ...variables },
  })) as ExecutionResult<Data>;
  const error = result.errors?.[0];
  const refusal = error ? refusalOf(error) : null;
  return {
    data: result.data ?? null,
    code: error ? (refusal?.code ?? 'internal') : null,
    message: error?.message ?? '',
    field: refusal?.details.field,
    replayed: context.reply.idempotentReplayed ?? false,
  };
}

export interface CreateOptions {
  account?: string;
  plaintext?: Record<string, unknown>;
  encryptedData?: string;
  identifiers?: TokenizationIdentifiers;
  merchantId?: string;
  caller?: Caller;
  idempotency?: IdempotencyKey;
}

type Created = {
  createVirtualAccount: {
    encryptedData: string;
    virtualAccount: { virtualAccountId: string; state: string; par: string | null };
  };
};

const createSource = `mutation ($input: CreateVirtualAccountInput!) {
  createVirtualAccount(input: $input) { encryptedData virtualAccount { virtualAccountId state par } }
}`;

export async function sealedCard(world: World, plaintext: Record<string, unknown>): Promise<string> {
  return sealTo(await currentKey(world), plaintext);
}

export async function currentKey(world: World): Promise<RecipientKey> {
  const { data } = await run<{ decryptionKeys: RecipientKey[] }>(world, '{ decryptionKeys { kid kty n e } }', {
    caller: world.alpha.caller,
  });
  const key = data?.decryptionKeys[0];
  if (!key) throw new Error('no key is published');
  return key;
}

export async function create(world: World, tenant: Tenant, options: CreateOptions = {}) {
  const { account = newCard(), identifiers = tenant.identifiers, merchantId = tenant.merchantId } = options;
  const plaintext = options.plaintext ?? { account, accountExpiry: '122030', cvv: '123', name: 'Ada Lovelace' };
  const encryptedData = options.encryptedData ?? (await sealedCard(world, plaintext));
  const { caller = tenant.caller, idempotency } = options;
  const result = await run<Created>(world, createSource, {
    caller,
    idempotency,
    variables: { input: { identifiers, merchantId, encryptedData } },
  });
  return { ...result, created: result.data?.createVirtualAccount };
}

/** A live account of that tenant; fails when it is refused. */
export async function createdAccount(world: World, tenant: Tenant, options: CreateOptions = {}) {
  const { created, message } = await create(world, tenant, options);
  if (!created) throw new Error(`not created: ${message}`);
  const opened = await open(tenant, created.encryptedData);
  return {
    id: created.virtualAccount.virtualAccountId,
    ...created.virtualAccount,
    ...opened,
    encryptedData: created.encryptedData,
  };
}

/** Opens a result as the tenant would, with another implementation than ours. */
export async function open(
  tenant: Tenant,
  encryptedData: string,
): Promise<{ token: string; tokenExpiry: string; cryptogram?: string }> {
  const { plaintext, protectedHeader } = await compactDecrypt(encryptedData, tenant.privateKey);
  if (Object.keys(protectedHeader).toSorted().join() !== 'alg,enc,kid')
    throw new Error('the header is not exactly alg, enc and kid');
  return JSON.parse(new TextDecoder().decode(plaintext));
}

export interface TransactOptions {
  caller?: Caller;
  identifiers?: TokenizationIdentifiers;
  idempotency?: IdempotencyKey;
  fields?: Partial<Record<'merchantId' | 'transactionId' | 'transactionDateTime' | 'amount' | 'currencyCode', string>>;
}

export async function transact(world: World, tenant: Tenant, virtualAccountId: string, options: TransactOptions = {}) {
  const { identifiers = tenant.identifiers, caller = tenant.caller, idempotency } = options;
  const transactionDateTime = world.clock.now().toISOString().replace(/\D/g, '').slice(0, 14);
  const fields = {
    merchantId: tenant.merchantId,
    transactionId: newId(),
    transactionDateTime,
    amount: '000000001000',
    currencyCode: '978',
  };
  const input = { identifiers, virtualAccountId, ...fields, ...options.fields };
  const result = await run<{ createTransaction: { encryptedData: string } }>(
    world,
    'mutation ($input: CreateTransactionInput!) { createTransaction(input: $input) { encryptedData } }',
    { caller, idempotency, variables: { input } },
  );
  return { ...result, encryptedData: result.data?.createTransaction.encryptedData ?? '' };
}

export interface RemoveOptions {
  caller?: Caller;
  identifiers?: TokenizationIdentifiers;
  tokenState?: string;
  reasonCode?: string;
}

export function remove(world: World, tenant: Tenant, virtualAccountId: string, options: RemoveOptions = {}) {
  const {
    identifiers = tenant.identifiers,
    caller = tenant.caller,
    tokenState = 'DELETE',
    reasonCode = '1023',
  } = options;
  return run<{ updateTokenState: { state: string } }>(
    world,
    'mutation ($input: UpdateTokenStateInput!) { updateTokenState(input: $input) { virtualAccountId state } }',
    { caller, variables: { input: { identifiers, virtualAccountId, tokenState, reasonCode } } },
  );
}

/** As the lever of the sandbox asks it, whose key is nobody else's. */
export function issuer(world: World, virtualAccountId: string, event: string, asking?: Caller) {
  const caller: Caller = asking ?? { ...world.staff, scopes: ['sandbox:control'] };
  return run<{
    applyIssuerEvent: {
      state: string;
      par: string | null;
      accountMasked: string;
      accountExpiry: string;
      tokenExpiry: string;
    };
  }>(
    world,
    `mutation ($id: ID!, $event: IssuerEvent!) {
      applyIssuerEvent(virtualAccountId: $id, event: $event) { state par accountMasked accountExpiry tokenExpiry }
    }`,
    { caller, variables: { id: virtualAccountId, event } },
  );
}

/** The account's events in order. */
export async function eventsOf(
  { stores }: World,
  virtualAccountId: string,
): Promise<EventRecord<VirtualAccountEventData>[]> {
  const events = stores.connection.collection('events').find({ aggregateId: virtualAccountId }).sort({ sequence: 1 });
  return (await events.toArray()) as unknown as EventRecord<VirtualAccountEventData>[];
}

export function idempotencyKey(key: string, body: unknown): IdempotencyKey {
  return { key, scope: 'POST /virtual-accounts/token', fingerprint: sha256(JSON.stringify(body)) };
}
