// Stores with a collection of things, whose names are unique: what tests of the write seam write.
import type { Collection } from 'mongodb';
import { collectionOf } from '../../subgraphs/shared/store/collection-of';
import { openStores, type Stores } from '../support/stores';

export interface Thing {
  _id: string;
  name?: string;
  version?: number;
}

export async function openThings(): Promise<Stores> {
  const stores = await openStores();
  await thingsOf(stores).createIndex({ name: 1 }, { unique: true });
  return stores;
}

export function thingsOf({ connection }: Pick<Stores, 'connection'>): Collection<Thing> {
  return collectionOf<Thing>(connection, 'things');
}
