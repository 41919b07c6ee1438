// Documents by id for requests that come at the same time: one query reads what all of them wait for, and each gets what its own filter admits.
import type { Collection, Document, Filter } from 'mongodb';
import { withoutUndefined } from '../present-members';
import { inBatches } from './batcher';
import { ofSlotOfEach } from './of-slot';
import { findAll, reading } from './reading';

interface WantedDocument {
  key: string;
  own: Record<string, unknown>;
}

/** Finds one document; null when it is absent, or when a field of `own` has another value in it. */
export type ReadOne<Stored> = (key: string, own: Record<string, unknown>) => Promise<Stored | null>;

/** A field that is unique within an environment, and stages of an aggregation that bring what belongs to each document along. */
interface GroupedReaderOptions {
  field?: string;
  /** Made for where the documents of a group are. */
  beside?: (slots: { slot?: object }) => Document[];
}

/**
 * By its id, or by another field that is unique within an environment. `own` is what the caller may see, as a filter by equality: it is the same
 * document that a query of its own would have found. What is read is shared by all who asked for it.
 */
export function createGroupedReader<Stored extends object>(
  collection: Collection<Stored>,
  { field = '_id', beside }: GroupedReaderOptions = {},
): ReadOne<Stored> {
  const readGroup = async (wanted: readonly WantedDocument[]): Promise<(Stored | null)[]> => {
    const filter = filterOf(field, wanted);
    const found = await reading(
      beside
        ? collection
            .aggregate([{ $match: filter }, ...beside(slotsOf(wanted))], { batchSize: 2 * wanted.length + 1 })
            .toArray()
        : findAll<Stored, Document>(collection, filter as Filter<Stored>),
    );
    const byKey = groupedBy(found, field);
    return wanted.map(
      ({ key, own }) => (byKey.get(key)?.find((document) => hasFields(document, own)) as Stored) ?? null,
    );
  };
  const read = inBatches<WantedDocument, Stored | null>(readGroup, { sizeMax: 64, inFlightMax: 2, gatherMsMax: 0 });
  return (key, own) => read({ key, own });
}

function filterOf(field: string, wanted: readonly WantedDocument[]): Document {
  // What is found by its id carries its slot.
  const slots = field === '_id' ? slotsOf(wanted) : {};
  const environments = new Set(wanted.map(({ own }) => own['environment']));
  return {
    ...withoutUndefined({ environment: environments.has(undefined) ? undefined : { $in: [...environments] } }),
    [field]: { $in: [...new Set(wanted.map(({ key }) => key))] },
    ...slots,
  };
}

function slotsOf(wanted: readonly WantedDocument[]): { slot?: object } {
  return ofSlotOfEach(wanted.map(({ key, own }) => ({ id: key, owner: own })));
}

/** Whether its fields have these values. */
export function hasFields(document: Document, own: Record<string, unknown>): boolean {
  return Object.entries(own).every(([field, value]) => document[field] === value);
}

function groupedBy(documents: readonly Document[], field: string): Map<string, Document[]> {
  const grouped = new Map<string, Document[]>();
  for (const document of documents) {
    const key = String(document[field]);
    grouped.set(key, [...(grouped.get(key) ?? []), document]);
  }
  return grouped;
}
