// Who may import whom, as a table (ARCHITECTURE.md, Rooms and import rules); the first row that fits a file is its rule.
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';
import { lineOf, nodesOf, type SourceFile } from './source-files';

interface ImportRule {
  /** Its files, for people. */
  place: string;
  room: string;
  /** The files it is about. */
  files: RegExp;
  /** Our own files it may import; `$domain` is the domain that the file belongs to. */
  may: string[];
  /** Our own files it may import types from, in addition: a type is erased and carries no behaviour. */
  mayTypes?: string[];
  /** Packages it must not know. */
  never: RegExp;
}

const web = 'express|ws|graphql-ws.*|@apollo/.*|@as-integrations/.*|undici|node:https?|node:net|node:tls';
const graphQl = 'graphql|type-graphql|graphql-.*|dataloader';
const stores = 'mongoose|mongodb|ioredis|bullmq';
const packages = (...names: string[]) => new RegExp(`^(${names.join('|')})(/.*)?$`);
const sharedTypes = ['subgraphs/shared/'];
/** What rooms between the outside and the graph need of it: wire values and refusals, no store and no domain. */
export const wireTools = [
  'errors',
  'money',
  'time',
  'ids',
  'callers/caller',
  'card-brand',
  'card-number',
  'luhn',
  'callers/context',
  'deadline',
  'callers/rate-limit',
  'http/',
  'present-members',
].map((name) => `subgraphs/shared/${name}`);

export const importRules: readonly ImportRule[] = [
  {
    place: '`subgraphs/shared/`',
    room: 'shared: what every domain may use, and nothing of any domain',
    files: /^subgraphs\/shared\//,
    may: ['subgraphs/shared/'],
    never: packages('express', 'bullmq', 'undici', 'ws', '@apollo/gateway', '@apollo/server'),
  },
  {
    place: '`subgraphs/<domain>/index.ts`',
    room: 'index of a domain: the one door to it',
    files: /^subgraphs\/[^/]+\/index\.ts$/,
    may: ['subgraphs/$domain/', 'subgraphs/shared/'],
    never: packages(web, 'bullmq'),
  },
  {
    place: '`*.type.ts`, `*.resolver.ts`, `*.reference.ts`',
    room: 'types, resolvers and references: translation between graph and service',
    files: /^subgraphs\/[^/]+\/.+\.(type|resolver|reference)\.ts$/,
    may: ['subgraphs/$domain/', 'subgraphs/shared/'],
    never: packages(web, stores),
  },
  {
    place: '`*.service.ts`',
    room: 'services: load, decide, save',
    files: /^subgraphs\/[^/]+\/.+\.service\.ts$/,
    may: ['subgraphs/$domain/', 'subgraphs/shared/'],
    never: packages(web, stores, graphQl),
  },
  {
    place: '`*.repository.ts`',
    room: 'repositories: the only files that know collections',
    files: /^subgraphs\/[^/]+\/.+\.repository\.ts$/,
    may: ['subgraphs/$domain/', 'subgraphs/shared/'],
    never: packages(web, 'type-graphql', 'graphql', 'bullmq', 'ioredis'),
  },
  {
    place: '`*.loader.ts`',
    room: 'loaders: one query for all ids of a request',
    files: /^subgraphs\/[^/]+\/.+\.loader\.ts$/,
    may: ['subgraphs/$domain/', 'subgraphs/shared/'],
    never: packages(web, stores, 'type-graphql', 'graphql'),
  },
  {
    place: '`subgraphs/<domain>/<resource>.ts`, also in a folder of the domain',
    room: 'pure domain: decisions without clock, store or protocol',
    files: /^subgraphs\/[^/]+\/((?!sandbox\/)[\w-]+\/)?[^/]+\.ts$/,
    may: [
      'subgraphs/$domain/',
      ...[
        'card-brand',
        'card-number',
        'luhn',
        'field-reader',
        'list-filter',
        'errors',
        'masked-iban',
        'present-members',
        'money',
        'countries',
        'time',
        'ids',
        'callers/caller',
        'callers/judged-action',
        'callers/rate-limit',
        'callers/rights',
        'store/unit-of-work',
        'lists/page',
        'circuit',
        'deadline',
        'vocabulary/audit-action',
        'vocabulary/decline-reason',
        'vocabulary/operation',
        'vocabulary/onboarding-status',
        'vocabulary/payment-type',
        'vocabulary/word-of',
      ].map((name) => `subgraphs/shared/${name}`),
    ],
    mayTypes: sharedTypes,
    never: packages(web.replace('|node:net', ''), stores, graphQl),
  },
  {
    place: '`subgraphs/<domain>/sandbox/`',
    room: 'the sandbox of a domain: its simulated counterpart',
    files: /^subgraphs\/[^/]+\/sandbox\/.+\.ts$/,
    may: ['subgraphs/$domain/', 'subgraphs/shared/'],
    never: packages(web, 'type-graphql', 'graphql', 'bullmq'),
  },
  {
    place: '`gateway/`',
    room: 'gateway: the one graph; it knows doors of domains, not their rooms',
    files: /^gateway\//,
    may: ['gateway/', 'subgraphs/$any/index', 'subgraphs/shared/', 'schema/'],
    never: packages('bullmq', 'mongoose', 'mongodb', 'type-graphql'),
  },
  {
    place: '`rest-facade/`',
    room: 'rest-facade: routes; it is handed execute and authenticate',
    files: /^rest-facade\//,
    may: ['rest-facade/', 'schema/operations/', ...wireTools],
    mayTypes: sharedTypes,
    never: packages(stores, 'type-graphql', 'undici', '@apollo/.*'),
  },
  {
    place: '`workers/`',
    room: 'workers: domains from outside, no surface of the platform',
    files: /^workers\//,
    may: ['workers/', 'subgraphs/$any/index', 'subgraphs/shared/'],
    never: packages('express', '@apollo/.*', '@as-integrations/.*', 'graphql', 'type-graphql', 'mongoose'),
  },
  {
    place: '`pages/`',
    room: 'pages: what payers and signatories see, on the same operations as the routes',
    files: /^pages\//,
    may: ['pages/', 'rest-facade/', 'schema/operations/', ...wireTools],
    mayTypes: sharedTypes,
    never: packages(stores, 'type-graphql', 'undici', '@apollo/.*'),
  },
  {
    place: '`sandbox/`',
    room: 'sandbox: the shop and the issuer that a developer plays with',
    files: /^sandbox\//,
    may: ['sandbox/', 'pages/', 'rest-facade/', 'schema/operations/', ...wireTools],
    mayTypes: sharedTypes,
    never: packages(stores, 'type-graphql', 'undici', '@apollo/.*'),
  },
  {
    place: '`cli/`',
    room: 'cli: the pay command, a client of the documented paths and of the graph',
    files: /^cli\//,
    may: ['cli/', 'rest-facade/', ...wireTools],
    mayTypes: sharedTypes,
    never: packages(stores, 'type-graphql', 'undici', '@apollo/.*'),
  },
  {
    place: '`clients/`',
    room: 'clients: what other programs take to use the graph; it knows nothing of the platform',
    files: /^clients\//,
    may: ['clients/'],
    never: packages(stores, 'express', 'undici', 'type-graphql', 'graphql', '@apollo/.*', 'react', 'node:.*'),
  },
  {
    place: '`dashboard/`',
    room: 'dashboard: a browser that knows the public graph and nothing else',
    files: /^dashboard\//,
    may: ['dashboard/', 'clients/'],
    never: packages(stores, 'express', 'undici', 'type-graphql', 'graphql', '@apollo/.*', 'node:.*'),
  },
  {
    place: '`app/`',
    room: 'app: the composition root; it wires what the others export',
    files: /^app\//,
    may: [
      'app/',
      'gateway/',
      'pages/',
      'rest-facade/',
      'sandbox/',
      'workers/',
      'schema/',
      'subgraphs/shared/',
      'subgraphs/$any/index',
    ],
    never: packages('express', 'type-graphql'),
  },
  {
    place: '`tools/`',
    room: 'tools: build, printers and the commands of an operator',
    files: /^tools\//,
    may: [
      'tools/',
      'app/',
      'gateway/',
      'rest-facade/',
      'workers/',
      'schema/',
      'subgraphs/shared/',
      'subgraphs/$any/index',
      'package.json',
    ],
    never: packages('express', 'type-graphql'),
  },
  {
    place: '`test/`, `bench/`',
    room: 'tests may look anywhere',
    files: /^(test|bench)\//,
    may: [''],
    never: packages('bun'),
  },
];

export interface Import {
  /** As written: a package, or a path from the root for our own files. */
  target: string;
  isOwn: boolean;
  isTypeOnly: boolean;
  line: number;
}

const importsOfFiles = new WeakMap<SourceFile, readonly Import[]>();

/** Every import, export-from, dynamic import, require and import inside a type of a file. */
export function importsOf(file: SourceFile): readonly Import[] {
  const known = importsOfFiles.get(file);
  if (known) return known;
  const found: Import[] = [];
  importsOfFiles.set(file, found);
  for (const node of nodesOf(file.ast)) {
    const specifier = specifierOf(node);
    if (specifier === null) continue;
    const isOwn = specifier.startsWith('.');
    const target = isOwn ? normalize(join(dirname(file.path), specifier)) : specifier;
    found.push({ target, isOwn, isTypeOnly: isTypeOnly(node), line: lineOf(file, node) });
  }
  return found;
}

/** What the rules say against one import, or null. */
export function importFault(file: SourceFile, { target, isOwn, isTypeOnly }: Import): string | null {
  const rule = importRules.find(({ files }) => files.test(file.path));
  if (!rule) return 'lies in no room of the house';
  if (!isOwn) return rule.never.test(target) && !isTypeOnly ? `imports ${target} (${rule.room})` : null;
  const domain = file.path.split('/')[1] ?? '';
  const allowed = [...rule.may, ...(isTypeOnly ? (rule.mayTypes ?? []) : [])];
  return allowed.some((pattern) => fits(target, pattern, domain)) ? null : `imports ${target} (${rule.room})`;
}

function fits(target: string, pattern: string, domain: string): boolean {
  const own = pattern.replace('$domain', domain);
  if (own === 'subgraphs/$any/index')
    return /^subgraphs\/[^/]+(\/index(\.ts)?)?$/.test(target) && !/\/shared$/.test(target);
  if (own.endsWith('/')) return target.startsWith(own) || `${target}/` === own;
  return own === '' || target === own || target === `${own}.ts`;
}

function specifierOf(node: ts.Node): string | null {
  if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
    return ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : null;
  }
  if (ts.isImportTypeNode(node)) {
    const { argument } = node;
    return ts.isLiteralTypeNode(argument) && ts.isStringLiteral(argument.literal) ? argument.literal.text : null;
  }
  if (!ts.isCallExpression(node)) return null;
  const isDynamic = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === 'require';
  const [argument] = node.arguments;
  return (isDynamic || isRequire) && argument && ts.isStringLiteral(argument) ? argument.text : null;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportTypeNode(node)) return true;
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  if (!ts.isImportDeclaration(node) || !node.importClause) return false;
  const { isTypeOnly: whole, name, namedBindings } = node.importClause;
  if (whole) return true;
  const each = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : undefined;
  return !name && each !== undefined && each.length > 0 && each.every((element) => element.isTypeOnly);
}
