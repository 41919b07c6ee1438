// Reads again what is whole at each reading, such as a board or what is open beside a list, whenever something happens to it: by a subscription of its own, so that it lives whatever the list is narrowed to.

import { useEvents } from '../graph/ask';
import { type EventFilter } from '../graph/contract';
import { useMay } from '../shell/viewer';
import { type ShownFeedKind, typesOf } from './feed-kinds';
import { Touched, type TouchedSubscription } from './queries';
import { useSoon } from './soon';
import { useReadUnheard } from './unheard';

interface Thing {
  /** In what of the log it is told of. */
  kinds: readonly ShownFeedKind[];
  id: string;
  /** Nothing else is told of another one's; null: it has none, or may get one. */
  merchantId: string | null;
}

interface Looked {
  /** Not all that becomes of it is told: it is read every few seconds besides. */
  isLooked?: boolean;
}

/** Of a screen that shows all of a kind. */
export function useReadOn(kind: ShownFeedKind, again: () => void): void {
  const mayListen = useMay('events:read');
  useReadOnEvents(mayListen ? { types: typesOf(kind) } : null, again);
}

/** Of acts of the audit; of one merchant, or whoever they are about. */
export function useReadOnActs(
  actions: readonly string[],
  merchantId: string | null,
  again: () => void,
  { isLooked }: Looked = {},
): void {
  const mayListen = [useMay('events:read'), useMay('audit:read')].every(Boolean);
  const merchants = merchantId === null ? {} : { merchantIds: [merchantId] };
  useReadOnEvents(mayListen ? { actions: [...actions], ...merchants } : null, again, { isLooked });
}

/** Of one thing; null: it is not known yet, or there is none. */
export function useReadOnThing(thing: Thing | null, again: () => void, { isLooked }: Looked = {}): void {
  const mayListen = useMay('events:read');
  const maySee = useMay('callbacks:read');
  const kinds = thing?.kinds.filter((kind) => maySee || kind !== 'callbacks') ?? [];
  const merchantIds = thing?.merchantId ? [thing.merchantId] : null;
  const filter = kinds.length > 0 && mayListen ? { types: kinds.flatMap(typesOf), merchantIds } : null;
  useReadOnEvents(filter, again, { isLooked, id: thing?.id });
}

/** `id`: only what is about it. */
function useReadOnEvents(
  filter: EventFilter | null,
  again: () => void,
  { isLooked = false, id }: { isLooked?: boolean | undefined; id?: string | undefined } = {},
): void {
  const soon = useSoon(again, isLooked);
  const hear = useReadUnheard(JSON.stringify(filter), () => filter && again());
  useEvents(Touched, filter ? [{ filter, after: null }] : [], ({ events }) => {
    hear();
    if (id === undefined || events.type === 'GAP' || idsOf(events).includes(id)) soon();
  });
}

/** Of all that an event is about. */
function idsOf(event: TouchedSubscription['events']): readonly (string | undefined)[] {
  switch (event.__typename) {
    case 'OperationEvent':
      return [event.payment?.paymentId];
    case 'TokenEvent':
      return [event.virtualAccount?.virtualAccountId];
    case 'OnboardingEvent':
      return [event.application?.id];
    case 'PayoutEvent':
      return [event.payout?.payoutId];
    case 'CallbackEndpointEvent':
      return [event.endpoint?.endpointId];
    case 'CallbackAttemptEvent': {
      const { callbackId, endpoint, operation, virtualAccount, application } = event.callback ?? {};
      return [
        callbackId,
        endpoint?.endpointId,
        operation?.paymentId ?? undefined,
        virtualAccount?.virtualAccountId,
        application?.id,
      ];
    }
    default:
      return [];
  }
}
