// Notifications: callback endpoints, callbacks with their attempts, and the event log (card document, Events; docs/sandbox.md, sections 6, 7 and 9).
import type { Connection as Database } from 'mongoose';
import type { RecordChange } from '../shared/callers/audit';
import type { Environment } from '../shared/callers/caller';
import type { RequestContext } from '../shared/callers/context';
import type { Clock } from '../shared/clock';
import type { Config } from '../shared/config';
import type { Vault } from '../shared/crypto/vault';
import { ActionReasonType } from '../shared/graph/action.type';
import type { SubgraphDefinition } from '../shared/graph/subgraph';
import type { Idempotent } from '../shared/idempotency/idempotency';
import type { Connection, PageArguments } from '../shared/lists/page';
import type { Find } from '../shared/search';
import type { EventRecord, InTransaction } from '../shared/store/unit-of-work';
import { createDeliveryLog, type DeliveryLog } from './attempts/delivery-log.repository';
import { notificationReferences } from './callbacks/callback.reference';
import { type CallbackRepository, createCallbackRepository } from './callbacks/callback.repository';
import { CallbackResolver } from './callbacks/callback.resolver';
import { createCallbackService } from './callbacks/callback.service';
import * as callbackTypes from './callbacks/callback.type';
import { CallbackActionsResolver } from './callbacks/callback-action.resolver';
import * as callbackActionTypes from './callbacks/callback-action.type';
import {
  type CallbackEndpointRepository,
  createCallbackEndpointRepository,
} from './callbacks/callback-endpoint.repository';
import { CallbackEndpointResolver } from './callbacks/callback-endpoint.resolver';
import { type CallbackEndpointService, createCallbackEndpointService } from './callbacks/callback-endpoint.service';
import { createCallbackSearch } from './callbacks/callback-search.repository';
import { callbackUrlRules, judgeCallbackUrl } from './callbacks/callback-url';
import { createEndpointHealthService, type EndpointHealthService } from './callbacks/endpoint-health.service';
import { createEndpointLeases, type EndpointLeases } from './callbacks/endpoint-lease.repository';
import {
  ApplicationLifeResolver,
  MerchantCallbacksResolver,
  OnboardingEventResolver,
  OperationEventResolver,
  OperationLifeResolver,
  PaymentLifeResolver,
  TokenEventResolver,
  VirtualAccountLifeResolver,
} from './events/event.resolver';
import { createEventLogRepository, type EventLogRepository, type TimelineOf } from './events/event-log.repository';
import { createEventLog, type EventLog } from './events/event-log.service';
import type { ShownEvent } from './events/event-view';
import { logEventView } from './events/log-event';
import {
  CallbackOfEventResolver,
  EndpointOfEventResolver,
  JobEventResolver,
  LogEventResolver,
} from './events/log-event.resolver';
import * as logEventTypes from './events/log-event.type';
import { onboardingEventView } from './events/onboarding-event';
import * as onboardingEventTypes from './events/onboarding-event.type';
import { operationEventView } from './events/operation-event';
import * as operationEventTypes from './events/operation-event.type';
import { createTimelineService } from './events/timeline.service';
import { tokenEventView } from './events/token-event';
import * as tokenEventTypes from './events/token-event.type';
import { createCallbackOriginRepository } from './origins/callback-origin.repository';
import { CallbackOriginResolver } from './origins/callback-origin.resolver';
import { createCallbackOriginService } from './origins/callback-origin.service';
import * as callbackOriginTypes from './origins/callback-origin.type';
import { createReceiverRepository } from './receiver/receiver.repository';
import { ReceiverResolver } from './receiver/receiver.resolver';
import { createReceiverService, type ReceiverService } from './receiver/receiver.service';
import * as receiverTypes from './receiver/receiver.type';

export type { AttemptOutcome } from './attempts/attempt-write';
export type { DeliveryLog } from './attempts/delivery-log.repository';
export * from './callbacks/callback';
export type { CallbackEndpoint } from './callbacks/callback-endpoint';
export { signingSecrets } from './callbacks/callback-endpoint';
export {
  addressLiteral,
  callbackUrlRules,
  checkCallbackUrl,
  isSandboxLoopback,
  judgeCallbackUrl,
} from './callbacks/callback-url';
export type { Blocker, DueCallback, DueTime, FirstDue } from './callbacks/due-callback.repository';

export type { HeldEndpoint, SeenEndpoint } from './callbacks/endpoint-lease.repository';
export {
  bringerOf,
  type EndpointTarget,
  type GivenAddress,
} from './callbacks/given-endpoint.repository';
export { isGloballyRoutable, isLoopback } from './callbacks/public-address';
export { newSigningSecret, signingKey, webhookSignature } from './callbacks/signature';
export type { Claim } from './callbacks/stored-endpoint';
export type { EventLogRepository, EventOwner, PositionedEvent, PositionedHead } from './events/event-log.repository';
export type { EventLog, LogEnd, LogStep, ReadEvents, SoughtWords } from './events/event-log.service';
export type { EventPlace } from './events/event-place.repository';
export type { Early } from './events/event-position.repository';
export { eventTypes, mayHearOf } from './events/event-types';
export { eventTypeNames } from './events/event-view';
export { type Lane, type LaneName, laneId, lanesMax } from './events/lane';
export { covers, isSamePlace, type LogPlace, type StreamPlace } from './events/log-place';
export type { EventHead, Segment } from './events/segment.repository';
export { type CallbackContent, type RetryPolicy, securityTokenMark } from './kinds/callback-definition';
export { type CallbackKind, callbackDefinitions, callbackKinds, contentsOf } from './kinds/callback-kinds';

export interface NotificationsDeps {
  connection: Database;
  inTransaction: InTransaction;
  idempotent: Idempotent;
  clock: Clock;
  vault: Vault;
  /** The access domain's audit record of a change, as a write. */
  audit: RecordChange;
  config: Pick<Config, 'environment' | 'isSandbox' | 'REST_URL' | 'EVENT_REPLAY_DAYS' | 'CURSOR_KEY' | 'LANES'>;
  /** The merchants domain's answer whether there is such a tenant. */
  isAccount(environment: Environment, accountId: string): Promise<boolean>;
}

/** What the outbox and callback workers work on. */
export interface NotificationsStores {
  /** Keeps the wake-ups of installations that share a Redis apart. */
  databaseName: string;
  events: EventLogRepository;
  deliveries: DeliveryLog;
  endpoints: CallbackEndpointRepository;
  leases: EndpointLeases;
  health: EndpointHealthService;
  /** What signs the calls to an endpoint. */
  signingEndpoint: CallbackEndpointService['signingEndpoint'];
}

export interface Notifications {
  subgraph: SubgraphDefinition;
  /** What the domain finds by a text, of what the caller may see. */
  find: Find;
  /** Reading by position, for subscriptions. */
  eventLog: EventLog;
  stores: NotificationsStores;
  endpoints: CallbackEndpointService;
  receiver: ReceiverService;
  seedEndpoint: CallbackEndpointService['seed'];
  /** What is wrong with an address that shall be called, in a few words; null when it may be registered. No name is resolved. */
  judgeAddress(address: string): string | null;
  ensureIndexes(): Promise<void>;
}

export function createNotifications(deps: NotificationsDeps): Notifications {
  const { connection, inTransaction, clock, config } = deps;
  const events = createEventLogRepository(connection);
  const endpointRepository = createCallbackEndpointRepository(connection);
  const callbackRepository = createCallbackRepository(connection);
  const receiverRepository = createReceiverRepository(connection);
  const eventLog = createEventLog({ repository: events, clock, config });
  const { endpointsOfMerchant } = callbackRepository;
  const endpoints = createCallbackEndpointService({ ...deps, endpoints: endpointRepository, endpointsOfMerchant });
  const callbacks = createCallbackService({ ...deps, callbacks: callbackRepository });
  const receiver = createReceiverService({ receiver: receiverRepository, isSandbox: config.isSandbox });
  const { tokens, payments, operations, applications, all } = eventViews(events, eventLog.printCursor);
  const readers = { tokenEvent: tokens.event, operationEvent: operations.event, onboardingEvent: applications.event };

  const subgraph: SubgraphDefinition = {
    name: 'notifications',
    resolvers: [
      new CallbackResolver({ callbacks, endpoints, ...readers }),
      new CallbackActionsResolver(),
      new CallbackEndpointResolver(endpoints),
      new CallbackOriginResolver(originsOf(connection, { events, endpointsOfMerchant })),
      new TokenEventResolver(tokens.event),
      new VirtualAccountLifeResolver({ ...tokens, callbacks }),
      new OperationEventResolver(operations.event),
      new OperationLifeResolver({ ...operations, callbacks }),
      new PaymentLifeResolver({ ...payments, callbacks }),
      new OnboardingEventResolver(applications.event),
      new ApplicationLifeResolver({ ...applications, callbacks }),
      new MerchantCallbacksResolver({ callbacks }),
      new LogEventResolver(all.events),
      new JobEventResolver(),
      new EndpointOfEventResolver(endpoints),
      new CallbackOfEventResolver(callbacks),
      new ReceiverResolver(receiver),
    ],
    types,
    references: notificationReferences({ callbacks, endpoints, ...readers }),
    unmasked: { Callback: { subjectType: 'callback', key: 'callbackId', fields: ['body'] } },
  };

  return {
    subgraph,
    find: createCallbackSearch(connection),
    eventLog,
    stores: {
      databaseName: connection.name,
      events,
      deliveries: createDeliveryLog(connection),
      endpoints: endpointRepository,
      leases: createEndpointLeases(connection),
      health: createEndpointHealthService({ endpoints: endpointRepository, inTransaction, clock }),
      signingEndpoint: (endpoint) => endpoints.signingEndpoint(endpoint),
    },
    endpoints,
    receiver,
    seedEndpoint: endpoints.seed,
    judgeAddress: (address) => judgeCallbackUrl(address, callbackUrlRules(config)).fault,
    async ensureIndexes() {
      await Promise.all([
        events.prepare(config.LANES),
        endpointRepository.ensureIndexes(),
        callbackRepository.ensureIndexes(),
      ]);
      if (config.isSandbox) await receiverRepository.ensureCollection();
    },
  };
}

/** Endpoints grouped by where they are. */
function originsOf(
  connection: Database,
  deps: { events: EventLogRepository } & Pick<CallbackRepository, 'endpointsOfMerchant'>,
) {
  const origins = createCallbackOriginRepository(connection, deps.events);
  return createCallbackOriginService({ origins, endpointsOfMerchant: deps.endpointsOfMerchant });
}

/** Events and timelines as the graph shows them, by what they are about. */
function eventViews(repository: EventLogRepository, printCursor: EventLog['printCursor']) {
  const timelines = createTimelineService({ repository });
  type ViewOf<View> = (event: ShownEvent, print: typeof printCursor) => View | null;
  const readAs = <View>(view: ViewOf<View>) => ({
    async event(context: RequestContext, eventId: string) {
      const event = await timelines.event(context, eventId);
      return event && view(event, printCursor);
    },
    async events(context: RequestContext, eventIds: readonly string[]) {
      return (await timelines.events(context, eventIds)).map((event) => event && view(event, printCursor));
    },
  });
  const shownAs = <View>(view: ViewOf<View>, of: TimelineOf) => ({
    ...readAs(view),
    async timeline(context: RequestContext, id: string, page: PageArguments) {
      return shown(await timelines.timeline(context, { of, id }, page), (event) => view(event, printCursor));
    },
  });
  return {
    tokens: shownAs(tokenEventView, 'virtualAccount'),
    payments: shownAs(operationEventView, 'payment'),
    operations: shownAs(operationEventView, 'operation'),
    applications: shownAs(onboardingEventView, 'application'),
    all: readAs(logEventView),
  };
}

/** The page with its events as `view` shows them, those left out that it shows as nothing. */
function shown<View>(
  { edges, pageInfo, ...rest }: Connection<EventRecord>,
  view: (event: EventRecord) => View | null,
): Connection<View> {
  const visible = edges.flatMap(({ cursor, node }) => {
    const seen = view(node);
    return seen === null ? [] : [{ cursor, node: seen }];
  });
  const startCursor = visible[0]?.cursor ?? pageInfo.startCursor;
  return { ...rest, edges: visible, pageInfo: { ...pageInfo, startCursor } };
}

const types = [
  { ActionReasonType },
  callbackActionTypes,
  callbackOriginTypes,
  callbackTypes,
  tokenEventTypes,
  operationEventTypes,
  onboardingEventTypes,
  logEventTypes,
  receiverTypes,
]
  .flatMap((module) => Object.values(module) as unknown[])
  .filter((type) => typeof type === 'function') as (new () => object)[];
