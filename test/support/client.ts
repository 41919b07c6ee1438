// A REST client for tests: every answer is held against the OpenAPI files, and one that breaks them fails the test at once.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import {
  type ApiFile,
  apiFamilies,
  createCompiler,
  mapSchema,
  type OperationObject,
  type ResponseObject,
  readApiFile,
  type Schema,
} from '../../rest-facade/checks/openapi';
import type { ErrorFamily } from '../../rest-facade/errors/error-tables';
import { familyOfPath } from '../../rest-facade/family-of-path';
import { createMatcher } from '../../rest-facade/matcher';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { contractRoot } from './contract';

export interface CallOptions {
  headers?: Record<string, string | string[]>;
  /** An object is sent as JSON with its content type; text and bytes are sent as they are. */
  body?: unknown;
}

export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed when it is JSON; undefined otherwise. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape the OpenAPI check has just established
  body: any;
}

export interface RestClient {
  /** Sends a request and checks the answer; `path` may carry a query. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

/** The answers without the 503 that says "come again": any call of a race may be told so by a busy machine. */
export function judged(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => status !== 503);
}

/** A client for one origin; the headers given here go with every call. */
export function rest(url: string, headers: Record<string, string> = {}): RestClient {
  return {
    async call(method, path, options = {}) {
      const answer = await send(url, {
        method,
        path,
        options: { ...options, headers: { ...headers, ...options.headers } },
      });
      assertDocumented(method, path, answer);
      return answer;
    },
  };
}

/** Sends without checking, for addresses that OpenAPI does not cover. */
export function send(
  url: string,
  { method, path, options = {} }: { method: string; path: string; options?: CallOptions },
): Promise<Answer> {
  const { payload, type } = payloadOf(options.body);
  const headers = {
    ...withoutUndefined({
      'content-type': type || undefined,
      'content-length': payload ? String(payload.length) : undefined,
    }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(new URL(url).origin, { method, path, headers, agent: connections }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = isJsonType(incoming.headers['content-type']) && text !== '';
        const body = isJson ? JSON.parse(text) : undefined;
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** One connection per call: no test waits for another's keep-alive to end. */
const connections = new Agent({ keepAlive: false });

function payloadOf(body: unknown): { payload?: Buffer; type?: string } {
  if (body === undefined) return {};
  if (Buffer.isBuffer(body)) return { payload: body };
  if (typeof body === 'string') return { payload: Buffer.from(body) };
  return { payload: Buffer.from(JSON.stringify(body)), type: 'application/json' };
}

const files: ApiFile[] = apiFamilies.map((family) => readApiFile(contractRoot, family));
const ajv = createCompiler();

interface DocumentedOperation {
  method: string;
  path: string;
  operation: OperationObject;
}

const documented = createMatcher<DocumentedOperation>(
  files.flatMap(({ document }) =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path: path.replace('{anything}', '{anything+}'),
        operation,
      })),
    ),
  ),
);

/** Throws when the status, a header or the body is not as the OpenAPI files say. */
export function assertDocumented(method: string, path: string, answer: Answer): void {
  const match = documented.match(method, path.replace(/[?#].*$/, ''));
  const breaks = (what: string) =>
    new Error(
      `${method} ${path} answered ${answer.status}, which breaks the OpenAPI file: ${what}\n${answer.text.slice(0, 500)}`,
    );
  if (match.kind !== 'found') {
    const status = match.kind === 'none' ? 404 : 405;
    if (answer.status !== status)
      throw breaks(`the ${match.kind === 'none' ? 'path' : 'method'} is unknown there, so ${status} is due`);
    if (match.kind === 'wrongMethod' && !answer.headers.allow) throw breaks('Allow is missing');
    assertSchema(unroutedErrors[familyOfPath(path) ?? 'sandbox'] ?? plainError, answer.body, breaks);
    return;
  }
  const { responses } = match.entry.operation;
  const response = responses[String(answer.status)] ?? responses['default'];
  if (!response) throw breaks('the status is not listed');
  assertHeaders(response, answer, breaks);
  const schema = documentedSchema(response, answer, breaks);
  if (!schema) {
    if (answer.text !== '') throw breaks('a body where none is documented');
  } else if (method !== 'HEAD') assertSchema(schema, answer.body, breaks);
}

/** JSON or the problem details of family A, whichever the file names: the answer's own type must be the documented one. */
function documentedSchema(
  { content }: ResponseObject,
  { headers, text }: Answer,
  breaks: (what: string) => Error,
): Schema | undefined {
  const documentedType = Object.keys(content ?? {}).find(isJsonType);
  if (!documentedType) return undefined;
  if (text !== '' && !headers['content-type']?.startsWith(documentedType))
    throw breaks(`its type is ${headers['content-type']}, not ${documentedType}`);
  return content?.[documentedType]?.schema;
}

function isJsonType(type: string | undefined): boolean {
  return /^application\/(problem\+)?json\b/.test(type ?? '');
}

const plainError: Schema = {
  type: 'object',
  required: ['message', 'requestId'],
  properties: { message: { type: 'string' }, requestId: { type: 'string', format: 'uuid' } },
};

const text: Schema = { type: 'string', minLength: 1 };
const numberedError: Schema = {
  type: 'object',
  required: ['message', 'code', 'source'],
  properties: { message: text, code: text, source: text },
};

/** Of unknown paths and wrong methods below a family's prefix. */
const unroutedErrors: Partial<Record<ErrorFamily, Schema>> = {
  payments: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'instance'],
    properties: { type: text, title: text, status: { type: 'integer' }, detail: text, instance: text },
  },
  checkout: {
    type: 'object',
    required: ['errors'],
    properties: {
      errors: {
        type: 'array',
        items: { type: 'object', required: ['code', 'description'], properties: { code: text, description: text } },
      },
    },
  },
  administration: numberedError,
  partner: numberedError,
  reporting: numberedError,
};

function assertHeaders(response: ResponseObject, answer: Answer, breaks: (what: string) => Error): void {
  for (const [name, { required, schema }] of Object.entries(response.headers ?? {})) {
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined && required) throw breaks(`header ${name} is missing`);
    if (value !== undefined) assertSchema(schema, value, (what) => breaks(`header ${name}: ${what}`));
  }
}

const compiled = new Map<Schema, ReturnType<typeof ajv.compile>>();

/** Members that the file does not name are a drift as well. */
function assertSchema(schema: Schema, value: unknown, breaks: (what: string) => Error): void {
  const validate = compiled.get(schema) ?? ajv.compile(mapSchema(schema, closed));
  compiled.set(schema, validate);
  if (!validate(value)) throw breaks(ajv.errorsText(validate.errors));
}

function closed(node: Schema): Schema {
  return node.properties ? { ...node, additionalProperties: false } : node;
}
