// A run leaves nothing in the system's temporary folder but what a failure keeps for people.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './source-files';

const run = `
  const { mkdtempSync, writeFileSync } = require('node:fs');
  const { tmpdir } = require('node:os');
  require('${join(root, 'test/jest/own-folder.cjs')}')().then(() => {
    const left = mkdtempSync(tmpdir() + '/pages-');
    writeFileSync(left + '/file', 'of a test');
    console.log(JSON.stringify([left, process.env.KEPT_IN]));
  });
`;

it('is a folder of the run, which goes with it', () => {
  const { KEPT_IN: _, ...env } = process.env;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', run], { encoding: 'utf8', env });
  expect(stderr).toBe('');
  const [left, kept] = JSON.parse(stdout) as [string, string];
  expect([kept, dirname(dirname(left))]).toEqual([tmpdir(), tmpdir()]);
  expect(existsSync(dirname(left))).toBe(false);
});

it('is what this file has, too', () => {
  expect(tmpdir()).toMatch(/\/jest-\w+$/);
  expect(process.env['KEPT_IN']).not.toContain(tmpdir());
});
