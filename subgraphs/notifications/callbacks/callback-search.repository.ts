// Callbacks by their id and by the event that they tell, endpoints by their id and by where they are: an address, an origin or a host.
import type { Filter } from 'mongodb';
import type { Connection } from 'mongoose';
import { tenantFilter } from '../../shared/callers/caller';
import { boundedList } from '../../shared/lists/bounded-list';
import { createIdSearch } from '../../shared/lists/search-by-id';
import { type Find, findTogether, hitsOf, type SearchText } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import { originOf } from './address-template';
import { endpointStates } from './callback-endpoint';

interface SearchedById {
  _id: string;
}

export function createCallbackSearch(connection: Connection): Find {
  const callbacks = collectionOf<SearchedById>(connection, 'deliveries');
  const endpoints = collectionOf<SearchedById>(connection, 'callback_endpoints');

  const byEvent: Find = async (caller, { uuid }, max) => {
    if (uuid === null) return [];
    const own = { ...tenantFilter(caller), eventId: uuid } as Filter<SearchedById>;
    return hitsOf('Callback', 'EVENT', await boundedList(callbacks, own, { projection: { _id: 1 }, limit: max }));
  };
  const byOrigin: Find = async (caller, { text }, max) => {
    const where = originsIn(text);
    if (where.length === 0) return [];
    // Said of every health too, because the indexes have the origins behind it.
    const there = { 'health.state': { $in: [...endpointStates] }, $or: where.map((origin) => ({ origin })) };
    const own = { ...tenantFilter(caller), ...there } as Filter<SearchedById>;
    const found = await boundedList(endpoints, own, { projection: { _id: 1 }, limit: max });
    return hitsOf('CallbackEndpoint', 'ORIGIN', found);
  };
  return findTogether(
    createIdSearch(callbacks, 'Callback'),
    byEvent,
    createIdSearch(endpoints, 'CallbackEndpoint', { idIn: endpointIdIn }),
    byOrigin,
  );
}

const hashChars = 43;

/** Of a registered one a UUID, of one that came with a call the hash of what it came with. */
function endpointIdIn({ text, uuid, isReference }: SearchText): string | null {
  return uuid ?? (isReference && text.length === hashChars ? text : null);
}

/** `shop.example`, `127.0.0.1:8443`. */
const host = /^(?:localhost|(?:[a-z0-9-]+\.)+[a-z0-9-]+)(:\d{1,5})?$/i;
const schemes = ['https', 'http'] as const;

/** The origins that a text is: those of a host by either scheme, and without a port at whichever. */
function originsIn(text: string): object[] {
  const [named, port] = host.exec(text) ?? [];
  if (!named) return /^https?:\/\/./i.test(text) && originOf(text) ? [{ $eq: originOf(text) }] : [];
  const origins = schemes.map((scheme) => `${scheme}://${named.toLowerCase()}`);
  const atPorts = origins.map((origin) => ({ $gt: `${origin}:`, $lt: `${origin};` }));
  return [{ $in: origins }, ...(port ? [] : atPorts)];
}
