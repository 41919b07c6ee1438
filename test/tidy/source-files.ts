// The project's own files as the tidy test sees them: listed once, read once, parsed once.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';

export const root = resolve(__dirname, '../..');

/** The rooms of the house; everything else at the top is configuration, contract or documentation. */
const rooms = [
  'app',
  'cli',
  'clients',
  'dashboard',
  'gateway',
  'pages',
  'rest-facade',
  'sandbox',
  'subgraphs',
  'tools',
  'workers',
  'test',
  'bench',
] as const;
/** The rooms that make the product. */
export const productRooms: readonly string[] = rooms.filter((room) => room !== 'test' && room !== 'bench');

export interface SourceFile {
  /** From the root, with slashes. */
  path: string;
  text: string;
  lines: string[];
  /** Parsed when somebody looks, once. */
  readonly ast: ts.SourceFile;
}

const generatedMark = /^(\/\/|\/\*|#) Generated\b/;

/** Every TypeScript and JavaScript module written by hand. */
export const sourceFiles: readonly SourceFile[] = rooms
  .flatMap((room) => filesBelow(room, /\.(ts|tsx|mjs|cjs)$/))
  .map((path) => parsed(path))
  .filter((file) => !generatedMark.test(file.text));

export function parsed(path: string): SourceFile {
  return parsedText(path, readFileSync(join(root, path), 'utf8'));
}

export function parsedText(path: string, text: string): SourceFile {
  let ast: ts.SourceFile | undefined;
  return {
    path,
    text,
    lines: text.replace(/\n$/, '').split('\n'),
    get ast() {
      ast ??= ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
      return ast;
    },
  };
}

/** Paths below a folder, sorted; nothing when the folder is not there. */
export function filesBelow(folder: string, ending: RegExp): string[] {
  const skipped = new Set(['node_modules', 'dist', '.git', '.data', 'coverage', 'results']);
  const walk = (at: string): string[] =>
    readdirSync(at, { withFileTypes: true }).flatMap((entry) => {
      if (skipped.has(entry.name)) return [];
      const path = join(at, entry.name);
      return entry.isDirectory() ? walk(path) : [relative(root, path)];
    });
  try {
    return walk(join(root, folder))
      .filter((path) => ending.test(path))
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Of whole files: each rule walks all of them. */
const nodesOfFiles = new WeakMap<ts.Node, readonly ts.Node[]>();

/** Every node of a file or a part of it, in reading order. */
export function nodesOf(node: ts.Node): readonly ts.Node[] {
  const known = nodesOfFiles.get(node);
  if (known) return known;
  const nodes: ts.Node[] = [];
  const add = (each: ts.Node): void => {
    nodes.push(each);
    ts.forEachChild(each, add);
  };
  add(node);
  if (ts.isSourceFile(node)) nodesOfFiles.set(node, nodes);
  return nodes;
}

/** Line number of a node, from 1. */
export function lineOf(file: SourceFile, node: ts.Node): number {
  return file.ast.getLineAndCharacterOfPosition(node.getStart(file.ast)).line + 1;
}

/** A finding as people and editors read it. */
export function at(file: SourceFile, line: number, what: string): string {
  return `${file.path}:${line}: ${what}`;
}
