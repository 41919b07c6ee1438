// What a refusal of the graph is known by.
import type { CombinedError } from '@urql/core';

export type AskError = Pick<CombinedError, 'message' | 'graphQLErrors' | 'networkError'>;

/** The platform's code of a refusal, such as `forbidden`; `network` when no answer came. */
export function refusalCodeOf(error: AskError): string {
  const code = error.graphQLErrors[0]?.extensions?.['code'];
  if (typeof code === 'string') return code;
  return error.networkError ? 'network' : 'internal';
}
