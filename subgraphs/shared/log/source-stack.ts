// Stacks of the built program in terms of its sources, by the file of places that the build leaves beside each bundle (tools/source-places.mjs). It is
// searched where it lies: reading the source map of ours at an error stops the process for half a second.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { relative, resolve } from 'node:path';

/** A line of a stack beyond it is no frame: its pattern looks at so much and no more. */
const frameLengthMax = 500;
const frame = /^( {4}at (?:.* )?)(\(?)(\/[^():]+\.js|[A-Za-z]:\\[^():]+\.js):(\d+):(\d+)\)?$/;
/** Errors come from few places: so many are remembered. */
const placesMax = 2_000;
/** `path:line:column` of a bundle, to path and line of its source; null where nothing says so. */
const places = new Map<string, string | null>();

/** The stack with each place of a bundle replaced by the line of its source; places that are in no bundle stay. */
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

interface StackFrame extends Position {
  before: string;
  open: string;
}

function frameOf(text: string): StackFrame | null {
  const [, before = '', open = '', path = '', line, column] = (text.length <= frameLengthMax && frame.exec(text)) || [];
  return path ? { before, open, path, line: Number(line), column: Number(column) } : null;
}

const keyOf = ({ path, line, column }: Position) => `${path}:${line}:${column}`;

function sourceLine(text: string): string {
  const found = frameOf(text);
  const place = found && places.get(keyOf(found));
  return found && place ? `${found.before}${found.open}${place}${found.open && ')'}` : text;
}

/** Looks up the positions that are not known yet, each bundle once. */
function learn(positions: readonly Position[]): void {
  const unknown = positions.filter((position) => !places.has(keyOf(position)));
  if (places.size + unknown.length > placesMax) places.clear();
  for (const position of unknown) places.set(keyOf(position), null);
  for (const path of new Set(unknown.map((position) => position.path))) {
    const file = openPlaces(path);
    if (!file) continue;
    for (const position of unknown) if (position.path === path) places.set(keyOf(position), placeOf(file, position));
    closeSync(file.descriptor);
  }
}

/** Bytes of a record: line and column in the bundle, number and line of the source; from 0. */
const recordBytes = 16;

interface PlacesFile {
  path: string;
  descriptor: number;
  sources: string[];
  /** Where the records begin, and how many there are. */
  start: number;
  count: number;
}

/** Null beside a file that no build of ours made. */
function openPlaces(path: string): PlacesFile | null {
  let descriptor: number;
  try {
    descriptor = openSync(`${path}.places`, 'r');
  } catch {
    return null;
  }
  const start = 4 + bytesAt(descriptor, 0, 4).readUInt32LE();
  const sources = JSON.parse(bytesAt(descriptor, 4, start - 4).toString()) as string[];
  return { path, descriptor, sources, start, count: (fstatSync(descriptor).size - start) / recordBytes };
}

function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  readSync(descriptor, bytes, 0, length, position);
  return bytes;
}

/** Of the last record of the position's line that begins there or before. */
function placeOf({ path, descriptor, sources, start, count }: PlacesFile, position: Position): string | null {
  const [line, column] = [position.line - 1, position.column - 1];
  const recordAt = (index: number) => {
    const record = bytesAt(descriptor, start + index * recordBytes, recordBytes);
    return [0, 4, 8, 12].map((offset) => record.readUInt32LE(offset)) as [number, number, number, number];
  };
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [itsLine, itsColumn] = recordAt(middle);
    if (itsLine < line || (itsLine === line && itsColumn <= column)) low = middle + 1;
    else high = middle;
  }
  const [itsLine, , source, sourceLine] = low > 0 ? recordAt(low - 1) : [];
  if (itsLine !== line || source === undefined || sourceLine === undefined) return null;
  return `${relative(process.cwd(), resolve(path, '..', sources[source] ?? ''))}:${sourceLine + 1}`;
}
