// What must agree across files: error codes and the tests that reach them, persisted operations and who uses them, links of the documents.
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type OperationDefinitionNode, parse } from 'graphql';
import ts from 'typescript';
import { apiFamilies, readApiFile } from '../../rest-facade/checks/openapi';
import { errorTables } from '../../rest-facade/errors/errors';
import type { DomainErrorCode } from '../../subgraphs/shared/errors';
import { collectionsNamedIn, type NamedCollections } from './collections';
import { filesBelow, nodesOf, productRooms, root, type SourceFile, sourceFiles } from './source-files';

export interface PersistedOperation {
  path: string;
  /** Names defined in the file; one is expected. */
  names: string[];
}

/** Every persisted operation of the contract. */
export const persistedOperations: readonly PersistedOperation[] = filesBelow('schema/operations', /\.graphql$/).map(
  (path) => ({
    path,
    names: parse(readFileSync(join(root, path), 'utf8'))
      .definitions.filter((node): node is OperationDefinitionNode => node.kind === 'OperationDefinition')
      .map((node) => node.name?.value ?? ''),
  }),
);

export function fileNameOf({ path }: PersistedOperation): string {
  return basename(path, '.graphql');
}

/** All string and number literals of the files that fit, as text. */
export function literalsOf(files: RegExp): Set<string> {
  const found = new Set<string>();
  for (const file of sourceFiles.filter(({ path }) => files.test(path))) {
    for (const node of nodesOf(file.ast)) {
      if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) found.add(node.text);
    }
  }
  return found;
}

/** How a test may name a refusal: by its code, or by the wire code or status of a family that it shares with no other there. */
export function namesOf(name: DomainErrorCode): string[] {
  return [
    name,
    ...Object.values(errorTables).flatMap((table) => {
      const rows = Object.values(table);
      const { status, code } = table[name];
      const isAlone = (fits: (row: (typeof rows)[number]) => boolean) => rows.filter(fits).length === 1;
      return [
        ...(code && isAlone((row) => row.code === code) ? [code] : []),
        ...(isAlone((row) => row.status === status) ? [String(status)] : []),
      ];
    }),
  ];
}

/** Codes thrown somewhere in the product: the first argument of `new DomainError(...)`, and what a schema of the contract says about its own refusal. */
export function thrownCodes(): Set<string> {
  const found = new Set<string>(codesOfContracts());
  const product = sourceFiles.filter(({ path }) => productRooms.some((room) => path.startsWith(`${room}/`)));
  for (const file of product) {
    for (const node of nodesOf(file.ast)) {
      const isThrown =
        ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'DomainError';
      const argument = isThrown ? node.arguments?.[0] : undefined;
      if (argument) for (const inner of nodesOf(argument)) if (ts.isStringLiteralLike(inner)) found.add(inner.text);
    }
  }
  return found;
}

/** What the edge throws when a value breaks a schema that names its refusal. */
function codesOfContracts(): string[] {
  return apiFamilies.flatMap((family) =>
    [...readApiFile(root, family).yaml.matchAll(/^\s*x-refusal(?:-missing)?: (\w+)$/gm)].map((match) => match[1] ?? ''),
  );
}

/** The MongoDB collections that the product uses. */
export function productCollections(): NamedCollections {
  return collectionsNamedIn(sourceFiles.filter(isProduct));
}

/** The documents that people read. */
export const documents: readonly string[] = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].filter((path) => existsSync(join(root, path))),
  ...filesBelow('docs', /\.md$/),
];

/** Links to files or headings that do not exist, and paths in code marks that name nothing. */
export function brokenReferences(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  const broken = links.filter((link) => !linkWorks(document, link)).map((link) => `${document}: link to ${link}`);
  const named = [
    ...text.matchAll(
      // What a recipe makes is not there yet.
      /(?<!New file )`((?:app|cli|deploy|gateway|pages|rest-facade|sandbox|subgraphs|tools|workers|schema|test|bench|docs)\/[\w./-]*)`/g,
    ),
  ];
  const missing = named.map((match) => match[1] ?? '').filter((path) => !existsSync(join(root, path)));
  return [...broken, ...missing.map((path) => `${document}: names ${path}, which does not exist`)];
}

function linkWorks(document: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? join(root, document) : resolve(root, dirname(document), file);
  if (!existsSync(target)) return false;
  return anchor === undefined || headingsOf(readFileSync(target, 'utf8')).has(anchor);
}

function headingsOf(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map((match) => match[1] ?? '');
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replace(/\s/g, '-'),
    ),
  );
}

/** Words that have no business in the project: paths of one machine, registries, planning pages, unfinished work. */
const forbiddenWords: readonly (readonly [RegExp, string])[] = [
  [/(?:^|[\s"'`(=])\/(?:work|root|home)\//m, 'a path of one machine'],
  [/\.\.\/shared\/(?:interfaces|decisions|sandbox|design|reliability|performance|experience)/, 'a planning page'],
  [/\b(?:design|reliability|performance|experience|stack-notes)\.md\b/, 'a planning page'],
  [
    /\breliability rules?\b|\b(?:design|performance|experience|reliability) (?:sections?|rules?) \d/i,
    'a planning page',
  ],
  [/registry\.npmjs\.org|pypi\.org|files\.pythonhosted\.org|registry\.yarnpkg\.com/, 'a package registry host'],
  [/\b(?:TODO|FIXME|XXX)\b/, 'unfinished work'],
  [/\bdocuments? [123]\b(?!\.\d)/i, 'a document that readers of this repository do not have'],
];

/** Every text file that people or programs read, the lock file included. */
export function textFiles(): string[] {
  const ending = /\.(ts|tsx|mjs|cjs|js|json|ya?ml|graphql|md|html|css|sh|txt)$/;
  const top = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'biome.json',
    'jest.config.cjs',
    'docker-compose.yml',
    '.npmrc',
    'LICENSE',
    'NOTICE',
    'Dockerfile',
  ];
  const folders = [...productRooms, 'schema', 'docs', 'test', 'bench', '.ci'];
  return [
    ...top.filter((path) => existsSync(join(root, path))),
    ...documents.filter((path) => !path.startsWith('docs/')),
    ...folders.flatMap((folder) => filesBelow(folder, ending)),
  ].filter((path) => !path.startsWith('test/tidy'));
}

export function forbiddenIn(path: string): string[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n');
  return lines.flatMap((line, index) =>
    forbiddenWords
      .filter(([word]) => word.test(line))
      .map(([, what]) => `${path}:${index + 1}: ${what}: ${line.trim().slice(0, 100)}`),
  );
}

/** In the dashboard `Props` is a word of its library, and the generated types of documents carry the graph's names. */
export function isOfProcesses(file: SourceFile): boolean {
  return isProduct(file) && !file.path.startsWith('dashboard/');
}

/** True for files of the product itself. */
export function isProduct({ path }: SourceFile): boolean {
  return productRooms.some((room) => path.startsWith(`${room}/`));
}

/** Where the name of a collection comes from a caller or from a function: everywhere else it stands in words. */
export const handedNames = [
  'app/former-keys.ts',
  'app/role-database.ts',
  'subgraphs/reporting/journal/collections.repository.ts',
  'subgraphs/reporting/journal/rebuild.repository.ts',
  'subgraphs/reporting/payouts/payout.repository.ts',
  'subgraphs/shared/crypto/data-keys.ts',
  'subgraphs/shared/store/collection-of.ts',
  'subgraphs/shared/store/committer.ts',
  'subgraphs/shared/store/give-slots.ts',
  'subgraphs/shared/store/prepare-collection.ts',
  'subgraphs/shared/store/stored-schema.ts',
];
