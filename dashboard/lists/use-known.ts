// The present address as a list knows it.
import { useMemo } from 'react';
import { useAddress } from '../shell/address';
import { type KnownFilters, knownSearchOf } from './known';

/** `search` has what is known of it, and is the same object as long as the address is the same: what is open beside the list asks nothing anew. */
export function useKnownAddress(known: KnownFilters) {
  const { search: told, open, change, hrefOf } = useAddress();
  const address = useMemo(() => knownSearchOf(told, known), [told, known]);
  return { address, search: address.search, open, change, hrefOf };
}
