// Benchmarks start and stop the program as their own processes do, without jest around them.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { built } from '../support/built';

const root = resolve(__dirname, '../..');

const startAndStop = `
  require('./bench/support/typescript.cjs');
  const { startProduct } = require('./bench/support/product.ts');
  (async () => {
    const product = await startProduct({ processes: 1 });
    console.log(product.credentials.urls.rest);
    await product.stop();
  })().then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );`;

test('the program of a benchmark starts and stops', () => {
  // Built before: a benchmark would build what it starts itself.
  built('launcher.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', startAndStop], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/m);
});
