// The callbacks that a batch of events sets in motion: one row per event, kind and endpoint with an address, body and headers frozen here.
import {
  bringerOf,
  type CallbackContent,
  type CallbackKind,
  callbackDefinitions,
  callbackKinds,
  contentsOf,
  type EndpointTarget,
  type GivenAddress,
  type KeptCallback,
  type NotificationsStores,
} from '../subgraphs/notifications';
import type { Clock } from '../subgraphs/shared/clock';
import { newOrderedId } from '../subgraphs/shared/ids';
import type { Log } from '../subgraphs/shared/log/log';
import type { EventRecord } from '../subgraphs/shared/store/unit-of-work';

interface CallbackRowDeps {
  stores: Pick<NotificationsStores, 'endpoints'>;
  clock: Clock;
  log: Log;
}

export type CallbackRow = KeptCallback & { attemptsMade: number };

/** The rows in the order of the events; positions, and when they are due, are filled in by the log. */
export async function buildCallbacks(
  { stores, clock, log }: CallbackRowDeps,
  events: readonly EventRecord[],
): Promise<CallbackRow[]> {
  // What became of a callback makes none: it would never end.
  const told = events.filter(({ aggregateType }) => aggregateType !== 'callback');
  const wanted = told.flatMap((event) => callbackKinds.flatMap((kind) => wantedOf(event, kind, log)));
  if (wanted.length === 0) return [];
  const now = clock.now();
  const given = wanted.flatMap(({ address }) => address ?? []);
  const found = given.length > 0 ? await stores.endpoints.endpointsOf(given, now) : [];
  const ofGiven = new Map(given.map((address, index) => [address, found[index]]));
  const ofAccounts = wanted.filter(({ address }) => address === null).map(({ event }) => event.accountId);
  const targets = ofAccounts.length > 0 ? await stores.endpoints.targets([...new Set(ofAccounts)]) : [];
  const byKey = new Map(targets.map((target) => [keyOf(target), target]));
  return wanted.flatMap(({ event, kind, content, address }) => {
    const { environment, accountId } = event;
    const endpoint = address ? ofGiven.get(address) : byKey.get(keyOf({ environment, accountId, kind }));
    if (!endpoint) return [];
    const { endpointId } = endpoint;
    const own = address && 'address' in endpoint && endpoint.address !== address.address ? address.address : null;
    return [row({ event, target: { kind, endpointId, address: own }, content, now })];
  });
}

interface WantedRow {
  event: EventRecord;
  kind: CallbackKind;
  content: CallbackContent | 'notBuildable';
  /** The address that came with the event, of the kinds that have one. */
  address: GivenAddress | null;
}

/** What one kind makes of an event; an event that its builder cannot read must not hold up the log: it is kept as callbacks that ended. */
function wantedOf(event: EventRecord, kind: CallbackKind, log: Log): WantedRow[] {
  const { environment, accountId } = event;
  const { givenAddresses } = callbackDefinitions[kind];
  const merchantId = bringerOf(kind, event.merchantId);
  const given = (address: string | undefined): GivenAddress[] =>
    address === undefined
      ? []
      : [{ environment, accountId, kind, address, merchantId, facts: factsOf(event, merchantId) }];
  try {
    const contents = contentsOf(event, kind);
    if (!givenAddresses) return contents.map((content) => ({ event, kind, content, address: null }));
    return contents.flatMap((content) => given(content.address).map((address) => ({ event, kind, content, address })));
  } catch (error) {
    log.error({ error, eventId: event._id, eventType: event.type }, 'no callback can be made of this event');
    const content = 'notBuildable';
    if (!givenAddresses) return [{ event, kind, content, address: null }];
    return givenAddresses(event)
      .flatMap(given)
      .map((address) => ({ event, kind, content, address }));
  }
}

/** Of the ids in an event, those of the merchant and its terminal are the same from order to order. */
const lastingNames: readonly string[] = ['accountId', 'merchantId', 'terminalId', 'acquirerId', 'pspId', 'providerId'];

function factsOf({ _id, aggregateId, data }: EventRecord, merchantId: string | null): GivenAddress['facts'] {
  const ids = Object.entries(data).flatMap(([name, value]) =>
    name.endsWith('Id') && (typeof value === 'string' || typeof value === 'number')
      ? [{ name, id: String(value) }]
      : [],
  );
  const isLasting = ({ name }: { name: string }) =>
    lastingNames.includes(name) && (name !== 'merchantId' || merchantId !== null);
  const lasting = ids.filter(isLasting).map(({ id }) => id);
  const passing = ids.filter((one) => !isLasting(one)).map(({ id }) => id);
  return {
    passing: [_id, aggregateId, ...passing].filter((id) => id !== ''),
    lasting: merchantId === null ? lasting : [merchantId, ...lasting],
  };
}

function keyOf({ environment, accountId, kind }: Omit<EndpointTarget, 'endpointId'>): string {
  return `${environment} ${kind} ${accountId}`;
}

function row({
  event,
  target,
  content,
  now,
}: {
  event: EventRecord;
  target: Pick<CallbackRow, 'kind' | 'endpointId' | 'address'>;
  content: CallbackContent | 'notBuildable';
  now: Date;
}): CallbackRow {
  const isBuilt = content !== 'notBuildable';
  const nothing: CallbackContent = { path: '', headers: {}, body: '', orderingKey: event.aggregateId };
  const { path, headers, body, orderingKey, securityToken = null, authorization = null } = isBuilt ? content : nothing;
  return {
    callbackId: newOrderedId(),
    environment: event.environment,
    accountId: event.accountId,
    merchantId: event.merchantId,
    ...target,
    eventId: event._id,
    requestId: event.requestId,
    orderingKey,
    position: 0,
    path,
    headers,
    body,
    securityToken,
    authorization,
    status: isBuilt ? 'PENDING' : 'ENDED',
    reason: isBuilt ? null : 'notBuildable',
    open: isBuilt,
    ordered: isBuilt,
    tries: 0,
    attemptsMade: 0,
    fence: 0,
    dueAt: now,
    attempts: [],
    redelivery: null,
    createdAt: now,
    endedAt: isBuilt ? null : now,
  };
}
