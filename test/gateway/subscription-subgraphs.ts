// The small graph of a world for subscription conversations: events of a log that the test orders, and the domains of what they are about.
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import { eventTypeNames, type PositionedEvent } from '../../subgraphs/notifications';
import type { RequestContext } from '../../subgraphs/shared/callers/context';
import type { Subgraph } from '../../subgraphs/shared/graph/subgraph';

export const owners: Record<string, string> = { 'm-alpha': 'alpha', 'm-alpha-2': 'alpha', 'm-beta': 'beta' };
const typeOf: Record<string, string> = { ...eventTypeNames, merchant: 'PlainEvent' };
const applicationOwners: Record<string, string> = { '1001': 'alpha', '1002': 'alpha', '2001': 'beta' };
export const isVisible = ({ caller }: RequestContext, accountId: string) =>
  caller.accountId === null || caller.accountId === accountId;

/** An event as the graph tells it, but for its cursor. */
export const shownOf = (event: PositionedEvent) => ({
  ...event,
  __typename: typeOf[event.aggregateType],
  eventId: event._id,
  occurredAt: event.occurredAt.toISOString(),
  merchant: { merchantId: event.merchantId },
  payment: { paymentId: event.aggregateId },
  payout: { payoutId: event.aggregateId },
  operationResult: event.data['operationResult'],
  virtualAccount: { virtualAccountId: event.aggregateId },
  operation: { operationId: event.aggregateId },
  application: { id: event.aggregateId },
  action: event.data['action'],
  subjectType: event.data['subjectType'],
  subjectId: event.data['subjectId'],
  record: { auditId: event.aggregateId },
});

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])';

function subgraph(name: string, sdl: string, resolvers: unknown): Subgraph {
  const typeDefs = parse(`${link}\n${sdl}`);
  return { name, sdl, typeDefs, schema: buildSubgraphSchema([{ typeDefs, resolvers: resolvers as never }]) };
}

export function notifications(complete: (eventIds: readonly string[], context: RequestContext) => unknown): Subgraph {
  const fields =
    'eventId: ID! sequence: Int! cursor: String occurredAt: String! type: String! requestId: ID merchant: Merchant';
  return subgraph(
    'notifications',
    `interface Event { ${fields} }
     type TokenEvent implements Event { ${fields} virtualAccount: VirtualAccount }
     type VirtualAccount @key(fields: "virtualAccountId") { virtualAccountId: ID! }
     type OperationEvent implements Event { ${fields} operation: Operation operationType: String operationResult: String payment: Payment }
     type Merchant @key(fields: "merchantId") { merchantId: ID! }
     type Payment @key(fields: "paymentId") { paymentId: ID! }
     type Payout @key(fields: "payoutId") { payoutId: ID! }
     type CallbackEndpoint { endpointId: ID! kind: String! }
     type Operation @key(fields: "operationId") { operationId: ID! }
     type OnboardingEvent implements Event { ${fields} application: OnboardingApplication status: String previousStatus: String reason: String }
     type OnboardingApplication @key(fields: "id") { id: ID! }
     type PayoutEvent implements Event { ${fields} payout: Payout }
     type LedgerEvent implements Event { ${fields} ledgerEntryId: ID }
     type CallbackEndpointEvent implements Event { ${fields} endpoint: CallbackEndpoint }
     type Callback { callbackId: ID! }
     type CallbackAttemptEvent implements Event { ${fields} number: Int result: String httpStatus: Int durationMs: Int nextAt: String callback: Callback }
     type Job @key(fields: "jobId") { jobId: ID! }
     type JobEvent implements Event { ${fields} job: Job }
     type AuditRecord @key(fields: "auditId") { auditId: ID! }
     type AuditEvent implements Event { ${fields} action: String subjectType: String subjectId: ID record: AuditRecord }
     type PlainEvent implements Event { ${fields} }
     enum OperationResult { AUTHORIZED DECLINED PENDING }
     input EventFilter { types: [String!] merchantIds: [ID!] results: [OperationResult!] actions: [String!] }
     type Query { eventsById(eventIds: [ID!]!): [Event]! }
     type Subscription { events(filter: EventFilter, after: String, last: Int): Event! tokenEvents(merchantId: ID!, after: String): TokenEvent! operationEvents(merchantId: ID!, after: String): OperationEvent! onboardingEvents(applicationId: ID!, after: String): OnboardingEvent! strangeEvents(merchantId: ID!): TokenEvent! }`,
    {
      Query: {
        eventsById: (_: unknown, { eventIds }: { eventIds: string[] }, context: RequestContext) =>
          complete(eventIds, context),
      },
    },
  );
}

export function accounts(): Subgraph {
  return subgraph(
    'accounts',
    `enum OperationResult { AUTHORIZED DECLINED PENDING }
     type VirtualAccount @key(fields: "virtualAccountId") { virtualAccountId: ID! state(upper: Boolean = true): String! }
     type Operation @key(fields: "operationId") { operationId: ID! operationResult: OperationResult! }
     type OnboardingApplication @key(fields: "id") { id: ID! status: String! }
     type Merchant @key(fields: "merchantId") { merchantId: ID! }
     type Query { merchant(merchantId: ID!): Merchant onboardingApplication(id: ID!): OnboardingApplication }
     type Mutation { touch: Int! }`,
    {
      VirtualAccount: {
        __resolveReference: (reference: object) => reference,
        state: (_: unknown, { upper }: { upper: boolean }) => (upper ? 'ACTIVE' : 'active'),
      },
      Operation: {
        __resolveReference: (reference: object) => reference,
        operationResult: () => 'AUTHORIZED',
      },
      OnboardingApplication: {
        __resolveReference: (reference: object) => reference,
        status: () => 'INITIATED',
      },
      Query: {
        onboardingApplication: (_: unknown, { id }: { id: string }, context: RequestContext) => {
          const owner = applicationOwners[id];
          return owner && isVisible(context, owner) ? { id } : null;
        },
        merchant: (_: unknown, { merchantId }: { merchantId: string }, context: RequestContext) => {
          const owner = owners[merchantId];
          return owner && isVisible(context, owner) ? { merchantId } : null;
        },
      },
      Mutation: { touch: () => 1 },
    },
  );
}
