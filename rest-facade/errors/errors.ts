// Reads what was thrown as a refusal, and prints it in the body that its API family documents (three interfaces, Errors).
import {
  type DomainError,
  type DomainErrorCode,
  type DomainErrorDetails,
  domainErrors,
  isDomainErrorCode,
} from '../../subgraphs/shared/errors';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { printFixedOffset } from '../../subgraphs/shared/time';
import { type ErrorFamily, errorTables } from './error-tables';
import { sourceOf } from './numbered-errors';

export type { ErrorFamily } from './error-tables';
export { errorTables } from './error-tables';

/** A refusal as the edge knows it: from a check of its own or from the graph. */
export interface Refusal {
  code: DomainErrorCode;
  message: string;
  /** Dotted path of the field or the header's name; never a value. */
  field?: string;
  retryAfterSeconds?: number;
  /** What else is wrong with the request. */
  others?: DomainErrorDetails['others'];
  /** What a defect threw; logged, never sent. */
  cause?: unknown;
}

/** Codes of graphql itself for a variable or document that the graph did not take: our validation let something pass. */
const misfitCodes = new Set(['BAD_USER_INPUT', 'GRAPHQL_VALIDATION_FAILED']);

/** The parts of a GraphQL error that count here. */
interface GraphError {
  message?: string;
  extensions?: Record<string, unknown>;
}

/** What a thrown thing means, by the part of the program that knows the databases; null is a defect. */
export type RefusalOf = (error: unknown) => DomainError | null;

/** Reads a thrown error, or the first error of an execution, as a refusal; whatever is not one of ours is a defect. */
export function readRefusal(error: unknown, refusalOf: RefusalOf): Refusal {
  const refused = refusalOf(error);
  if (refused) return { code: refused.code, message: refused.message, ...refused.details };
  const { message, extensions } = (error ?? {}) as GraphError;
  const code = extensions?.['code'];
  if (isDomainErrorCode(code)) {
    const { field, retryAfterSeconds } = extensions as Pick<Refusal, 'field' | 'retryAfterSeconds'>;
    return {
      code,
      message: message ?? domainErrors[code],
      field,
      retryAfterSeconds,
      cause: code === 'internal' ? error : undefined,
    };
  }
  const isMisfit = typeof code === 'string' && misfitCodes.has(code);
  return { code: isMisfit ? 'generic' : 'internal', message: '', cause: error };
}

export interface ErrorReply {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

/** What a body is made of. */
interface ErrorFacts {
  status: number;
  code: string | undefined;
  message: string;
  requestId: string;
  /** Further faults under the same status, where the body has a list. */
  others: readonly { code?: string; message: string }[];
}

/** The body of the administration interface: strings all of them. */
const numberedBody = ({ code = '1000', message }: ErrorFacts) => ({ message, code, source: sourceOf(code) });

/** Bodies as the families document them. */
const bodies: Readonly<Record<ErrorFamily, (facts: ErrorFacts) => Record<string, unknown>>> = {
  tokenization: ({ code, message, requestId }) => ({ errorCode: code, message, requestId }),
  payments: ({ status, code, message, requestId }) => ({
    type: `/problems/${code}`,
    title: problemTitle(code ?? ''),
    status,
    detail: message,
    instance: requestId,
  }),
  checkout: ({ status, code, message, others }) => ({
    timestamp: status === 400 ? printFixedOffset(new Date()) : undefined,
    errors: [{ code, message }, ...others].map((fault) => ({ code: fault.code, description: fault.message })),
  }),
  administration: numberedBody,
  partner: numberedBody,
  reporting: numberedBody,
  sandbox: ({ message, requestId }) => ({ message, requestId }),
};

/** `amount-exceeds-authorized` -> `Amount exceeds authorized`. */
function problemTitle(slug: string): string {
  const words = slug.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Status, headers and body of a refusal; challenges of RFC 6750 are the caller's to add, who knows the scheme. */
export function printRefusal(family: ErrorFamily, refusal: Refusal, requestId: string): ErrorReply {
  const { status, code, message = refusal.message, ...row } = errorTables[family][refusal.code];
  const retryAfterSeconds = refusal.retryAfterSeconds ?? row.retryAfterSeconds;
  const headers = headersFor(family, code);
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterSeconds)));
  const others = (refusal.others ?? [])
    .map((fault) => ({ message: fault.message, ...errorTables[family][fault.code] }))
    .filter((fault) => fault.status === status);
  return { status, headers, body: bodies[family]({ status, code, message, requestId, others }) };
}

function headersFor(family: ErrorFamily, code: string | undefined): Record<string, string> {
  return withoutUndefined({
    link: code ? `</docs/errors#${code.toLowerCase()}>; rel="help"` : undefined,
    'content-type': family === 'payments' ? 'application/problem+json' : undefined,
  });
}

/** What the table of refusals has no row for: the path itself, or its method. The administration interface knows no code for either; its code for a wrong value says most. */
const pathCodes: Readonly<Record<404 | 405, Partial<Record<ErrorFamily, string>>>> = {
  404: { payments: 'not-found', checkout: 'GW0404', administration: '1004', partner: '1004', reporting: '1004' },
  405: {
    payments: 'method-not-allowed',
    checkout: 'GW0405',
    administration: '1004',
    partner: '1004',
    reporting: '1004',
  },
};

/** An unknown path or a wrong method below a family's prefix, in the family's shape. */
export function printPathRefusal(
  family: ErrorFamily,
  status: 404 | 405,
  message: string,
  requestId: string,
): ErrorReply {
  const code = pathCodes[status][family];
  const facts = { status, code, message, requestId, others: [] };
  return { status, headers: headersFor(family, code), body: bodies[family](facts) };
}
