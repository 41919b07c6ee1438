// How the listing of operations finds rare ones fast: every operation carries its facets as one indexed text, its profile (hosted checkout, GET operations; decision register 2.2-B).
import { literal } from '../../shared/list-filter';
import type { Operation } from './operation';
import type { OperationFilter, OperationOrder, Ordering } from './operation-query';

/** Facets in their order within a profile, with the filters that ask for one value of each, or for any of several; the first ones bound an index scan best. */
const facets = [
  ['type', 'operationType', 'operationTypes'],
  ['result', 'operationResult', 'operationResults'],
  ['channel', 'channel', null],
  ['channelDetail', 'channelDetail', null],
  ['method', 'paymentMethod', 'paymentMethods'],
  ['circuit', 'paymentCircuit', 'paymentCircuits'],
  ['terminalId', 'terminalId', null],
  ['contractType', 'contractType', null],
  ['installmentQty', 'installmentQty', null],
] as const satisfies readonly (readonly [keyof Operation, keyof OperationFilter, keyof OperationFilter | null])[];

type Faceted = Pick<Operation, (typeof facets)[number][0]>;

/** Everything about an operation that only a few values exist of, in one text. A merchant's operations have some dozens of profiles. */
export function profileOf(operation: Faceted): string {
  return facets.map(([field]) => escaped(operation[field])).join('|');
}

/** Matches the profiles of exactly those operations that the filter's facets ask for; null when it asks for none. */
export function profilePattern(filter: OperationFilter): RegExp | null {
  const asked = facets.map(([, one, several]) => valuesAsked(filter[one], several && filter[several]));
  const last = asked.findLastIndex((values) => values !== null);
  if (last === -1) return null;
  const parts = asked.slice(0, last + 1).map((values) => (values ? anyOf(values) : '[^|]*'));
  const end = last === facets.length - 1 ? '$' : '\\|';
  return new RegExp(`^${parts.join('\\|')}${end}`);
}

/** Whether the filter asks for operations that wait for their result, and for no others. */
export function asksForPending({ operationResult, operationResults }: OperationFilter): boolean {
  const values = valuesAsked(operationResult, operationResults);
  return values !== null && values.length > 0 && values.every((value) => value === 'PENDING');
}

type Facet = string | number;

/** What a facet may be; null: anything. Of one value beside a list both must fit. */
function valuesAsked(
  one: Facet | null | undefined,
  several: readonly Facet[] | null | undefined,
): readonly Facet[] | null {
  if (!isGiven(one)) return several ?? null;
  return several && !several.includes(one) ? [] : [one];
}

function anyOf(values: readonly Facet[]): string {
  const texts = values.map((value) => literal(wanted(value)));
  return texts.length === 1 ? `${texts[0]}` : `(?:${texts.length > 0 ? texts.join('|') : nothing})`;
}

function isGiven(value: unknown): value is string | number {
  return value !== null && value !== undefined;
}

/** Without the separator, and without NUL, which no pattern of the database may hold; nothing at all for null, and so never equal to a value that somebody asks for. */
function escaped(value: string | number | null): string {
  return value === null ? '' : `${value}`.replaceAll('%', '%25').replaceAll('|', '%7C').replaceAll('\0', '%00');
}

/** Longer than any facet, and short enough for a pattern of the database. */
const facetCharactersMax = 256;
/** No facet is written so. */
const nothing = '%';

function wanted(value: string | number): string {
  return `${value}`.length > facetCharactersMax ? nothing : escaped(value);
}

/** What is known of a merchant's operations, some seconds old: the choice of an index rests on it, never the answer. */
export interface Survey {
  /** Every profile that was found; null when there are too many to name. */
  profiles: readonly string[] | null;
  /** The newest operations: amounts by profile. */
  sample: ReadonlyMap<string, readonly number[]>;
  sampleSize: number;
}

/** What each operation of a merchant is found by, and in what order. */
const ofMerchant = { environment: 1, merchantId: 1 } as const;
/** In the entries of an index, so that only what is shown is loaded. */
const facts = { profile: 1, amountMinor: 1, accountId: 1 } as const;

/**
 * Indexes of one merchant's listing, by name: environment and merchant in front, where equal beginnings take no room. Rare orders carry the order alone:
 * with a filter they load what they pass over, and the database ends them in time.
 */
export const listingIndexes = {
  ofMerchantByTime: { ...ofMerchant, time: -1, _id: -1, ...facts },
  ofMerchantByProfile: { ...ofMerchant, profile: 1, time: -1, _id: -1, amountMinor: 1, accountId: 1 },
  ofMerchantByAmount: { ...ofMerchant, amountMinor: 1, _id: 1, time: 1, profile: 1, accountId: 1 },
  ofMerchantByOrder: { ...ofMerchant, orderId: 1, _id: 1 },
  ofMerchantByType: { ...ofMerchant, type: 1, _id: 1 },
  ofMerchantByResult: { ...ofMerchant, result: 1, _id: 1 },
  ofMerchantByCircuit: { ...ofMerchant, circuit: 1, _id: 1 },
  ofMerchantByCustomField: { ...ofMerchant, customField: 1, time: -1, _id: -1, ...facts },
  ofMerchantByContract: { ...ofMerchant, contractId: 1, time: -1, _id: -1, ...facts },
} as const;

/** Most operations have none of these: an index of those that do. By text alone: an index of rows with a $type would not be used for an equality. */
export const listedWherePresent: Readonly<Partial<Record<ListingIndex, string>>> = {
  ofMerchantByCustomField: 'customField',
  ofMerchantByContract: 'contractId',
};
export type ListingIndex = keyof typeof listingIndexes;

const orderIndexes: Readonly<Record<Ordering, ListingIndex>> = {
  operationTime: 'ofMerchantByTime',
  operationAmount: 'ofMerchantByAmount',
  operationType: 'ofMerchantByType',
  operationResult: 'ofMerchantByResult',
  orderId: 'ofMerchantByOrder',
  paymentCircuit: 'ofMerchantByCircuit',
};

/** Fewer hits than these in the sample: the whole match is read by its own index rather than looked for along the order. */
const rareHits = 20;
/** From this share on, operations of a profile are counted along the time rather than by profile. */
const commonShare = 0.1;

/** Which index serves one merchant's list best; null leaves the choice to the database (an id was asked for). */
export function decideListIndex(filter: OperationFilter, order: OperationOrder, survey: Survey): ListingIndex | null {
  const selective = selectiveIndex(filter);
  if (selective !== undefined) return selective;
  const along = orderIndexes[order.by];
  const { hits, profileHits, amountHits } = hitsIn(survey, filter);
  if (hits >= rareHits || survey.sampleSize === hits) return along;
  if (amountHits < profileHits) return 'ofMerchantByAmount';
  return profilePattern(filter) && survey.profiles ? 'ofMerchantByProfile' : along;
}

/** Which index serves the count of a merchant's list best. */
export function decideCountIndex(filter: OperationFilter, survey: Survey): ListingIndex | null {
  const selective = selectiveIndex(filter);
  if (selective !== undefined) return selective;
  const isTimed = isGiven(filter.fromTime?.getTime()) || isGiven(filter.toTime?.getTime());
  const { profileHits, amountHits } = hitsIn(survey, filter);
  const isCommon = isTimed && Math.min(profileHits, amountHits) >= commonShare * survey.sampleSize;
  if (isCommon) return 'ofMerchantByTime';
  if (amountHits < profileHits) return 'ofMerchantByAmount';
  return profilePattern(filter) && survey.profiles ? 'ofMerchantByProfile' : 'ofMerchantByTime';
}

/** Profiles that are known not to match: left out of the scan of `byProfile`. A profile that nobody has seen yet stays in. */
export function excludedProfiles(filter: OperationFilter, { profiles }: Survey): string[] {
  const pattern = profilePattern(filter);
  return pattern && profiles ? profiles.filter((profile) => !pattern.test(profile)) : [];
}

/** The index of a filter that leaves few operations by itself; undefined when there is none, null when an id was asked for. */
function selectiveIndex(filter: OperationFilter): ListingIndex | null | undefined {
  if (filter.operationId || filter.paymentId || filter.sessionId) return null;
  if (filter.orderId) return 'ofMerchantByOrder';
  if (filter.contractId) return 'ofMerchantByContract';
  return filter.customField ? 'ofMerchantByCustomField' : undefined;
}

/** How many of the sample match altogether, by the facets alone, by the amount alone. */
function hitsIn({ sample, sampleSize }: Survey, filter: OperationFilter) {
  const pattern = profilePattern(filter);
  const from = Number(filter.minAmount ?? 0);
  const to = Number(filter.maxAmount ?? Number.POSITIVE_INFINITY);
  const isAny = from === 0 && to === Number.POSITIVE_INFINITY;
  let [hits, profileHits, amountHits] = [0, 0, 0];
  for (const [profile, amounts] of sample) {
    const isProfile = !pattern || pattern.test(profile);
    const fitting = isAny ? amounts.length : amounts.filter((amount) => amount >= from && amount <= to).length;
    amountHits += fitting;
    if (!isProfile) continue;
    profileHits += amounts.length;
    hits += fitting;
  }
  return { hits, profileHits: pattern ? profileHits : sampleSize, amountHits: isAny ? sampleSize : amountHits };
}
