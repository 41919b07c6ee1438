// Terminals by their id.
import type { Connection } from 'mongoose';
import { tenantFilter } from '../../shared/callers/caller';
import { boundedList } from '../../shared/lists/bounded-list';
import { type Find } from '../../shared/search';
import { collectionOf } from '../../shared/store/collection-of';
import type { Terminal } from './terminal';

export function createTerminalSearch(connection: Connection): Find {
  const terminals = collectionOf<Terminal & { _id: string }>(connection, 'terminals');

  return async (caller, { text, isReference }, max) => {
    if (!isReference) return [];
    const own = { ...tenantFilter(caller), terminalId: text };
    const found = await boundedList(terminals, own, { projection: { terminalId: 1 }, limit: max });
    return found.map(({ terminalId }) => ({ type: 'Terminal', matchedBy: 'ID', id: terminalId }));
  };
}
