// What a stream of events is asked for, in its address: which events, behind which cursor, and with which document if not with ours.
import type { IncomingMessage } from 'node:http';
import { type FieldNode, Kind } from 'graphql';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { Naming } from '../plan/named-document';
import type { Variables } from '../subgraphs/subgraph-client';

/** What each event shows unless a document of the caller's says otherwise: what it is about by its keys, so that no other domain is asked. */
export const streamDocument = `subscription EventStream($filter: EventFilter, $after: String, $last: Int) {
  events(filter: $filter, after: $after, last: $last) {
    __typename
    eventId
    sequence
    cursor
    occurredAt
    type
    requestId
    merchant { merchantId }
    ... on TokenEvent { virtualAccount { virtualAccountId } }
    ... on OperationEvent { operationType operationResult operation { operationId } payment { paymentId } }
    ... on OnboardingEvent { status previousStatus reason application { id } }
    ... on PayoutEvent { payout { payoutId } }
    ... on LedgerEvent { ledgerEntryId }
    ... on CallbackEndpointEvent { endpoint { endpointId kind } }
    ... on CallbackAttemptEvent { number result httpStatus durationMs nextAt callback { callbackId } }
    ... on JobEvent { job { jobId } }
    ... on AuditEvent { action subjectType subjectId record { auditId } }
  }
}`;

export interface StreamRequest {
  /** Null: ours. */
  document: Naming | null;
  variables: Variables;
  /** The first parameter that narrows, and that by which it resumes; null where none came. */
  narrowedBy: string | null;
  resumedBy: string | null;
}

const lists = ['types', 'merchantIds', 'results', 'actions'] as const;
const known: ReadonlySet<string> = new Set([...lists, 'after', 'last', 'query', 'documentId']);

/** Lists are given by commas, by repetition, or both. `Last-Event-ID` is what a browser comes back with: it goes before `after`. */
export function readStreamRequest({ url = '', headers }: IncomingMessage): StreamRequest {
  const search = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
  const stranger = [...search.keys()].find((name) => !known.has(name));
  if (stranger !== undefined)
    throw new DomainError('invalidInput', `there is no parameter ${JSON.stringify(stranger.slice(0, 64))}`, {
      field: stranger.slice(0, 64),
    });
  const given = lists.filter((name) => search.has(name));
  const filter = Object.fromEntries(
    given.map((name) => [name, search.getAll(name).flatMap((values) => values.split(',').filter(Boolean))]),
  );
  const lastEventId = headers['last-event-id'];
  const isResumedByHeader = typeof lastEventId === 'string' && lastEventId !== '';
  const after = isResumedByHeader ? lastEventId : search.get('after');
  const [query, documentId] = [search.get('query'), search.get('documentId')];
  const document =
    query === null && documentId === null ? null : { query: query || undefined, documentId: documentId || undefined };
  const last = search.has('last') ? lastOf(search.get('last')) : undefined;
  const variables = withoutUndefined({
    filter: given.length > 0 ? filter : undefined,
    after: after ?? undefined,
    last,
  });
  const resumedBy = isResumedByHeader ? 'Last-Event-ID' : after === null ? null : 'after';
  return { document, variables, narrowedBy: given[0] ?? null, resumedBy };
}

function lastOf(text: string | null): number {
  if (text !== null && /^\d{1,9}$/.test(text)) return Number(text);
  throw new DomainError('invalidInput', 'last is a whole number', { field: 'last' });
}

/** Refuses a document that would not hear what its address says, or could not come back behind an event, which browsers do by themselves. */
export function requireHearing(root: FieldNode, { narrowedBy, resumedBy, variables }: StreamRequest): void {
  const hears = (argument: string) =>
    root.arguments?.some(
      ({ name, value }) => name.value === argument && value.kind === Kind.VARIABLE && value.name.value === argument,
    );
  const refused = (parameter: string, argument: string) =>
    new DomainError(
      'invalidInput',
      `the document does not hear ${parameter}: it needs events(${argument}: $${argument})`,
      {
        field: parameter,
      },
    );
  if (narrowedBy !== null && !hears('filter')) throw refused(narrowedBy, 'filter');
  if (!hears('after')) throw refused(resumedBy ?? 'after', 'after');
  if (variables['last'] !== undefined && !hears('last')) throw refused('last', 'last');
}
