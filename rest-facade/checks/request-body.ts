// The body of a request on its way through the checks: its size, its JSON, its shape (decision register 2.1-B; tokenization and payment interfaces, Errors).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError, type DomainErrorDetails } from '../../subgraphs/shared/errors';
import { readBody } from '../../subgraphs/shared/http/request-body';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import type { Fault, Violation } from '../errors/violation';
import type { Route } from '../route-record';
import { isJsonContentType, parseJsonBody } from './json-body';
import type { RouteChecks } from './openapi';

/** Longest JSON body, in bytes, where a record does not say otherwise (decision register 2.1-A, Rates and sizes). */
export const jsonBytesMax = 16_384;

/** 413: the whole body first, then the field with a limit of its own, which can only be over it when the body is. */
export async function readSizedBody(route: Route, request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  const bytesMax = route.bodyKind === 'none' ? jsonBytesMax : route.bodyBytesMax;
  const isExpected = request.headers.expect !== undefined;
  const onContinue = isExpected ? () => response.writeContinue() : undefined;
  const raw = await readBody(request, { bytesMax, onContinue });
  const sized = route.sizedField;
  if (!sized || raw.length <= sized.charactersMax) return raw;
  let value: unknown;
  try {
    value = sized.path.reduce<unknown>((found, name) => (found as Record<string, unknown>)?.[name], parseJsonBody(raw));
  } catch {
    // Not readable: its turn comes with the shape of the body, after the credential.
    return raw;
  }
  if (typeof value === 'string' && value.length > sized.charactersMax)
    throw new DomainError('payloadTooLarge', `${sized.path.join('.')} is longer than ${sized.charactersMax} bytes.`);
  return raw;
}

/**
 * The checked body, and the dotted names of members that the contract does not know. Without any bytes it is `{}` where the contract does not
 * require a body. Refuses with `notJson`, `invalidInput` or what the contract names for the broken field.
 */
export function readShape(
  route: Route,
  checks: RouteChecks,
  { headers }: IncomingMessage,
  raw: Buffer,
): { body: unknown; unknown: string[] } {
  if (route.bodyKind !== 'json') return { body: null, unknown: [] };
  if (raw.length === 0 && !checks.isBodyRequired) return { body: {}, unknown: [] };
  if (!isJsonContentType(headers['content-type']))
    throw new DomainError('notJson', 'Content-Type must be application/json in UTF-8.', { field: 'Content-Type' });
  const sent = parseJsonBody(raw);
  const body = route.isTidied ? checks.tidy(sent) : sent;
  assertHolds(checks.body(body), 'invalidInput');
  return { body, unknown: checks.unknownFields(sent) };
}

/** Throws what the violation itself says, or `code`; the other faults stand beside it. */
export function assertHolds(violation: Violation | null, code: 'invalidInput' | 'notFound'): void {
  if (!violation) return;
  const others = violation.others?.map((fault) => {
    const { code: otherCode, message } = refusalOf(fault, code);
    return { code: otherCode, message, field: fault.field };
  });
  throw refusalOf(violation, code, others);
}

function refusalOf(
  fault: Fault,
  code: 'invalidInput' | 'notFound',
  others?: DomainErrorDetails['others'],
): DomainError {
  const { field, rule, isMissing } = fault;
  return new DomainError(fault.code ?? (isMissing ? 'fieldMissing' : code), `${field} ${rule}.`, {
    field,
    ...withoutUndefined({ others }),
  });
}

/** At most twenty names, fit for a header whatever their characters are. */
export function printNames(names: readonly string[]): string {
  return names
    .slice(0, 20)
    .map((name) => encodeURIComponent(Buffer.from([...name].slice(0, 64).join('')).toString()))
    .join(', ');
}
