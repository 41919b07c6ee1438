// `npm run bench -- <name> [--rounds n] [--seconds n] [--warm-up n] [--only case]... [--profile]`: runs one benchmark of bench/<name>/ and keeps its result.
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const folder = dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const names = readdirSync(folder, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && entry.name === 'bench.ts')
  .map((entry) => (entry.parentPath ?? entry.path).slice(folder.length + 1))
  .sort();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    note: { type: 'string', default: '' },
    profile: { type: 'boolean', default: false },
  },
});
const [name] = positionals;
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const warmUpSeconds = Number(values['warm-up'] ?? Math.min(seconds, 2));

if (
  !names.includes(name) ||
  !(rounds >= 1 && rounds <= 50) ||
  !(seconds > 0 && seconds <= 60) ||
  !(warmUpSeconds > 0 && warmUpSeconds <= 300)
) {
  console.error(
    `Usage: npm run bench -- <${names.join('|')}> [--rounds 1..50] [--seconds 1..60] [--warm-up 1..300] [--only case]... [--note text] [--profile]`,
  );
  process.exit(2);
}

require('./support/typescript.cjs');
const { benchmark } = require(join(folder, name, 'bench.ts'));
const { runBenchmark } = require('./support/run-benchmark.ts');
runBenchmark(name, benchmark, { ...values, rounds, seconds, warmUpSeconds }).then(
  () => process.exit(process.exitCode ?? 0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
