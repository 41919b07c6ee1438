// Stacks of the built program in terms of its sources. The maps are read when the first error is logged and let go soon after, so that a start and an idle process pay nothing.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative, resolve } from 'node:path';

/** How long maps are kept after the first of them was needed. */
const keptMs = 5_000;
/** A line of a stack beyond it is no frame: its pattern looks at so much and no more. */
const frameLengthMax = 500;
const frame = /^( {4}at (?:.* )?)(\(?)(\/[^():]+\.js|[A-Za-z]:\\[^():]+\.js):(\d+):(\d+)\)?$/;
const maps = new Map<string, SourceMap | null>();

/** The stack with each place of a bundle replaced by that of its source; places without a map stay. */
export function sourceStack(stack: string | undefined): string | undefined {
  return stack?.split('\n').map(sourceLine).join('\n');
}

function sourceLine(text: string): string {
  if (text.length > frameLengthMax) return text;
  return text.replace(frame, (found, before: string, open: string, path: string, line: string, column: string) => {
    const entry = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !('originalSource' in entry)) return found;
    const source = relative(process.cwd(), resolve(path, '..', entry.originalSource));
    const place = `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    return `${before}${open}${place}${open && ')'}`;
  });
}

function mapOf(path: string): SourceMap | null {
  const known = maps.get(path);
  if (known !== undefined) return known;
  const map = readMap(path);
  if (maps.size === 0) setTimeout(() => maps.clear(), keptMs).unref();
  maps.set(path, map);
  return map;
}

function readMap(path: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  } catch {
    return null;
  }
}
