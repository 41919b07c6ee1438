// The life of one aggregate or operation as its events tell it, and single events by id (card document, Events; docs/sandbox.md, section 7).
import type { RequestContext } from '../../shared/callers/context';
import { numberAt, readSlice } from '../../shared/lists/list-order';
import { type Connection, connection, emptyPage, type Page, type PageArguments } from '../../shared/lists/page';
import { requestLoader } from '../../shared/store/loaders';
import type { EventRecord } from '../../shared/store/unit-of-work';
import type { EventLogRepository, TimelineOf } from './event-log.repository';
import { mayHearOf } from './event-types';
import type { ShownEvent } from './event-view';

export interface TimelineService {
  /** The event, or null when it is absent, somebody else's, or none that the caller is told of. */
  event(context: RequestContext, eventId: string): Promise<ShownEvent | null>;
  /** The same of many, in the order of the ids. */
  events(context: RequestContext, eventIds: readonly string[]): Promise<(ShownEvent | null)[]>;
  /** Events of one aggregate or operation in sequence; all that are asked for in one tick share one query. */
  timeline(
    context: RequestContext,
    timeline: { of: TimelineOf; id: string },
    page: PageArguments,
  ): Promise<Connection<EventRecord>>;
}

export function createTimelineService(deps: { repository: EventLogRepository }): TimelineService {
  const { repository } = deps;

  return {
    async event(context, eventId) {
      const event = await requestLoader<ShownEvent>(
        context,
        'events',
        (ids) => repository.find(context.caller, ids),
        ({ _id }) => _id,
      ).load(eventId);
      return event && mayHearOf(context.caller, event) ? event : null;
    },
    // Hundreds at once, and nobody else of the request asks for the same: without a loader, which is a promise for each.
    async events({ caller }, eventIds) {
      const found = await repository.find(caller, eventIds);
      const told = new Map(found.flatMap((event) => (mayHearOf(caller, event) ? [[event._id, event]] : [])));
      return eventIds.map((id) => told.get(id) ?? null);
    },
    async timeline(context, { of, id }, asked) {
      const slice = readSlice(asked, numberAt);
      const loader = requestLoader<{ key: string; page: Page<EventRecord> }>(
        context,
        `timeline ${JSON.stringify([of, slice])}`,
        async (ids) => {
          const pages = await repository.timelines(context.caller, of, ids, slice);
          return [...pages].map(([key, page]) => ({ key, page }));
        },
        ({ key }) => key,
      );
      const page = (await loader.load(id))?.page ?? emptyPage;
      return connection(page, slice, ({ sequence }) => [sequence]);
    },
  };
}
