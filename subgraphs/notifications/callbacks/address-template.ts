// Which addresses are one endpoint: those that differ only in what names one order, payment or session. A shop that writes the order into the path or
// query of its address has one endpoint with one health, and not a new one for each order.
import { sha256 } from '../../shared/ids';

const placeholder = '{id}';
/** Shorter ids of the event count where they stand alone; a longer one also as a part of something. */
const containedLengthMin = 4;
/** So many addresses of one origin are told apart, for one merchant and kind; what comes after them shares one endpoint. */
export const endpointsPerOriginMax = 64;

/** What an event says about itself: which parts of an address are its own. */
export interface AddressFacts {
  /** Ids of the order, the payment and the like. */
  passing: readonly string[];
  /** Ids that stay the same from order to order: those of the shop. */
  lasting: readonly string[];
}

/** The address with a placeholder for each path segment and query value that names one order; as it is where there is none. */
export function addressTemplate(address: string, facts: AddressFacts): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname, search } = new URL(address);
  const path = pathname.split('/').map((segment) => partOf(segment, facts));
  const query = search
    .slice(1)
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=') + 1;
      return pair.slice(0, at) + partOf(pair.slice(at), facts);
    });
  const template = origin + path.join('/') + (search === '' ? '' : `?${query.join('&')}`);
  return template.includes(placeholder) ? template : address;
}

/** What all addresses of an origin share that are too many to be told apart. */
export function restOfOrigin(address: string): string {
  return `${originOf(address)}/*`;
}

/** The beginning of the keys of all addresses of an origin that a merchant brought. */
export function originKey(template: string, merchantId: string | null): string {
  return sha256(JSON.stringify([originOf(template), merchantId])).slice(0, 16);
}

/** Scheme, host and port; empty for what is no address. */
export function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : '';
}

function partOf(written: string, { passing, lasting }: AddressFacts): string {
  const part = decoded(written);
  if (part === '' || lasting.includes(part)) return written;
  const isNamed = passing.some((id) => part === id || (id.length >= containedLengthMin && part.includes(id)));
  return isNamed || looksLikeId(part) ? placeholder : written;
}

function decoded(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/**
 * Words, versions and small numbers are none. Ids are: four digits or more, digits between letters more than once, sixteen characters with a digit or
 * of mixed case that are no words in camel case.
 */
function looksLikeId(part: string): boolean {
  if ((part.match(/\d/g)?.length ?? 0) >= 4) return true;
  if (part.length >= 6 && (part.match(/\d+/g)?.length ?? 0) >= 2) return true;
  if (part.length < 16) return false;
  const isMixed = /[a-z]/.test(part) && /[A-Z]/.test(part);
  return /\d/.test(part) || (isMixed && !/^[A-Za-z]?[a-z]{2,}([-_.]?[A-Z][a-z]{2,})*$/.test(part));
}
