// Looking things up by what somebody has in hand: an id, a number, the beginning of a name. The domains that keep the things answer, each by its own indexes.
import type { Caller } from './callers/caller';
import { DomainError } from './errors';
import { isUuid } from './ids';

/** What of a thing the text was. */
export const searchMatches = [
  'ID',
  'NUMBER',
  'ORGANIZATION',
  'REFERENCE',
  'ORDER',
  'ORDER_BEGINNING',
  'CONTRACT',
  'CARD',
  'EMAIL',
  'EVENT',
  'MERCHANT',
  'ORIGIN',
  'NAME',
] as const;
export type SearchMatch = (typeof searchMatches)[number];

const searchedTypes = [
  'Payment',
  'Operation',
  'Merchant',
  'Terminal',
  'VirtualAccount',
  'OnboardingApplication',
  'Callback',
  'CallbackEndpoint',
  'Payout',
  'LedgerEntry',
  'Proposal',
  'Job',
  'Person',
] as const;
export type SearchedType = (typeof searchedTypes)[number];

/** A thing by its key; the subgraph that owns it tells the rest. */
export interface SearchHit {
  matchedBy: SearchMatch;
  type: SearchedType;
  id: string;
}

/** What of a card may be searched for, only both together: its last four digits and its month, MM/YY. */
export interface SearchedCard {
  lastFour: string;
  expiry: string;
}

/** The text and what it can be by its shape alone. */
export interface SearchText {
  text: string;
  /** As ids are kept, in small letters; null when it is none. */
  uuid: string | null;
  /** A number of at most nine digits; null when it is none. */
  number: number | null;
  /** In one piece, as ids and order numbers are. */
  isReference: boolean;
  /** Long enough to be the beginning of a name. */
  isName: boolean;
  /** As numbers of organizations may be kept: as it is, and its digits alone; none when it is none. */
  organizationNumbers: readonly string[];
  /** Null when it is none. */
  card: SearchedCard | null;
  isEmail: boolean;
}

/** At most `max` of a domain's things for a text, of what the caller may see. */
export type Find = (caller: Caller, searched: SearchText, max: number) => Promise<SearchHit[]>;

export const searchTextMax = 100;

/** `1111 12/28`, `1111 1228`, `**** 1111 12/2028`: more digits than four are no card that may be searched for. */
const card = /^(?:[*•.x]+ ?)?(\d{4}) +(0[1-9]|1[0-2]) ?\/? ?(?:20)?(\d{2})$/i;
/** In groups, with the country before it, in Norway with MVA behind it. */
const organization = /^(?:[a-z]{2}[ -]?)?(\d(?:[ .-]?\d){5,13})(?: ?mva)?$/i;
const email = /^[^\s@]+@[^\s@]+$/;

/** Refuses what is empty, or longer than `searchTextMax`. */
export function readSearchText(sent: string): SearchText {
  const text = sent.trim();
  if (text.length < 1 || text.length > searchTextMax)
    throw new DomainError('invalidInput', `text is not 1 to ${searchTextMax} characters`, { field: 'text' });
  const number = /^\d{1,9}$/.test(text) ? Number(text) : null;
  const uuid = isUuid(text) ? text.toLowerCase() : null;
  const isReference = !/\s/.test(text);
  const [, lastFour, month, year] = card.exec(text) ?? [];
  return {
    text,
    uuid,
    number,
    isReference,
    isName: uuid === null && text.length > 1,
    organizationNumbers: uuid === null ? organizationNumbersOf(text, isReference) : [],
    card: lastFour ? { lastFour, expiry: `${month}/${year}` } : null,
    isEmail: email.test(text),
  };
}

/** Those of other countries have letters, too, and are looked for as they are. */
function organizationNumbersOf(text: string, isReference: boolean): string[] {
  const [, grouped] = organization.exec(text) ?? [];
  if (grouped) return [...new Set([text, grouped.replace(/\D/g, '')])];
  return isReference && /\d/.test(text) ? [text] : [];
}

/** What all of them find. */
export function findTogether(...finds: readonly Find[]): Find {
  return async (...asked) => (await Promise.all(finds.map((find) => find(...asked)))).flat();
}

/** The hits of a look-up that finds ids. */
export function hitsOf(type: SearchedType, matchedBy: SearchMatch, found: readonly { _id: unknown }[]): SearchHit[] {
  return found.map(({ _id }) => ({ type, matchedBy, id: String(_id) }));
}
