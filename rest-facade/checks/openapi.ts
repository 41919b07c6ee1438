// The OpenAPI files as running checks: read once at start, each route's headers, path, query and body compiled by ajv (JSON Schema 2020-12, the dialect of OpenAPI 3.1) at first use.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse, stringify } from 'yaml';
import type { ErrorFamily } from '../errors/error-tables';
import { type Violation, violationOf } from '../errors/violation';
import { type ConfiguredEnumerations, withConfiguredEnumerations } from './configured-enumerations';
import { type QueryValues, queryReader } from './query';
import { mapSchema, type Schema, tidied, unknownFieldsOf } from './schema';

export { mapSchema, type Schema } from './schema';

export const apiFamilies = [
  'tokenization',
  'payments',
  'checkout',
  'administration',
  'partner',
  'reporting',
  'sandbox',
] as const;
export type ApiFamily = (typeof apiFamilies)[number];

/** Families of the administration interface, which has a code of its own for a missing field. */
const numberedFamilies: ReadonlySet<string> = new Set<ErrorFamily>(['administration', 'partner', 'reporting']);

interface Parameter {
  name: string;
  in: 'header' | 'path' | 'query';
  required?: boolean;
  schema: Schema;
}

export interface OperationObject {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, ResponseObject>;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, { required?: boolean; schema: Schema }>;
  content?: Record<string, { schema: Schema }>;
}

export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string };
  paths: Record<string, Record<string, OperationObject>>;
}

export interface ApiFile {
  family: ApiFamily;
  /** The file as written, unless the installation chose words of its own. */
  readonly yaml: string;
  /** The same as JSON text. */
  readonly json: string;
  /** With every local reference replaced by what it names. */
  document: OpenApiDocument;
}

export interface RouteChecks {
  /** Header names in lower case, as node:http gives them. */
  headers(headers: Readonly<Record<string, unknown>>): Violation | null;
  params(params: Readonly<Record<string, string>>): Violation | null;
  /** Values as they are used: integers as numbers, parameters that the contract does not know left out. */
  query(search: string): { values: QueryValues; violation: Violation | null; unknown: string[] };
  body(body: unknown): Violation | null;
  /** Whether a request without any body is refused. */
  isBodyRequired: boolean;
  /** Dotted names of the body's fields that the contract does not know. */
  unknownFields(body: unknown): string[];
  /** The body without members that are null or unknown to the contract (decision register 2.2-A: null equals absent; 2.6: unknown fields are never stored). */
  tidy(body: unknown): unknown;
}

/** Reads one family's file below `root`, the project's folder, with the words that the installation chose. */
export function readApiFile(root: string, family: ApiFamily, chosen?: ConfiguredEnumerations): ApiFile {
  const path = join(root, 'rest-facade', 'openapi', family);
  const asInFile = readDocument(path);
  const written = chosen ? withConfiguredEnumerations(asInFile, chosen) : asInFile;
  const isAsInFile = isDeepStrictEqual(written, asInFile);
  return {
    family,
    get yaml() {
      return isAsInFile ? readFileSync(`${path}.yaml`, 'utf8') : stringify(written);
    },
    get json() {
      return JSON.stringify(written);
    },
    document: inlineReferences(written, written, new Map()) as OpenApiDocument,
  };
}

/** The build puts each file as JSON beside it, because parsing YAML took a fifth of a start. */
function readDocument(path: string): OpenApiDocument {
  const built = `${path}.json`;
  return existsSync(built) ? JSON.parse(readFileSync(built, 'utf8')) : parse(readFileSync(`${path}.yaml`, 'utf8'));
}

/** One compiler for a whole server: each schema is compiled by the first request that needs it, and once. */
export function createCompiler(findsAll = false): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    strictRequired: false,
    ownProperties: true,
    allErrors: findsAll,
    allowUnionTypes: true,
    discriminator: true,
    // Errors carry their schema, which names the refusal.
    verbose: true,
    validateFormats: true,
  });
  addFormats(ajv);
  ajv.addVocabulary([
    'example',
    'x-data-rule',
    'x-enum-meanings',
    'x-configured',
    'x-refusal',
    'x-refusal-missing',
    'x-alias',
    'x-rule',
    'x-form',
  ]);
  return ajv;
}

/** Of requests that were refused already, for what else is wrong with them. */
const thorough = lazily(() => createCompiler(true));

/** The checks of one documented operation; throws when the file does not have it. */
export function compileChecks(
  ajv: Ajv2020,
  file: ApiFile,
  { method, path }: { method: string; path: string },
): RouteChecks {
  const operation = file.document.paths[path.replace('+}', '}')]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not in openapi/${file.family}.yaml`);
  const parameters = operation.parameters ?? [];
  const spelling = new Map(parameters.map(({ name }) => [name.toLowerCase(), name]));
  const compiled = (schema: Schema) => ({
    first: lazily(() => ajv.compile(schema)),
    every: lazily(() => thorough().compile(schema)),
  });
  const spell = (field: string) => spelling.get(field) ?? field;
  const tellsMissing = numberedFamilies.has(file.family);
  const headers = { ...compiled(parameterSchema(parameters, 'header')), tellsMissing, spell };
  const params = compiled(parameterSchema(parameters, 'path'));
  const readQuery = queryReader(parameters);
  const query = { ...compiled(parameterSchema(parameters, 'query')), tellsMissing };
  const bodySchema = operation.requestBody?.content['application/json']?.schema;
  const body = bodySchema ? { ...compiled(withoutDataRules(bodySchema)), tellsMissing } : null;
  return {
    headers: (values) => violationOf(values, headers),
    params: (values) => violationOf(values, params),
    query: (search) => {
      const { values, repeated, unknown } = readQuery(search);
      const once = repeated === null ? null : { field: repeated, rule: 'is given more than once' };
      return { values, unknown, violation: once ?? violationOf(values, query) };
    },
    isBodyRequired: operation.requestBody?.required === true,
    body: (value) => (body ? violationOf(value, body) : null),
    unknownFields: (value) => (bodySchema ? unknownFieldsOf(bodySchema, value, '') : []),
    tidy: (value) => (bodySchema ? tidied(bodySchema, value) : value),
  };
}

function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function parameterSchema(parameters: Parameter[], place: Parameter['in']): Schema {
  const chosen = parameters.filter((parameter) => parameter.in === place);
  const key = ({ name }: Parameter) => (place === 'header' ? name.toLowerCase() : name);
  return {
    type: 'object',
    properties: Object.fromEntries(chosen.map((parameter) => [key(parameter), parameter.schema])),
    required: chosen.filter(({ required }) => required).map(key),
  };
}

function withoutDataRules(schema: Schema): Schema {
  return mapSchema(schema, (node) => {
    if (!node['x-data-rule']) return node;
    const { enum: _checkedByTheDomain, ...rest } = node;
    return rest;
  });
}

/** `known` keeps what each reference names, so that it is followed once. */
function inlineReferences(document: unknown, node: unknown, known: Map<string, unknown>): unknown {
  if (Array.isArray(node)) return node.map((item) => inlineReferences(document, item, known));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref } = node as { $ref?: string };
  if ($ref) {
    if (!known.has($ref)) known.set($ref, inlineReferences(document, resolvePointer(document, $ref), known));
    return known.get($ref);
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, inner]) => [name, inlineReferences(document, inner, known)]),
  );
}

function resolvePointer(document: unknown, reference: string): unknown {
  const target = reference
    .replace('#/', '')
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((found, segment) => (found as Record<string, unknown> | undefined)?.[segment], document);
  if (target === undefined) throw new Error(`${reference} names nothing`);
  return target;
}
