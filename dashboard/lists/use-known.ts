// The present address as a list knows it.
import { useMemo } from 'react';
import { parseSearch, printSearch, type Search, useAddress } from '../shell/address';
import { type KnownFilters, knownSearchOf } from './known';

/** `search` has what is known of it; `filters` of that what the list is narrowed by. */
export function useKnownAddress(known: KnownFilters) {
  const { search: told, open, change, hrefOf } = useAddress();
  const address = useMemo(() => knownSearchOf(told, known), [told, known]);
  return { address, search: address.search, filters: useFilters(address.search), open, change, hrefOf };
}

/** What is open beside the list, and what is done to it. */
const opened = { act: undefined, of: undefined, record: undefined, entry: undefined };

/** The same object as long as they are the same: a span that ends now goes on with them alone, and what is opened beside the list asks nothing anew. */
function useFilters(search: Search): Search {
  const filters = printSearch(Object.assign({}, search, opened));
  return useMemo(() => parseSearch(filters), [filters]);
}
