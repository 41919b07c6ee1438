// Reads of checkout sessions for people: by key and by filter, newest first, without what only the payer or the shop may know (hosted checkout, build and hpp).
import type { Connection } from 'mongoose';
import { type Caller, tenantFilter } from '../../shared/callers/caller';
import { childPages } from '../../shared/lists/child-pages';
import { alongTime, type Slice, type TimePlace } from '../../shared/lists/list-order';
import { type ListQuery, listPage } from '../../shared/lists/list-page';
import type { Page } from '../../shared/lists/page';
import { withoutAbsent } from '../../shared/present-members';
import { collectionOf } from '../../shared/store/collection-of';
import { between } from '../../shared/store/conditions';
import { ofSlotOf, ofSlotOfIds, ofSlotOfList } from '../../shared/store/of-slot';
import { reading } from '../../shared/store/reading';
import { checkoutSessionsCollection } from '../collections';
import type { ChallengeOutcome } from '../connectors/three-ds';
import type { PaymentFamily } from '../operations/operation';
import { type CheckoutSession, type FlowState, type Redirection, type SessionKind } from './checkout-session';

export interface SessionFilter {
  merchantId?: string | null;
  terminalId?: string | null;
  paymentId?: string | null;
  orderId?: string | null;
  family?: PaymentFamily | null;
  kind?: SessionKind | null;
  state?: FlowState | null;
  /** CARDS or an alternative method. */
  method?: string | null;
  currency?: string | null;
  pluginName?: string | null;
  /** By creation, both inclusive. */
  from?: Date | null;
  to?: Date | null;
}

const shown = [
  ...(['environment', 'accountId', 'merchantId', 'terminalId', 'paymentId', 'operationId', 'family'] as const),
  ...(['kind', 'flowVersion', 'state', 'method', 'amountMinor', 'currency', 'orderId', 'language'] as const),
  ...(['merchantOrigin', 'pluginName', 'warnings', 'createdAt', 'touchedAt'] as const),
] as const;

/** Of where the payer was sent: its address is a capability. */
const shownOfRedirection = ['kind', 'sentAt', 'outcome', 'answeredAt'] as const;

interface ChallengeFacts {
  sentAt: Date;
  outcome: ChallengeOutcome | null;
  answeredAt: Date | null;
}

/** What people may know of a session: no token, no card, nothing a payer typed, no capability of a page. */
export type SessionFacts = Pick<CheckoutSession, 'sessionId' | (typeof shown)[number]> & {
  challenge: ChallengeFacts | null;
};

type ListedSession = Omit<SessionFacts, 'sessionId' | 'amountMinor' | 'challenge'> & {
  _id: string;
  amountMinor: number | bigint | null;
  redirection?: Pick<Redirection, (typeof shownOfRedirection)[number]> | null;
};

export type SessionQueryRepository = ReturnType<typeof createSessionQueryRepository>;

export function createSessionQueryRepository(connection: Connection) {
  const collection = checkoutSessionsCollection;
  const records = collectionOf<ListedSession>(connection, collection);
  const projected = [...shown, ...shownOfRedirection.map((field) => `redirection.${field}`)];
  const projection = Object.fromEntries(projected.map((field) => [field, 1]));

  return {
    /** Newest first. */
    list(caller: Caller, filter: SessionFilter, slice: Slice<TimePlace>): Promise<Page<SessionFacts>> {
      const slots = ofSlotOfList(filter);
      return listPage(records, { ...listed(caller, filter, slice), slots, projection }, factsOf);
    },
    /** One page for each merchant or payment, in one query. */
    listByParents(
      caller: Caller,
      parent: { field: 'merchantId' | 'paymentId'; ids: readonly string[] },
      filter: SessionFilter,
      slice: Slice<TimePlace>,
    ): Promise<Map<string, Page<SessionFacts>>> {
      const { field, ids } = parent;
      const slots = field === 'paymentId' ? ofSlotOfIds(ids, caller) : ofSlotOf(...ids);
      return reading(
        childPages<ListedSession, SessionFacts>(
          { connection, collection, parentField: field },
          { parentIds: ids, ...listed(caller, filter, slice), slots },
          factsOf,
        ),
      );
    },
  };
}

function listed(caller: Caller, { from, to, ...same }: SessionFilter, slice: Slice<TimePlace>): ListQuery {
  // What is under way has no operation yet; said so, it is looked for among what is unfinished.
  const unfinished = same.state && same.state !== 'PAYMENT_COMPLETE' ? { operationId: null } : {};
  const filter = { ...tenantFilter(caller), ...withoutAbsent(same), ...unfinished, ...between('createdAt', from, to) };
  return { filter, ...alongTime('createdAt', slice) };
}

/** Sessions that were looked up by their parents come whole: only what may be shown goes on. */
function factsOf({ _id, amountMinor, ...stored }: ListedSession): SessionFacts {
  const facts = Object.fromEntries(shown.map((field) => [field, (stored as Partial<SessionFacts>)[field] ?? null]));
  const amount = amountMinor === null ? null : BigInt(amountMinor);
  return { ...(facts as SessionFacts), sessionId: _id, amountMinor: amount, challenge: challengeOf(stored) };
}

/** Null where there was none, or its moments were not kept yet. */
function challengeOf({ redirection }: Pick<ListedSession, 'redirection'>): ChallengeFacts | null {
  if (redirection?.kind !== 'challenge' || !redirection.sentAt) return null;
  const { sentAt, outcome = null, answeredAt = null } = redirection;
  return { sentAt, outcome, answeredAt };
}
