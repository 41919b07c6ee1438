// Use cases around callback endpoints: where they are, how they authenticate, how they sign, and that they are on (2.1 of the decision register).
import type { AuditedChange, RecordChange } from '../../shared/callers/audit';
import { type Caller, type Environment, isStaff, systemCaller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { reasonChange } from '../../shared/callers/reason';
import type { Clock } from '../../shared/clock';
import type { Config } from '../../shared/config';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { newId } from '../../shared/ids';
import { assertListFilter } from '../../shared/list-filter';
import { idAt, readSlice } from '../../shared/lists/list-order';
import { type Connection, connection, type PageArguments } from '../../shared/lists/page';
import { decideAgain } from '../../shared/store/decide-again';
import { requestLoader } from '../../shared/store/loaders';
import { DuplicateKey, type InTransaction } from '../../shared/store/unit-of-work';
import { type CallbackKind, callbackDefinitions, callbackKinds } from '../kinds/callback-kinds';
import type { CallbackRepository } from './callback.repository';
import { type CallbackEndpoint, type EndpointState, healthy, rotatedSecrets } from './callback-endpoint';
import { type EndpointFact, endpointEvents } from './callback-endpoint.events';
import type { CallbackEndpointRepository } from './callback-endpoint.repository';
import { callbackUrlRules, checkCallbackBaseUrl } from './callback-url';
import type { LastAtEndpoint } from './last-at-endpoint.repository';
import { newSigningSecret, signingKey } from './signature';

interface EndpointKey {
  /** Whose endpoint; a caller bound to an account may leave it out. */
  accountId?: string | null;
  kind: string;
}

/** Everything that is given must hold. */
export interface EndpointsAsked {
  /** Any of these. */
  health?: readonly EndpointState[] | null;
  /** Scheme, host and port. */
  origin?: string | null;
  /** Those that its last callbacks went to. */
  merchantId?: string | null;
}

export interface CallbackEndpointService {
  find(caller: Caller, endpointIds: readonly string[]): Promise<CallbackEndpoint[]>;
  /** By endpointId. */
  list(caller: Caller, asked: PageArguments & EndpointsAsked): Promise<Connection<CallbackEndpoint>>;
  /** What went there last; all endpoints that are asked for in one tick share one query. */
  lastAt(context: RequestContext, endpointId: string): Promise<LastAtEndpoint | null>;
  /** Sets the address and clears the endpoint's health; makes the endpoint when there is none. */
  setAddress(context: RequestContext, key: EndpointKey, address: string): Promise<CallbackEndpoint>;
  /** Sets or clears the static Authorization value. */
  setAuthorization(context: RequestContext, key: EndpointKey, value: string | null): Promise<CallbackEndpoint>;
  /** A new signing secret, shown once; the former signs beside it for 24 hours. */
  rotateSecret(
    context: RequestContext,
    key: EndpointKey,
    reason?: string | null,
  ): Promise<{ endpoint: CallbackEndpoint; secret: string }>;
  enable(context: RequestContext, endpointId: string): Promise<CallbackEndpoint>;
  /** What signs the calls to an endpoint: its own, or that of the account's endpoint of the kind, which is made when there is none. */
  signingEndpoint(endpoint: CallbackEndpoint): Promise<CallbackEndpoint>;
  /** Makes the endpoint with that secret unless it exists; safe to repeat. */
  seed(seed: { accountId: string; kind: CallbackKind; secret: string; address?: string | null }): Promise<void>;
}

interface CallbackEndpointDeps {
  endpoints: CallbackEndpointRepository;
  endpointsOfMerchant: CallbackRepository['endpointsOfMerchant'];
  inTransaction: InTransaction;
  idempotent: Idempotent;
  audit: RecordChange;
  clock: Clock;
  vault: Vault;
  config: Pick<Config, 'environment' | 'isSandbox' | 'REST_URL'>;
  /** The merchants domain's answer whether there is such a tenant. */
  isAccount(environment: Environment, accountId: string): Promise<boolean>;
}

/** What a use case makes of an endpoint; `fact` becomes an event and a record of the audit in the same transaction, with no fact there is neither. */
type EndpointChange = (
  endpoint: CallbackEndpoint,
  now: Date,
) => { endpoint: CallbackEndpoint; fact: Audited | null; changes: AuditedChange['changes'] };

type Audited = EndpointFact & { type: AuditedChange['action'] };

export function createCallbackEndpointService(deps: CallbackEndpointDeps): CallbackEndpointService {
  const { endpoints, config } = deps;

  async function changeByKey(context: RequestContext, field: string, key: EndpointKey, change: EndpointChange) {
    const { accountId, kind } = ownedKey(context.caller, key);
    const load = async () => {
      const known = await endpoints.findFor(context.caller, accountId, kind);
      if (known) return known;
      if (!(await deps.isAccount(config.environment, accountId)))
        throw new DomainError('notFound', 'There is no such account.', { field: 'accountId' });
      return { isNew: await blank(deps, accountId, kind) };
    };
    return save(deps, context, field, load, change);
  }

  return {
    find: (caller, endpointIds) => endpoints.find(caller, endpointIds),
    async list(caller, { health = null, origin = null, merchantId = null, ...asked }) {
      assertListFilter({ health });
      const slice = readSlice(asked, idAt);
      const endpointIds = merchantId === null ? null : await deps.endpointsOfMerchant(caller, merchantId);
      const filter = { health, origin, endpointIds };
      return connection(await endpoints.list(caller, filter, slice), slice, ({ endpointId }) => [endpointId]);
    },
    lastAt(context, endpointId) {
      const read = (endpointIds: readonly string[]) => endpoints.lastAt(context.caller, endpointIds);
      return requestLoader(context, 'last at endpoint', read, (each) => each.endpointId).load(endpointId);
    },
    async setAddress(context, key, text) {
      if (callbackKinds.some((kind) => kind === key.kind && callbackDefinitions[kind].givenAddresses)) {
        throw new DomainError('invalidInput', 'The address of this kind comes with each order or application.', {
          field: 'kind',
        });
      }
      const address = checkCallbackBaseUrl(text, callbackUrlRules(config));
      return changeByKey(context, 'setCallbackAddress', key, (endpoint, now) => ({
        endpoint: { ...endpoint, address, health: healthy(now) },
        fact: { type: 'callbackEndpoint.addressChanged', data: {} },
        changes: [{ field: 'address', from: endpoint.address, to: address }],
      }));
    },
    async setAuthorization(context, key, value) {
      const { accountId } = ownedKey(context.caller, key);
      if (value !== null && !/^[\x21-\x7e]([\x20-\x7e]{0,510}[\x21-\x7e])?$/.test(value)) {
        throw new DomainError('invalidInput', 'The value is not 1 to 512 printable ASCII characters.', {
          field: 'authorization',
        });
      }
      const authorization =
        value === null ? null : await deps.vault.seal({ owner: accountId, field: 'callback.authorization' }, value);
      return changeByKey(context, 'setCallbackAuthorization', key, (endpoint) => ({
        endpoint: { ...endpoint, authorization },
        fact: { type: 'callbackEndpoint.authorizationChanged', data: { isSet: value !== null } },
        changes: [{ field: 'authorization', from: endpoint.authorization && 'set', to: authorization && 'set' }],
      }));
    },
    async rotateSecret(context, key, reason = null) {
      const { accountId } = ownedKey(context.caller, key);
      const secret = newSigningSecret();
      const sealed = await deps.vault.seal({ owner: accountId, field: 'callbackEndpoint.secret' }, secret);
      const endpoint = await changeByKey(context, 'rotateCallbackSecret', key, (current, now) => ({
        endpoint: {
          ...current,
          secrets: rotatedSecrets(current.secrets, { secretId: newId(), sealed, createdAt: now, expiresAt: null }, now),
        },
        fact: { type: 'callbackEndpoint.secretRotated', data: {} },
        changes: reasonChange(reason),
      }));
      // A replayed mutation answers with the secret that the first run stored, not with the one made now.
      const [newest] = endpoint.secrets;
      return {
        endpoint,
        secret: newest
          ? await deps.vault.open({ owner: accountId, field: 'callbackEndpoint.secret' }, newest.sealed)
          : secret,
      };
    },
    async enable(context, endpointId) {
      const load = async () => {
        const [endpoint] = await endpoints.find(context.caller, [endpointId]);
        if (!endpoint) throw new DomainError('notFound');
        return endpoint;
      };
      return save(deps, context, 'enableCallbackEndpoint', load, (endpoint, now) => ({
        endpoint: { ...endpoint, health: healthy(now) },
        fact: endpoint.health.state === 'HEALTHY' ? null : { type: 'callbackEndpoint.enabled', data: {} },
        changes: [{ field: 'health', from: endpoint.health.state, to: 'HEALTHY' }],
      }));
    },
    async signingEndpoint(endpoint) {
      if (endpoint.addressKey === null) return endpoint;
      const { accountId, kind } = endpoint;
      const find = () => endpoints.findFor(systemCaller(config.environment, 'callbacks'), accountId, kind);
      const known = await find();
      if (known) return known;
      await this.seed({ accountId, kind, secret: newSigningSecret() });
      const made = await find();
      if (!made) throw new Error(`the endpoint of account ${accountId} for ${kind} vanished`);
      return made;
    },
    async seed({ accountId, kind, secret, address = null }) {
      signingKey(secret);
      const known = await endpoints.findFor(systemCaller(config.environment, 'seed'), accountId, kind);
      if (known) return;
      const fresh = await blank(deps, accountId, kind, secret);
      const made = { ...fresh, address: address && checkCallbackBaseUrl(address, callbackUrlRules(config)) };
      await deps.inTransaction({ inserts: [endpoints.insert(made)] }).catch((error: unknown) => {
        if (!(error instanceof DuplicateKey)) throw error;
      });
    },
  };
}

/** The account and kind that the caller may change: its own account, or the one that staff names. */
function ownedKey(caller: Caller, { accountId, kind }: EndpointKey): { accountId: string; kind: CallbackKind } {
  const known = callbackKinds.find((name) => name === kind);
  if (!known) throw new DomainError('invalidInput', `kind is none of ${callbackKinds.join(', ')}`, { field: 'kind' });
  const owner = accountId ?? caller.accountId;
  if (!owner)
    throw new DomainError('invalidInput', 'accountId is missing; staff names the account', { field: 'accountId' });
  if (!isStaff(caller) && owner !== caller.accountId)
    throw new DomainError('notFound', 'There is no such account.', { field: 'accountId' });
  return { accountId: owner, kind: known };
}

async function blank(
  { clock, vault, config }: CallbackEndpointDeps,
  accountId: string,
  kind: CallbackKind,
  secret = newSigningSecret(),
): Promise<CallbackEndpoint> {
  const now = clock.now();
  return {
    endpointId: newId(),
    environment: config.environment as Environment,
    accountId,
    kind,
    address: null,
    addressKey: null,
    authorization: null,
    secrets: [
      {
        secretId: newId(),
        sealed: await vault.seal({ owner: accountId, field: 'callbackEndpoint.secret' }, secret),
        createdAt: now,
        expiresAt: null,
      },
    ],
    health: healthy(now),
    createdAt: now,
    version: 1,
    sequence: 0,
  };
}

/** Load, decide, save; again when another was first. */
async function save(
  { endpoints, inTransaction, idempotent, audit, clock }: CallbackEndpointDeps,
  context: RequestContext,
  field: string,
  load: () => Promise<CallbackEndpoint | { isNew: CallbackEndpoint }>,
  change: EndpointChange,
): Promise<CallbackEndpoint> {
  return idempotent(context, field, (complete) =>
    decideAgain(async () => {
      const loaded = await load();
      const now = clock.now();
      const current = 'isNew' in loaded ? loaded.isNew : loaded;
      const decided = change(current, now);
      const own = decided.fact ? [decided.fact] : [];
      const facts: EndpointFact[] = 'isNew' in loaded ? [{ type: 'callbackEndpoint.created', data: {} }, ...own] : own;
      const { endpoint, events } = endpointEvents(decided.endpoint, facts, {
        requestId: context.requestId,
        occurredAt: now,
      });
      const records = own.map(({ type }) => audit(context, recordOf(endpoint, type, decided.changes)));
      const unit =
        'isNew' in loaded
          ? { inserts: [endpoints.insert(endpoint), ...records], updates: complete(endpoint) }
          : { inserts: records, updates: [endpoints.replace(endpoint, current.version), ...complete(endpoint)] };
      await inTransaction({ ...unit, events });
      return endpoint;
    }),
  );
}

function recordOf(
  { endpointId, accountId }: CallbackEndpoint,
  action: AuditedChange['action'],
  changes: AuditedChange['changes'],
): AuditedChange {
  return { action, subjectType: 'callbackEndpoint', subjectId: endpointId, accountId, changes };
}
