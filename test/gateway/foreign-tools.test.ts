// Tools of others accept the printed schema: relay-compiler, graphql-codegen's client preset, and a composition that is not Apollo's.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeServices } from '@theguild/federation-composition';
import { buildSchema, parse } from 'graphql';
import ts from 'typescript';

const schemaFolder = join(__dirname, '../../schema');
const read = (name: string) => readFileSync(join(schemaFolder, `${name}.graphql`), 'utf8');
const query = 'query merchantQuery($id: ID!) { node(id: $id) { id ...merchant_payments @alias(as: "payments") } }';
const fragment = `fragment merchant_payments on Merchant
  @refetchable(queryName: "merchantPaymentsQuery")
  @argumentDefinitions(first: { type: "Int", defaultValue: 20 }, after: { type: "String" }) {
    name
    payments(first: $first, after: $after) @connection(key: "merchant_payments") { edges { node { id state } } }
  }`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'foreign-tools-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('relay-compiler compiles a page of a node that asks for more by itself', () => {
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'schema.graphql'), read('contracts/internal'));
  const source = `import { graphql } from 'relay-runtime';\ngraphql\`${query}\`;\ngraphql\`${fragment}\`;\n`;
  writeFileSync(join(folder, 'src/merchant.ts'), source);
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(
    join(folder, 'relay.config.json'),
    JSON.stringify({ src: './src', schema: './schema.graphql', language: 'typescript' }),
  );
  const compiler = require.resolve('relay-compiler/cli.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '--noWatchman'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect([status, status === 0 ? '' : `${stdout}\n${stderr}`]).toEqual([0, '']);
  expect(readdirSync(join(folder, 'src/__generated__')).sort()).toEqual([
    'merchantPaymentsQuery.graphql.ts',
    'merchantQuery.graphql.ts',
    'merchant_payments.graphql.ts',
  ]);
});

/** In a process of its own: parts of it are modules that the test runner cannot load on every line of Node. */
const generate = `
  import { readFileSync } from 'node:fs';
  import { codegen } from '@graphql-codegen/core';
  import { preset } from '@graphql-codegen/client-preset';
  import { buildSchema, parse } from 'graphql';
  const sdl = readFileSync('schema/contracts/internal.graphql', 'utf8');
  const rawSDL = 'query Merchants($first: Int) { merchants(first: $first) { edges { node { id name } } pageInfo { hasPreviousPage } } }';
  const empty = { config: {}, presetConfig: {}, plugins: [], pluginMap: {}, pluginContext: {} };
  const documents = [{ location: 'merchants.ts', document: parse(rawSDL), rawSDL }];
  const schema = { schema: parse(sdl), schemaAst: buildSchema(sdl) };
  const profiler = { run: async (run) => run(), collect: () => [] };
  const sections = await preset.buildGeneratesSection({ baseOutputDir: 'gql/', documents, profiler, ...schema, ...empty });
  const files = await Promise.all(sections.map(async (section) => [section.filename, await codegen(section)]));
  process.stdout.write(JSON.stringify(files));
`;

test('the client preset of graphql-codegen writes types that are TypeScript', () => {
  const options = {
    cwd: join(__dirname, '../..'),
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', generate], options);
  expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
  const files = JSON.parse(stdout) as [string, string][];
  expect(files.length).toBeGreaterThan(2);
  for (const [name, text] of files) {
    const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true, fileName: name });
    expect([name, diagnostics]).toEqual([name, []]);
  }
  expect(files.map(([, text]) => text).join('')).toContain('MerchantsQuery');
});

test('another composition composes the printed subgraphs to the same graph', () => {
  const names = readdirSync(schemaFolder)
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => name.slice(0, -8));
  const subgraphs = names.filter((name) => name !== 'supergraph');
  expect(subgraphs.length).toBeGreaterThan(7);
  const composed = composeServices(
    subgraphs.map((name) => ({ name, url: `http://${name}`, typeDefs: parse(read(name)) })),
  );
  expect(composed.errors?.map(({ message }) => message)).toBeUndefined();
  const typesOf = (sdl: string) =>
    Object.values(buildSchema(sdl, { assumeValid: true }).getTypeMap())
      .map(String)
      .filter((name) => !/^(__|join__|link__)/.test(name))
      .sort();
  expect(typesOf(composed.publicSdl ?? '')).toEqual(typesOf(read('contracts/internal')));
});
