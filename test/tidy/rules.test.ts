// The tidy rules themselves: each of them finds what it is there to find, and lets the permitted neighbour pass.
import ts from 'typescript';
import { collectionsNamedIn } from './collections';
import { importCircles } from './import-circles';
import { importFault, importsOf } from './import-rules';
import {
  conditionalSpreads,
  environmentReads,
  freezingKeys,
  longFunctions,
  openingFault,
  ownHttpCalls,
  recursiveFolders,
  sleeps,
  unbuiltPaths,
  unexplainedEscapes,
  writtenSpreads,
} from './measures';
import { roomFaults, unorderedRooms } from './room-order';
import type { SourceFile } from './source-files';

function written(path: string, text: string): SourceFile {
  return { path, text, lines: text.split('\n'), ast: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true) };
}

describe('imports', () => {
  const faultsOf = (path: string, text: string) => {
    const file = written(path, text);
    return importsOf(file).map((imported) => importFault(file, imported));
  };

  it.each<[string, string, string]>([
    [
      'a service that knows the graph',
      'subgraphs/access/clients/client.service.ts',
      "import { ObjectType } from 'type-graphql';",
    ],
    [
      'a service that knows the store',
      'subgraphs/access/clients/client.service.ts',
      "import mongoose from 'mongoose';",
    ],
    [
      'a resolver that knows the store',
      'subgraphs/access/clients/client.resolver.ts',
      "import { Types } from 'mongoose';",
    ],
    ['a domain that imports another', 'subgraphs/access/clients/client.ts', "import { x } from '../../merchants';"],
    [
      'a type of another domain',
      'subgraphs/access/clients/client.ts',
      "import type { X } from '../../merchants/merchant';",
    ],
    ['pure domain with a log', 'subgraphs/access/clients/client.ts', "import { createLog } from '../../shared/log';"],
    ['pure domain with a store', 'subgraphs/access/clients/client.ts', "import { Types } from 'mongodb';"],
    ['a gateway inside a domain', 'gateway/graph.ts', "import { x } from '../subgraphs/access/client.service';"],
    [
      'a route that imports a domain',
      'rest-facade/routes/tokenization.ts',
      "import { x } from '../../subgraphs/access';",
    ],
    ['a route with a store', 'rest-facade/server.ts', "import { Redis } from 'ioredis';"],
    ['a worker that knows the gateway', 'workers/outbox.worker.ts', "import { x } from '../gateway/graph';"],
    ['a worker inside a domain', 'workers/retry.ts', "const x = await import('../subgraphs/notifications/callback');"],
    ['shared that knows a domain', 'subgraphs/shared/log/log.ts', "const x = require('../../access/client');"],
    ['a file in no room', 'lib/thing.ts', "import { x } from './y';"],
  ])('refuse %s', (_case, path, text) => {
    expect(faultsOf(path, text)).toEqual([expect.any(String)]);
  });

  it.each<[string, string, string]>([
    ['its own domain', 'subgraphs/access/clients/client.service.ts', "import { x } from './client';"],
    [
      'a type of shared in pure domain',
      'subgraphs/access/clients/client.ts',
      "import type { Vault } from '../../shared/vault';",
    ],
    [
      'the door of a domain from a worker',
      'workers/outbox.worker.ts',
      "import { x } from '../subgraphs/notifications';",
    ],
    [
      'the store in a repository',
      'subgraphs/access/clients/client.repository.ts',
      "import { Schema } from 'mongoose';",
    ],
    ['everything in the composition root', 'app/process.ts', "import { x } from '../gateway/graph';"],
  ])('allow %s', (_case, path, text) => {
    expect(faultsOf(path, text)).toEqual([null]);
  });
});

describe('circles', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'two files that import each other',
      { 'gateway/a.ts': "import { b } from './b';", 'gateway/b.ts': "import { a } from './a';" },
      ['gateway/a.ts → gateway/b.ts → gateway/a.ts'],
    ],
    [
      'a type on the way back',
      { 'gateway/a.ts': "import { b } from './b';", 'gateway/b.ts': "import type { A } from './a';" },
      ['gateway/a.ts → gateway/b.ts → gateway/a.ts'],
    ],
    [
      'three files, one of them named by its folder and one inside a type',
      {
        'gateway/a.ts': "export * from './b';",
        'gateway/b/index.ts': "export type B = import('../c').C;",
        'gateway/c.ts': "const a = await import('./a');",
      },
      ['gateway/a.ts → gateway/b/index.ts → gateway/c.ts → gateway/a.ts'],
    ],
    [
      'none where two ways lead to one file',
      { 'gateway/a.ts': "import './b';\nimport './c';", 'gateway/b.ts': "import './c';", 'gateway/c.ts': '' },
      [],
    ],
  ])('of %s', (_case, texts, circles) => {
    expect(importCircles(Object.entries(texts).map(([path, text]) => written(path, text)))).toEqual(circles);
  });
});

describe('rooms of a domain', () => {
  const orders = { access: ['keys', 'people'] };
  const faultsOf = (path: string, target: string) =>
    roomFaults(written(path, `import type { X } from '${target}';`), orders);

  it('refuse an import from above, with file, line and both rooms', () => {
    expect(faultsOf('subgraphs/access/keys/key.ts', '../people/person')).toEqual([
      'subgraphs/access/keys/key.ts:1: keys imports subgraphs/access/people/person, of people, which stands above it',
    ]);
  });

  it.each([
    ['its own room', 'subgraphs/access/keys/key.ts', './key-text'],
    ['a room below', 'subgraphs/access/people/person.ts', '../keys/key'],
    ['what stands in the folder of the domain', 'subgraphs/access/keys/key.ts', '../ports'],
    ['shared', 'subgraphs/access/keys/key.ts', '../../shared/errors'],
    ['any room into the graph', 'subgraphs/access/keys/key.resolver.ts', '../people/person'],
    ['any room into the door', 'subgraphs/access/index.ts', './people/person'],
  ])('allow %s', (_case, path, target) => {
    expect(faultsOf(path, target)).toEqual([]);
  });

  it('stand in the table, each of them and no other', () => {
    const files = ['keys/key.ts', 'audit/audit.ts', 'index.ts'].map((path) => written(`subgraphs/access/${path}`, ''));
    expect(unorderedRooms(files, orders)).toEqual([
      'subgraphs/access/audit/: missing in the table',
      'subgraphs/access/people/: in the table, and not there',
    ]);
  });
});

describe('spreads', () => {
  it.each<[string, (file: SourceFile) => string[], string, number]>([
    ['members spread where they are written', writtenSpreads, 'const x = { a, ...{ b, c } };', 1],
    ['elements spread where they are written', writtenSpreads, 'const x = [a, ...[b, c]];', 1],
    ['an object spread by name', writtenSpreads, 'const x = { a, ...others };', 0],
    ['members of one of two answers', conditionalSpreads, 'const x = { a, ...(b ? { b } : {}) };', 1],
    [
      'members of the other answer',
      conditionalSpreads,
      'const x = { ...(b === undefined ? {} : ({ b } as const)) };',
      1,
    ],
    [
      'members behind a condition',
      conditionalSpreads,
      'const x = { a, ...(b && { b }), ...(c ?? {}), ...(d || {}) };',
      3,
    ],
    [
      'what is spread without a condition',
      conditionalSpreads,
      'const x = { ...others, ...withoutUndefined({ b: c ? b : undefined }) }; const list = [...(d ? [d] : [])];',
      0,
    ],
  ])('of %s', (_case, find, text, count) => {
    expect(find(written('gateway/x.ts', text))).toHaveLength(count);
  });
});

describe('measures', () => {
  const body = (lines: number) => Array.from({ length: lines }, (_, index) => `  step(${index});`).join('\n');

  it.each<[string, (file: SourceFile) => string[], string, number]>([
    ['a function of 61 lines', longFunctions, `function long() {\n${body(59)}\n}`, 1],
    ['a function of 60 lines', longFunctions, `function fits() {\n${body(58)}\n}`, 0],
    [
      'two of 40 lines inside one',
      longFunctions,
      `function outer() {\nconst a = () => {\n${body(38)}\n};\nconst b = () => {\n${body(38)}\n};\n}`,
      0,
    ],
    ['any without a reason', unexplainedEscapes, 'const x: any = 1;', 1],
    ['any with a reason', unexplainedEscapes, '// The package declares no type for this.\nconst x: any = 1;', 0],
    ['a non-null assertion', unexplainedEscapes, 'const x = y!;', 1],
    ['a definite assignment of a type class', unexplainedEscapes, 'class X {\n  field!: string;\n}', 0],
    ['a silenced check', unexplainedEscapes, '// @ts-expect-error\nfoo();', 1],
    ['a read of the environment', environmentReads, "const x = process.env['MODE'];", 1],
    ['a variable given to a package', environmentReads, "process.env['OFF'] = 'true';", 0],
    ['a call of fetch', ownHttpCalls, "await fetch('http://x');", 1],
    [
      'a new key that is shown as JWK',
      freezingKeys,
      "const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });\npublicKey.export({ format: 'jwk' });",
      1,
    ],
    ['a call of https.request', ownHttpCalls, 'https.request(options);', 1],
    ['a folder by mkdir itself', recursiveFolders, 'mkdirSync(path, { recursive: true });\nmkdirSync(path);', 1],
    [
      'a program of dist',
      unbuiltPaths,
      "join(root, 'dist/cli.js'); join(__dirname, '../../dist'); join(x, 'distance');",
      2,
    ],
    ['a fixed pause', sleeps, 'await new Promise((resolve) => setTimeout(resolve, 500));', 1],
    [
      'a pause between two looks',
      sleeps,
      'while (!done) {\n  await new Promise((resolve) => setTimeout(resolve, 500));\n}',
      0,
    ],
  ])('of %s', (_case, find, text, count) => {
    expect(find(written('gateway/x.ts', text))).toHaveLength(count);
  });

  it.each<[string, boolean]>([
    ['// What this file is for, said in a sentence.', true],
    ['#!/usr/bin/env node\n// What this file is for, said in a sentence.', true],
    ["import { x } from './y';", false],
    ['// short one', false],
    ['// wrong beginning of a sentence', false],
  ])('of the opening %j', (text, isGood) => {
    expect(openingFault(written('gateway/x.ts', text)) === null).toBe(isGood);
  });
});

describe('collections', () => {
  const shared = written('subgraphs/shared/names.ts', "export const far = 'far_things'; const hidden = 'no';");
  const namedIn = (text: string) => collectionsNamedIn([shared, written('subgraphs/access/x.repository.ts', text)]);

  it.each([
    ['a literal', "connection.collection('things')", 'things'],
    ['a typed call', "connection.collection<Thing>('things')", 'things'],
    ['a template without holes', 'connection.collection(`things`)', 'things'],
    ['a template with a hole', ['connection.collection(`things_$', '{family}`)'].join(''), 'things_*'],
    ['a constant', "const name = 'things'; connection.collection(name)", 'things'],
    ['a constant within a function', "function f() { const name = 'things'; db.collection(name) }", 'things'],
    ['a constant of another file', 'connection.collection(far)', 'far_things'],
    ['a constant as another type', "connection.collection('things' as never)", 'things'],
    ['one of the db of a connection', "connection.db.collection('things')", 'things'],
    ['one of a database of a client', "connection.getClient().db(connection.name).collection('things')", 'things'],
    ['the third argument of a model', "connection.model('Thing', schema, 'things')", 'things'],
    ['the option of a schema', "new Schema(lines, { collection: 'things' })", 'things'],
    ['the option by its constant', "const collection = 'things'; new Schema(lines, { collection })", 'things'],
    ['a stored schema', "storedSchema<Stored>('things', lines)", 'things'],
    ['a write of a unit', "const write = { collection: 'things', document }", 'things'],
    ['a collection that is made', "database.createCollection('things')", 'things'],
    ['the workers’ own way', "collectionOf<Thing>(connection, 'things')", 'things'],
    ['the books’ own way', "bookCollection<Thing>(connection, 'things', set)", 'things'],
  ])('are seen by %s', (_case, text, name) => {
    expect(namedIn(text)).toEqual({ names: [name], open: [] });
  });

  it('are seen by both ways of a choice', () => {
    expect(namedIn("connection.collection(isOld ? 'things' : far)").names).toEqual(['far_things', 'things']);
  });

  it.each([
    ['a parameter', 'function f(name: string) { return connection.collection(name); }'],
    ['what a function gives', 'connection.collection(nameOf(family))'],
    ['a constant that another file keeps to itself', 'connection.collection(hidden)'],
    ['a template of holes alone', ['connection.collection(`$', '{name}`)'].join('')],
  ])('are open by %s', (_case, text) => {
    expect(namedIn(text)).toEqual({ names: [], open: [expect.stringContaining('x.repository.ts:1')] });
  });

  it('are not every call of a like name', () => {
    expect(namedIn("const x = collect('things'); list.push('things')")).toEqual({ names: [], open: [] });
  });
});
