// One repeated failure is one line with a count, and a stack of the built program names its sources.
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { relative, resolve } from 'node:path';
import { createLog } from '../../subgraphs/shared/log/log';
import { createRepeatGate, kindOf } from '../../subgraphs/shared/log/repeated-lines';
import { sourceStack } from '../../subgraphs/shared/log/source-stack';
import { built } from '../support/built';

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

test('a stack names sources where there is a bundle, and stays as it is where there is none', () => {
  const file = built('cli.js');
  const bare = file.replace(/\.js$/, '-of-nobody.js');
  const [line, column] = [10, 400];
  const read = sourceStack(`Error: x\n    at f (${file}:${line}:${column})\n    at ${bare}:1:3`);
  expect(read).toMatch(/^Error: x\n {4}at f \([^):]+\.[jt]s:\d+\)\n {4}at /);
  expect(read).toContain(`at ${bare}:1:3`);
});

test('places are those that the runtime reads from the same map', () => {
  const file = built('cli.js');
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  const lines = readFileSync(file, 'utf8').split('\n');
  const wrong: string[] = [];
  let compared = 0;
  const longest = lines.map(({ length }, line) => ({ line, length })).sort((x, y) => y.length - x.length);
  for (const [at, { line, length }] of longest.slice(0, 100).entries()) {
    const column = Math.floor((length * (at + 1)) / 101);
    const entry = map.findEntry(line, column);
    if (!('originalSource' in entry)) continue;
    // The runtime goes back to the line before where this one says nothing.
    if (entry.generatedLine !== line) continue;
    compared += 1;
    const read = sourceStack(`    at f (${file}:${line + 1}:${column + 1})`) ?? '';
    const expected = `${relative(process.cwd(), resolve(file, '..', entry.originalSource))}:${entry.originalLine + 1}`;
    if (read !== `    at f (${expected})`) wrong.push(`${line + 1}:${column + 1} is ${expected}, read ${read}`);
  }
  expect(wrong).toEqual([]);
  expect(compared).toBeGreaterThan(20);
});
