// Stacks of the built program in terms of its sources. Maps are read when an error is logged, one pass for a whole stack, and never decoded as a whole:
// as objects the segments of ours take half a gigabyte, more than a container of ours may have.
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** A line of a stack beyond it is no frame: its pattern looks at so much and no more. */
const frameLengthMax = 500;
const frame = /^( {4}at (?:.* )?)(\(?)(\/[^():]+\.js|[A-Za-z]:\\[^():]+\.js):(\d+):(\d+)\)?$/;
/** Errors come from few places: so many are remembered. */
const placesMax = 2_000;
/** `path:line:column` of a bundle, to the same in its source; null where no map says so. */
const places = new Map<string, string | null>();

/** The stack with each place of a bundle replaced by that of its source; places without a map stay. */
export function sourceStack(stack: string | undefined): string | undefined {
  const lines = stack?.split('\n');
  if (lines) learn(lines.flatMap((line) => frameOf(line) ?? []));
  return lines?.map(sourceLine).join('\n');
}

interface Position {
  path: string;
  /** From 1, as in a stack. */
  line: number;
  column: number;
}

interface Frame extends Position {
  before: string;
  open: string;
}

function frameOf(text: string): Frame | null {
  const [, before = '', open = '', path = '', line, column] = (text.length <= frameLengthMax && frame.exec(text)) || [];
  return path ? { before, open, path, line: Number(line), column: Number(column) } : null;
}

const keyOf = ({ path, line, column }: Position) => `${path}:${line}:${column}`;

function sourceLine(text: string): string {
  const found = frameOf(text);
  const place = found && places.get(keyOf(found));
  return found && place ? `${found.before}${found.open}${place}${found.open && ')'}` : text;
}

/** Looks up the positions that are not known yet, each map once. */
function learn(positions: readonly Position[]): void {
  const unknown = positions.filter((position) => !places.has(keyOf(position)));
  if (places.size + unknown.length > placesMax) places.clear();
  for (const position of unknown) places.set(keyOf(position), null);
  for (const path of new Set(unknown.map((position) => position.path))) {
    const wanted = unknown.filter((position) => position.path === path);
    const map = readMap(path);
    if (map)
      for (const [position, place] of placesIn(map, wanted)) places.set(keyOf(position), printPlace(path, map, place));
  }
}

/** As written, Source Map version 3 (ECMA-426). */
interface WrittenMap {
  sources: string[];
  mappings: string;
}

function readMap(path: string): WrittenMap | null {
  try {
    return JSON.parse(readFileSync(`${path}.map`, 'utf8')) as WrittenMap;
  } catch {
    return null;
  }
}

/** Of a source by its number, from 0. */
interface Place {
  source: number;
  line: number;
  column: number;
}

function printPlace(path: string, { sources }: WrittenMap, { source, line, column }: Place): string {
  return `${relative(process.cwd(), resolve(path, '..', sources[source] ?? ''))}:${line + 1}:${column + 1}`;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const digits = new Uint8Array(128).map((_, code) => Math.max(0, alphabet.indexOf(String.fromCharCode(code))));
const [comma, semicolon] = [',', ';'].map((letter) => letter.charCodeAt(0));

/** Walks the segments once (ECMA-426, Mappings grammar); of each position the last segment of its line that begins at it or before. */
function placesIn({ mappings }: WrittenMap, positions: readonly Position[]): Map<Position, Place> {
  const found = new Map<Position, Place>();
  let at = 0;
  /** A variable-length quantity: five bits a digit, the lowest first; the lowest bit of all is the sign. */
  const next = (): number => {
    let [value, shift, digit] = [0, 0, 32];
    while (digit & 32) {
      digit = digits[mappings.charCodeAt(at++)] ?? 0;
      value |= (digit & 31) << shift;
      shift += 5;
    }
    return value & 1 ? -(value >>> 1) : value >>> 1;
  };
  const isOver = () => {
    const code = mappings.charCodeAt(at);
    return at >= mappings.length || code === comma || code === semicolon;
  };
  const linesMax = Math.max(...positions.map(({ line }) => line));
  const place: Place = { source: 0, line: 0, column: 0 };
  for (let [line, column] = [1, 0]; at < mappings.length && line <= linesMax; ) {
    const code = mappings.charCodeAt(at);
    if (code === semicolon) [line, column] = [line + 1, 0];
    if (code === semicolon || code === comma) {
      at += 1;
      continue;
    }
    column += next();
    if (isOver()) continue;
    place.source += next();
    place.line += next();
    place.column += next();
    // The number of a name is of no use here.
    while (!isOver()) next();
    for (const position of positions)
      if (position.line === line && column < position.column) found.set(position, { ...place });
  }
  return found;
}
