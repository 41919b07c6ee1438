// What the product is made of: every locked package under terms that NOTICE allows, unchanged since it was locked, and free of known advisories.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines } from '../../package.json';

interface Locked {
  version: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  inBundle?: boolean;
  link?: boolean;
}

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const packages = Object.entries(
  (JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> }).packages,
).filter(([path]) => path !== '');
const shipped = packages.filter(([, each]) => !each.dev);

/** Of what is shipped; what is used to develop may have a few more. */
const permissive =
  /^\(?(MIT(-0|\/X11)?|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|PSF-2\.0|MIT or MPL-2\.0|MIT AND BSD-3-Clause|MIT OR Apache-2\.0)\)?$/;
const forDevelopment =
  /^\(?(Apache-2\.0 AND MIT|MIT AND Zlib|MIT OR CC0-1\.0|MPL-2\.0|CC-BY-4\.0|EPL-2\.0|OFL-1\.1|Python-2\.0|Unlicense)\)?$/;
/** NOTICE says what follows from it. */
const elastic = /^node_modules\/@apollo\/(composition|federation-internals|gateway|query-graphs|query-planner)$/;

describe('licences', () => {
  it('of what is shipped are permissive, but for the packages that NOTICE names', () => {
    const others = shipped
      // Variants for other machines, which the lock file knows by name alone.
      .filter(([, { license, optional }]) => license !== undefined || !optional)
      .filter(([, { license }]) => !permissive.test(license ?? ''));
    expect(others.map(([path, { license }]) => `${path} ${license}`)).toEqual(
      others.filter(([path]) => elastic.test(path)).map(([path]) => `${path} Elastic-2.0`),
    );
  });

  it('of what is used to develop allow that', () => {
    const others = packages
      .filter(([, { license, optional }]) => license !== undefined || !optional)
      .filter(
        ([path, { license }]) =>
          !permissive.test(license ?? '') && !forDevelopment.test(license ?? '') && !elastic.test(path),
      );
    expect(others).toEqual([]);
  });
});

describe('the lock file', () => {
  it('holds what was locked by its hash', () => {
    const without = packages.filter(
      ([, { integrity, optional, link, inBundle }]) => !integrity && !optional && !link && !inBundle,
    );
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it('names no host', () => expect(read('package-lock.json')).not.toMatch(/"resolved": "https?:/));
});

describe('Node', () => {
  const current = read('.nvmrc').trim();

  it('is the line of .nvmrc in the image', () => {
    const [, major] = /^ARG NODE_IMAGE=node:(\d+)\.\d+\.\d+-bookworm-slim$/m.exec(read('Dockerfile')) ?? [];
    expect(major).toBe(current);
  });

  it('may be any line that is tested', () => {
    expect(engines.node).toBe('^20.19.0 || ^22.12.0 || >=24');
  });
});

describe('the list of parts', () => {
  it('names every installed package that is shipped, in its version', () => {
    const run = spawnSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8', maxBuffer: 64 << 20 });
    const listed = (JSON.parse(run.stdout) as { components: { 'bom-ref': string }[] }).components;
    const names = new Set(listed.map((each) => each['bom-ref']));
    const installed = (JSON.parse(read('node_modules/.package-lock.json')) as { packages: Record<string, Locked> })
      .packages;
    const missing = Object.entries(installed)
      .filter(([, { dev, link }]) => !dev && !link)
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`)
      .filter((each) => !names.has(each));
    expect(names.size).toBeGreaterThan(100);
    expect(missing).toEqual([]);
  });
});

describe('advisories', () => {
  const express = shipped.find(([path]) => path === 'node_modules/express')?.[1].version ?? '';
  const about = (name: string, event: object, more: object = {}) => ({
    id: 'OSV-1',
    summary: 'made up',
    affected: [
      { package: { ecosystem: 'npm', name }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, event] }] },
    ],
    ...more,
  });
  const other = { package: { ecosystem: 'PyPI', name: 'express' }, versions: [express] };

  it.each([
    ['fixed later', about('express', { fixed: '99.0.0' }), 1],
    ['fixed in this version', about('express', { fixed: express }), 0],
    ['last affected: this version', about('express', { last_affected: express }), 1],
    ['last affected: an older one', about('express', { last_affected: '1.0.0' }), 0],
    [
      'named by its version',
      { id: 'OSV-1', affected: [{ package: { ecosystem: 'npm', name: 'express' }, versions: [express] }] },
      1,
    ],
    ['withdrawn', about('express', { fixed: '99.0.0' }, { withdrawn: '2026-01-01T00:00:00Z' }), 0],
    ['of another ecosystem', { id: 'OSV-1', affected: [other] }, 0],
    ['of a package that only development needs', about('jest', { fixed: '99.0.0' }), 0],
  ])('an advisory %s', (_name, record, exitCode) => {
    const folder = mkdtempSync(join(tmpdir(), 'advisories-'));
    try {
      writeFileSync(join(folder, 'OSV-1.json'), JSON.stringify(record));
      expect(spawnSync(process.execPath, [join(root, 'tools/advisories.mjs'), folder]).status).toBe(exitCode);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are asked for in one sentence where there are none', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, 'tools/advisories.mjs'), join(root, 'no-such-folder')],
      {
        encoding: 'utf8',
      },
    );
    expect([status, stderr.trim().split('\n').length]).toEqual([2, 1]);
  });
});
