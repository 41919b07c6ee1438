// One repeated failure is one line with a count, and a stack of the built program names its sources.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { createLog } from '../../subgraphs/shared/log';
import { createRepeatGate, kindOf } from '../../subgraphs/shared/repeated-lines';
import { sourceStack } from '../../subgraphs/shared/source-stack';

describe('a repeated failure', () => {
  it('is written once, then told with its count, then forgotten', () => {
    const due: (() => void)[] = [];
    const gate = createRepeatGate((_ms, run) => void due.push(run));
    const written: (number | null)[] = [];
    const fail = () => gate.pass('lost', (count) => void written.push(count));
    for (let times = 0; times < 1_000; times += 1) fail();
    expect(written).toEqual([null]);
    due.shift()?.();
    expect(written).toEqual([null, 999]);
    due.shift()?.();
    expect([written, due]).toEqual([[null, 999], []]);
    fail();
    expect(written).toEqual([null, 999, null]);
  });

  it('passes when more kinds fail than are watched', () => {
    const gate = createRepeatGate(() => undefined);
    let written = 0;
    for (let kind = 0; kind < 600; kind += 1) gate.pass(`kind ${kind}`, () => (written += 1));
    gate.pass('kind 599', () => (written += 1));
    expect(written).toBe(601);
  });

  it.each<[string, object, object, boolean]>([
    ['requests', { requestId: 'a', durationMs: 1 }, { requestId: 'b', durationMs: 2 }, true],
    ['numbers in the words of the error', { error: new Error('port 1') }, { error: new Error('port 22') }, true],
    ['errors', { error: new Error('one') }, { error: new TypeError('one') }, false],
    ['what it is about', { eventId: 'a' }, { eventId: 'b' }, false],
  ])('is of one kind for other %s: %#', (_what, one, other, same) => {
    expect(kindOf(50, one, 'failed') === kindOf(50, other, 'failed')).toBe(same);
  });

  it('leaves the log of a process once; what is no failure leaves each time', () => {
    const lines: string[] = [];
    const log = createLog('info', 'test', (line) => void lines.push(line));
    for (let times = 0; times < 50; times += 1)
      log.error({ error: new Error('gone'), requestId: String(times) }, 'lost');
    for (let times = 0; times < 3; times += 1) log.info({ requestId: 'r' }, 'answered');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['lost', 'answered', 'answered', 'answered']);
  });
});

test('a stack names sources where there is a map, and stays as it is where there is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  const file = join(folder, 'built.js');
  const { code, map } = transformSync('type T = string;\n\nexport const f = () => {\n  throw new Error("x");\n};\n', {
    ...{ loader: 'ts', sourcefile: 'original.ts', sourcemap: 'external', minify: true },
  });
  writeFileSync(file, code);
  writeFileSync(`${file}.map`, map);
  copyFileSync(file, join(folder, 'bare.js'));
  const column = code.indexOf('throw') + 1;
  const read = sourceStack(`Error: x\n    at f (${file}:1:${column})\n    at ${join(folder, 'bare.js')}:1:3`) ?? '';
  expect(read).toMatch(/at f \([^)]*original\.ts:4:\d+\)\n/);
  expect(read).toContain(`at ${join(folder, 'bare.js')}:1:3`);
  rmSync(folder, { recursive: true });
});
