// What each process of the program can read of keys and addresses: its environment as the system shows it, held against the table.
import { readFileSync } from 'node:fs';
import { confidential, confidentialNames } from '../../app/launcher/role-environment';
import { sharedWorld, type World } from '../support/world';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});
afterAll(() => world.stop());

const isLinux = process.platform === 'linux';

(isLinux ? test : test.skip)('each process has the keys and addresses of its role, and no others', () => {
  const own = ['mongod', 'redis-server', 'launcher'];
  const entries = world.processes().filter(({ role }) => !own.includes(role));
  expect(entries.length).toBeGreaterThan(0);
  for (const { role, pid } of entries) {
    const lines = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const environment = new Map(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    const roles = environment.get('ROLES') ?? '';
    const has = [...environment].flatMap(([name, value]) =>
      confidentialNames.has(name) && value !== '' ? [name] : [],
    );
    const table = new Set(confidential[roles]);
    expect({ role, tooMuch: has.filter((name) => !table.has(name)) }).toEqual({ role, tooMuch: [] });
    expect(has).toContain('MONGODB_URI');
    expect([...environment.keys()].filter((name) => /^npm_|TOKEN|PASSWORD/.test(name))).toEqual([]);
    // A key is nowhere under another name either.
    const secrets = JSON.parse(readFileSync(`${world.dataDir}/secrets.json`, 'utf8')) as Record<string, string>;
    const strange = Object.entries(secrets).filter(
      ([name, value]) => value !== '' && !table.has(name) && lines.some((line) => line.includes(value)),
    );
    expect({ role, strange: strange.map(([name]) => name) }).toEqual({ role, strange: [] });
  }
});
