// What `events` was narrowed to: read from its argument, refused where it names what there is not, and held against an event.
import { type EventHead, eventTypes, mayHearOf, type SoughtWords } from '../../subgraphs/notifications';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import { isAuditAction, toldActions } from '../../subgraphs/shared/vocabulary/audit-action';

/** Null: all of them. */
export interface EventFilter {
  types: ReadonlySet<string> | null;
  merchantIds: ReadonlySet<string> | null;
  /** These two are told by the bodies of events, not by their heads. */
  results: ReadonlySet<string> | null;
  actions: ReadonlySet<string> | null;
}

const knownActions: ReadonlySet<string> = new Set(toldActions);

/** Values of each list. */
const valuesMax = 100;

/** Reads the coerced argument. An empty list would be followed for ever without an event: it is refused. */
export function readFilter(given: unknown): EventFilter {
  const {
    types = null,
    merchantIds = null,
    results = null,
    actions = null,
  } = (given ?? {}) as Record<string, readonly string[] | null>;
  return {
    types: setOf('types', types, eventTypes),
    merchantIds: setOf('merchantIds', merchantIds, null),
    results: setOf('results', results, null),
    actions: setOf('actions', actions, knownActions),
  };
}

function setOf(name: string, values: readonly string[] | null, known: ReadonlySet<string> | null) {
  if (values === null) return null;
  const refuse = (why: string) => new DomainError('invalidInput', why, { field: `filter.${name}` });
  if (values.length === 0) throw refuse(`filter.${name} is empty: leave it out for all`);
  if (values.length > valuesMax) throw refuse(`filter.${name} has more than ${valuesMax} values`);
  const stranger = known && values.find((value) => !known.has(value));
  if (stranger)
    throw refuse(`filter.${name} names ${JSON.stringify(stranger.slice(0, 64))}, ${whyNot(name, stranger)}`);
  return new Set(values);
}

function whyNot(name: string, stranger: string): string {
  return name === 'actions' && isAuditAction(stranger)
    ? 'which auditRecords has and no event of the audit tells'
    : 'which is none';
}

/** As far as the head of an event tells; only payments have results, and only the audit has acts. */
export function isWanted(
  { types, merchantIds, results, actions }: EventFilter,
  head: Pick<EventHead, 'type' | 'merchantId' | 'aggregateType'>,
): boolean {
  if (types && !types.has(head.type)) return false;
  if (merchantIds && !(head.merchantId !== null && merchantIds.has(head.merchantId))) return false;
  if (results && head.aggregateType !== 'payment') return false;
  return actions === null || head.aggregateType === 'audit';
}

/** What only the bodies of events can answer; null: nothing is left to ask. */
export function soughtOf({ results, actions }: EventFilter): SoughtWords | null {
  if (actions) return { member: 'action', words: actions };
  return results && { member: 'operationResult', words: results };
}

/** Refuses with `forbidden` who asks for the audit by name and may not read it. */
export function assertMayHear(caller: Caller, { types, actions }: EventFilter): void {
  const isAsked = actions !== null || types?.has('audit.recorded');
  if (isAsked && !mayHearOf(caller, { aggregateType: 'audit' })) throw new DomainError('forbidden', 'needs audit:read');
}
