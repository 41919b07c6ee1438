// What a refusal of the graph is known by.
import type { CombinedError } from '@urql/core';

export type AskError = Pick<CombinedError, 'message' | 'graphQLErrors' | 'networkError'>;

/** The platform's code of a refusal, such as `forbidden`; `network` when no answer came. */
export function refusalCodeOf(error: AskError): string {
  const code = error.graphQLErrors[0]?.extensions?.['code'];
  if (typeof code === 'string') return code;
  return error.networkError ? 'network' : 'internal';
}

/** What the graph says for good when it is asked for something: that it is not there, or not for this person. */
const lasting: ReadonlySet<string> = new Set(['forbidden', 'notFound', 'unauthenticated', 'invalidInput']);

/** A refusal of this moment alone: asked again it may be an answer. */
export function isPassing(error: AskError): boolean {
  return !lasting.has(refusalCodeOf(error));
}
