// The form of an answer of the graph: one content negotiation (GraphQL over HTTP) for every way through the server, refusals included.
import Negotiator from 'negotiator';

export interface MediaType {
  contentType: string;
  /** Asked for as `application/json` by name: such clients take every other status than 200 for a stranger's, and look for errors in the body. */
  isLegacy: boolean;
}

const json = 'application/json; charset=utf-8';
const graphqlResponse = 'application/graphql-response+json; charset=utf-8';

/** Without a wish, and for refusals of clients that accept neither form. */
export const usualMediaType: MediaType = { contentType: json, isLegacy: false };

/** Of the schema as text, which a browser shows rather than keeps as a file. */
export const sdlMediaType: MediaType = { contentType: 'text/plain; charset=utf-8', isLegacy: false };

/** Clients send the same few headers again and again; at most so many are remembered. */
const knownMax = 100;
const known = new Map<string, MediaType | null>();

/** What an Accept header comes to; null when it allows neither form. */
export function negotiate(accept: string | undefined): MediaType | null {
  if (accept === undefined || accept === '*/*') return usualMediaType;
  const remembered = known.get(accept);
  if (remembered !== undefined) return remembered;
  const decided = decide(accept);
  if (known.size < knownMax) known.set(accept, decided);
  return decided;
}

function decide(accept: string): MediaType | null {
  const chosen = new Negotiator({ headers: { accept } }).mediaType([json, graphqlResponse]);
  if (chosen === undefined) return null;
  if (chosen !== json) return { contentType: graphqlResponse, isLegacy: false };
  return { contentType: json, isLegacy: /\bapplication\/json\b/i.test(accept) };
}
