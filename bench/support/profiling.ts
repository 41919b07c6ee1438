// `--profile`: CPU profiles of a case's server processes during its last round, and where their time went by source line.
import { mkdirSync, readFileSync } from 'node:fs';
import { findSourceMap, SourceMap } from 'node:module';
import { join, relative, resolve } from 'node:path';
import type { Case } from './benchmark';

const root = resolve(__dirname, '../..');
const profileDir = join(root, 'bench/results/profiles');
const linesShown = 30;
const writeMs = 1_500;

interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
    hitCount?: number;
  }[];
  samples: number[];
  timeDeltas: number[];
}

/** Flags that make a node process ready to be profiled; empty unless `--profile` was given. */
export function profilingFlags(): string[] {
  return process.env['NODE_BENCH_PROFILE_DIR'] ? ['--require', join(__dirname, 'profile.cjs')] : [];
}

/** Turns profiling on for everything that is started from now on. */
export function enableProfiling(): void {
  mkdirSync(profileDir, { recursive: true });
  process.env['NODE_BENCH_PROFILE_DIR'] = profileDir;
}

/** Measures one more round under the profiler and prints the lines that took the time. */
export async function profileCase({ name, pids = [], measure }: Case, seconds: number): Promise<void> {
  if (pids.length === 0) return;
  for (const pid of pids) process.kill(pid, 'SIGUSR2');
  await measure(seconds);
  for (const pid of pids) process.kill(pid, 'SIGUSR2');
  await new Promise((done) => setTimeout(done, writeMs));
  for (const pid of pids) printProfile(name, join(profileDir, `${pid}.cpuprofile`));
}

function printProfile(name: string, path: string): void {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, 'utf8')) as CpuProfile;
  const placeOf = new Map(nodes.map((node) => [node.id, place(node.callFrame)]));
  const byLine = new Map<string, number>();
  const byPackage = new Map<string, number>();
  let total = 0;
  samples.forEach((id, index) => {
    const where = placeOf.get(id) ?? '?';
    const delta = timeDeltas[index] ?? 0;
    if (where.startsWith('(idle)')) return;
    total += delta;
    byLine.set(where, (byLine.get(where) ?? 0) + delta);
    byPackage.set(packageOf(where), (byPackage.get(packageOf(where)) ?? 0) + delta);
  });
  console.log(`\n${name}: ${Math.round(total / 1_000)} ms on the main thread, ${relative(root, path)}`);
  for (const counts of [byPackage, byLine]) {
    const top = [...counts].sort(([, a], [, b]) => b - a).slice(0, linesShown);
    for (const [where, spent] of top) console.log(`${((100 * spent) / total).toFixed(1).padStart(6)} %  ${where}`);
    console.log('');
  }
}

/** The package, or the folder of ours, or the part of node that a line belongs to. */
function packageOf(where: string): string {
  const path = where.slice(where.indexOf(' ') + 1);
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1];
  if (inPackage) return inPackage;
  if (path.startsWith('node:')) return path.replace(/:\d+$/, '');
  return path.startsWith(':') ? where.replace(/ :\d+$/, ' (native)') : path.split('/').slice(0, 2).join('/');
}

const maps = new Map<string, SourceMap | null>();

/** Function and source line, through the source map where there is one. */
function place({ functionName, url, lineNumber, columnNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const file = url.replace('file://', '');
  const map = mapOf(file);
  const origin = map?.findEntry(lineNumber, columnNumber);
  const where =
    origin && 'originalSource' in origin
      ? `${origin.originalSource}:${origin.originalLine + 1}`
      : `${file}:${lineNumber + 1}`;
  return `${functionName || '(anonymous)'} ${where.replace(`${root}/`, '').replace(/^(\.\.\/)+/, '')}`;
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  let map: SourceMap | null = null;
  try {
    map = findSourceMap(file) ?? new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    // Node's own modules and packages have none.
  }
  maps.set(file, map);
  return map;
}
