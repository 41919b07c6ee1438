// No pattern of the product takes more than linear time: each is judged by recheck once, and the record of judgements is committed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addPatternsOf, type Pattern, type Patterns, patternsOfTheProduct } from './patterns';
import { boundedByHand, builtByHand } from './patterns-by-hand';
import { parsedText, root } from './source-files';

// In this process: no helper program is looked for.
process.env['RECHECK_BACKEND'] = 'pure';
const { checkSync } = require('recheck') as typeof import('recheck');
const { version } = require('recheck/package.json') as { version: string };

const recordPath = join(root, 'test/tidy/judged-patterns.json');
/** Patterns that the checker found linear, as `/source/flags`, and the version of the checker. `WRITE_TABLES=1` adds what is new and good, and forgets what is gone. */
const judged = JSON.parse(readFileSync(recordPath, 'utf8')) as { checker: string; linear: string[] };
/** Far beyond what a pattern takes alone on the machine; none of the record took 15 s. */
const judgeMsMax = 120_000;

const { known, unknown } = patternsOfTheProduct();

/** What is wrong with a pattern, or null. */
function faultOf({ key, source, flags, where }: Pattern): string | null {
  const verdict = checkSync(source, flags.replace('d', ''), { timeout: judgeMsMax });
  if (verdict.status === 'safe') return null;
  if (verdict.status === 'vulnerable')
    return `${where}: ${key} is ${verdict.complexity.summary}, for example ${verdict.attack.pattern}`;
  return `${where}: ${key} could not be judged (${verdict.error.kind}); simplify it, or say in patterns-by-hand.ts what bounds it`;
}

it('knows every pattern of the product as linear, or as bounded by what a person wrote down', () => {
  const isOfThisChecker = judged.checker === version;
  const open = [...known.values()].filter(
    ({ key }) => !boundedByHand[key] && !(isOfThisChecker && judged.linear.includes(key)),
  );
  const faults = open.map((pattern) => ({ pattern, fault: faultOf(pattern) }));
  if (process.env['WRITE_TABLES']) {
    const bad = new Set(faults.filter(({ fault }) => fault).map(({ pattern }) => pattern.key));
    const linear = [...known.keys()].filter((key) => !boundedByHand[key] && !bad.has(key)).sort();
    writeFileSync(recordPath, `${JSON.stringify({ checker: version, linear }, null, 2)}\n`);
  }
  expect(faults.flatMap(({ fault }) => fault ?? [])).toEqual([]);
  const unrecorded = 'is linear; record it: WRITE_TABLES=1 npx jest test/tidy/patterns.test.ts';
  const written = process.env['WRITE_TABLES'] ? [] : open.map(({ key, where }) => `${where}: ${key} ${unrecorded}`);
  expect(written).toEqual([]);
});

it('has a reason for every pattern that is built while running', () => {
  expect(unknown.filter(({ text }) => !builtByHand[text])).toEqual([]);
});

it('keeps no judgement of a pattern that is gone', () => {
  const gone = [...judged.linear, ...Object.keys(boundedByHand)].filter((key) => !known.has(key));
  const built = new Set(unknown.map(({ text }) => text));
  const goneByHand = Object.keys(builtByHand).filter((text) => !built.has(text));
  expect([...(process.env['WRITE_TABLES'] ? [] : gone), ...goneByHand]).toEqual([]);
});

it('refuses a pattern that takes quadratic time, literal or built, and finds what only a run knows', () => {
  const found: Patterns = { known: new Map(), unknown: [] };
  const source = `const space = '\\\\s+'; const a = /^a\\d+\\d+$/; const b = new RegExp(\`\${space}$\`); const c = new RegExp(given);`;
  addPatternsOf(parsedText('made-up.ts', source), found);
  expect([...found.known.keys()]).toEqual(['/^a\\d+\\d+$/', '/\\s+$/']);
  for (const pattern of found.known.values()) expect(faultOf(pattern)).toMatch(/made-up\.ts:1: .+ is 2nd degree polyn/);
  expect(found.unknown).toEqual([{ where: 'made-up.ts:1', text: 'new RegExp(given)' }]);
});
