// Errors as the graph shows them: a code of the closed list, a message fit for outsiders, and never anything internal.

import { GraphQLError } from 'graphql';
import type { RequestContext } from '../subgraphs/shared/callers/context';
import { DomainError, domainErrors, isDomainErrorCode } from '../subgraphs/shared/errors';
import { refusalOf } from '../subgraphs/shared/log/faults';
import type { Log } from '../subgraphs/shared/log/log';
import { withoutUndefined } from '../subgraphs/shared/present-members';

export type ErrorPath = readonly (string | number)[];

/** A refusal as a GraphQL error: `extensions` has code, field and retryAfterSeconds; `originalError` is the DomainError. */
export function refusal(error: DomainError, path?: ErrorPath): GraphQLError {
  const { field, retryAfterSeconds } = error.details;
  return new GraphQLError(error.message, {
    ...withoutUndefined({ path }),
    originalError: error,
    extensions: {
      code: error.code,
      ...withoutUndefined({ field, retryAfterSeconds }),
    },
  });
}

/** What the library says at the end of its message, behind the value: what is wrong, by names of the schema, and the member that it is about. */
const faults: readonly [RegExp, (names: readonly string[]) => { what: string; member?: string }][] = [
  [
    /^Variable "\$\w+" of (?:required|non-null) type "\S+" (?:was not provided|must not be null)\.$/,
    () => ({ what: 'is missing' }),
  ],
  [
    /; Field "(\w+)" of required type "\S+" was not provided\.$/,
    ([member = '']) => ({ what: `lacks ${member}`, member }),
  ],
  [
    /; Field "([A-Za-z_]{1,64}\d{0,4})" is not defined by type "(\w+)"\./,
    ([member = '', type]) => ({ what: `is a ${type}, which has no ${member}`, member }),
  ],
  [/ does not exist in "(\w+)" enum\./, ([type]) => ({ what: `is no value of ${type}` })],
  [/; Expected type "([A-Z][A-Za-z]+)"/, ([type]) => ({ what: `is no ${type}` })],
];

/** The library's message repeats the value, which may be a card number: only the place is told, and what was expected there. */
export function wrongVariable({ message }: GraphQLError): DomainError {
  const variable = /^Variable "\$(\w+)"/.exec(message)?.[1] ?? 'variables';
  const place = / at "([\w.[\]]+)";/.exec(message)?.[1] ?? variable;
  for (const [pattern, tell] of faults) {
    const found = pattern.exec(message);
    if (!found) continue;
    const { what, member } = tell(found.slice(1));
    const field = member ? `${place}.${member}` : place;
    return new DomainError('invalidInput', `variable $${place} ${what}`, { field });
  }
  return new DomainError('invalidInput', `variable $${place} is of the wrong type`, { field: place });
}

/** Of a variable that may be null, in a place that may not. */
export function misplacedNull(variable: string): DomainError {
  return new DomainError('invalidInput', `variable $${variable} is null where a value is needed`, { field: variable });
}

/** Any error of a resolver, as outsiders may see it: a refusal keeps its words, an absent database is `unavailable`, a defect becomes `internal` and one full log line. */
export function presentError(
  error: unknown,
  context: Pick<RequestContext, 'requestId'>,
  log: Log,
  subgraph?: string,
): GraphQLError {
  const path = error instanceof GraphQLError ? error.path : undefined;
  const refused = refusalOf(error);
  if (refused) return refusal(refused, path);
  const defect = withoutValues(error instanceof GraphQLError ? (error.originalError ?? error) : error);
  log.error(
    { requestId: context.requestId, subgraph, path: path?.join('.'), error: defect, code: 'internal' },
    'a resolver failed unexpectedly',
  );
  return refusal(new DomainError('internal'), path);
}

/** The library repeats the value of a refused variable in its message; what callers send stays out of the log. */
function withoutValues(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.startsWith('Variable "$')) return error;
  return new Error(`a subgraph refused ${error.message.split(' ', 2).join(' ')}, which the graph had accepted`);
}

/** Rebuilds the refusal that another process of ours printed; codes we do not know are defects of ours. */
export function parseError(value: unknown): GraphQLError {
  const printed = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const extensions = (printed['extensions'] ?? {}) as Record<string, unknown>;
  const code = isDomainErrorCode(extensions['code']) ? extensions['code'] : 'internal';
  const message = typeof printed['message'] === 'string' ? printed['message'] : domainErrors[code];
  const { field, retryAfterSeconds } = extensions;
  const details = {
    field: typeof field === 'string' ? field : undefined,
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined,
  };
  const path = Array.isArray(printed['path']) ? (printed['path'] as ErrorPath) : undefined;
  return refusal(new DomainError(code, message, details), path);
}
