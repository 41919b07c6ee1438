// Use cases around the origins that callbacks go to: their list, and of each what its endpoints add up to, those of a request together.
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { assertListFilter } from '../../shared/list-filter';
import { childCountLoader } from '../../shared/lists/child-pages';
import { idAt, readSlice } from '../../shared/lists/list-order';
import { type Connection, connection, type PageArguments, type TotalCount } from '../../shared/lists/page';
import { requestLoader } from '../../shared/store/loaders';
import type { CallbackRepository } from '../callbacks/callback.repository';
import { type EndpointState, endpointStates } from '../callbacks/callback-endpoint';
import type { EndpointsAsked } from '../callbacks/callback-endpoint.service';
import type { CallbackOriginRepository, Undelivered } from './callback-origin.repository';

export interface StateCount {
  state: EndpointState;
  total: TotalCount;
}

export interface CallbackOriginService {
  /** By name. */
  list(caller: Caller, asked: PageArguments & Omit<EndpointsAsked, 'origin'>): Promise<Connection<{ origin: string }>>;
  /** Of every health, in the order of the states. */
  health(context: RequestContext, origin: string): Promise<StateCount[]>;
  total(context: RequestContext, origin: string): Promise<TotalCount>;
  undelivered(context: RequestContext, origin: string): Promise<Undelivered>;
  terminals(context: RequestContext, origin: string): Promise<string[]>;
}

const nothingWaits: Undelivered = { total: { value: 0, isExact: true }, oldestAt: null };

export function createCallbackOriginService({
  origins,
  endpointsOfMerchant,
}: {
  origins: CallbackOriginRepository;
  endpointsOfMerchant: CallbackRepository['endpointsOfMerchant'];
}): CallbackOriginService {
  const health = (context: RequestContext, origin: string): Promise<StateCount[]> =>
    Promise.all(
      endpointStates.map(async (state) => {
        const loader = childCountLoader(context, 'endpoints of origin', state, (names) =>
          origins.countByOrigin(context.caller, state, names),
        );
        return { state, total: await loader.load(origin) };
      }),
    );

  return {
    async list(caller, { health = null, merchantId = null, ...asked }) {
      assertListFilter({ health });
      const slice = readSlice(asked, idAt);
      const endpointIds = merchantId === null ? null : await endpointsOfMerchant(caller, merchantId);
      const page = await origins.list(caller, { health, endpointIds }, slice);
      const items = page.items.map((origin) => ({ origin }));
      return connection({ ...page, items }, slice, ({ origin }) => [origin]);
    },
    health,
    async total(context, origin) {
      const totals = (await health(context, origin)).map(({ total }) => total);
      return {
        value: totals.reduce((sum, { value }) => sum + value, 0),
        isExact: totals.every(({ isExact }) => isExact),
      };
    },
    async undelivered(context, origin) {
      const read = (names: readonly string[]) => origins.undelivered(context.caller, names);
      const found = await requestLoader(context, 'undelivered of origin', read, (each) => each.origin).load(origin);
      return found?.undelivered ?? nothingWaits;
    },
    async terminals(context, origin) {
      const read = (names: readonly string[]) => origins.terminals(context.caller, names);
      const found = await requestLoader(context, 'terminals of origin', read, (each) => each.origin).load(origin);
      return found?.terminalIds ?? [];
    },
  };
}
