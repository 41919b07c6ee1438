// House rules that a program can check: imports, size, first sentences, escapes from the type system, documents that agree with code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { domainNames } from '../app/domain-names';
import { errorTables } from '../rest-facade/errors/error-tables';
import { type DomainErrorCode, domainErrors } from '../subgraphs/shared/errors';
import { conformanceFaults, unprovenNames } from './tidy/conformance';
import {
  brokenReferences,
  documents,
  fileNameOf,
  forbiddenIn,
  handedNames,
  isOfProcesses,
  isProduct,
  literalsOf,
  namesOf,
  persistedOperations,
  productCollections,
  textFiles,
  thrownCodes,
} from './tidy/contract';
import { documentTables, tableIn, writeTable } from './tidy/document-tables';
import { importCircles } from './tidy/import-circles';
import { importFault, importsOf } from './tidy/import-rules';
import {
  conditionalSpreads,
  declaredTypes,
  environmentReads,
  exportedNames,
  fileLinesMax,
  freezingKeys,
  longFunctions,
  openingFault,
  ownHttpCalls,
  placesOfNames,
  recursiveFolders,
  sleeps,
  unbuiltPaths,
  unexplainedEscapes,
  writtenSpreads,
} from './tidy/measures';
import { roomFaults, unorderedRooms } from './tidy/room-order';
import { at, filesBelow, root, type SourceFile, sourceFiles } from './tidy/source-files';

const all = (find: (file: SourceFile) => string[]) => sourceFiles.flatMap(find);

describe('rooms', () => {
  it('imports only what the table of rooms allows', () => {
    const faults = all((file) =>
      importsOf(file).flatMap((imported) => {
        const fault = importFault(file, imported);
        return fault ? [at(file, imported.line, fault)] : [];
      }),
    );
    expect(faults).toEqual([]);
  });

  it('lets no domain import another', () => {
    const domainOf = (path: string) => /^subgraphs\/(?!shared\/)([^/]+)/.exec(path)?.[1];
    const faults = all((file) => {
      const own = domainOf(file.path);
      const others = importsOf(file).filter(({ target }) => own !== undefined && (domainOf(target) ?? own) !== own);
      return others.map(({ target, line }) => at(file, line, `imports ${target}`));
    });
    expect(faults).toEqual([]);
  });

  it('imports within a domain from rooms below only', () => {
    expect([...unorderedRooms(sourceFiles), ...all((file) => roomFaults(file))]).toEqual([]);
  });

  it('lists every domain', () => {
    const folders = readdirSync(join(root, 'subgraphs')).filter((name) => name !== 'shared');
    expect([...domainNames].sort()).toEqual(folders.sort());
  });

  it('imports in no circle, types included', () => {
    expect(importCircles(sourceFiles)).toEqual([]);
  });

  it('reads the environment in one file, and where processes are started', () => {
    const mayRead = /^(subgraphs\/shared\/config\.ts$|app\/|tools\/|test\/|bench\/)/;
    expect(all((file) => (mayRead.test(file.path) ? [] : environmentReads(file)))).toEqual([]);
  });

  it('speaks HTTP to addresses of others in one file only', () => {
    const mayCall =
      /^(workers\/egress\.ts$|cli\/|clients\/events\/|pages\/browser\/|dashboard\/|sandbox\/shop\/rest-calls\.ts$|gateway\/graphiql\/|app\/|tools\/|test\/|bench\/)/;
    expect(all((file) => (mayCall.test(file.path) ? [] : ownHttpCalls(file)))).toEqual([]);
    const mayImport = /^(workers\/(egress|ssrf-guard)\.ts$|gateway\/subgraphs\/remote-subgraph\.ts$|test\/|bench\/)/;
    const faults = all((file) => {
      const clients = importsOf(file).filter(({ target, isTypeOnly }) => target === 'undici' && !isTypeOnly);
      return mayImport.test(file.path) ? [] : clients.map(({ line }) => at(file, line, 'imports undici'));
    });
    expect(faults).toEqual([]);
  });
});

describe('files', () => {
  it('open with a sentence that says what they are for', () => {
    const faults = all((file) => {
      const fault = openingFault(file);
      return fault ? [at(file, 1, fault)] : [];
    });
    expect(faults).toEqual([]);
  });

  it.each([
    ['export names', exportedNames, isProduct],
    ['call types by names', declaredTypes, isOfProcesses],
  ])('%s that a search finds: each is declared in one file of the product', (_what, namesIn, isSearched) => {
    const places = placesOfNames(sourceFiles.filter(isSearched), namesIn);
    expect(places.size).toBeGreaterThan(1_000);
    expect([...places].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it(`have at most ${fileLinesMax} lines`, () => {
    const long = sourceFiles.filter(({ lines }) => lines.length > fileLinesMax);
    expect(long.map((file) => `${file.path}: ${file.lines.length} lines`)).toEqual([]);
  });

  it('have functions that fit a screen', () => {
    expect(all(longFunctions)).toEqual([]);
  });

  it('write members where they belong instead of spreading them', () => {
    expect(all(writtenSpreads)).toEqual([]);
    expect(all(conditionalSpreads)).toEqual([]);
  });

  it('are named after what they are', () => {
    const vague = /(^|[/.-])(utils?|helpers?|common|misc)(\.|\/|-|$)/;
    expect(sourceFiles.map(({ path }) => path).filter((path) => vague.test(path) || /[A-Z]/.test(path))).toEqual([]);
  });

  it('explain each any, each non-null assertion and each silenced check', () => {
    expect(all(unexplainedEscapes)).toEqual([]);
  });

  it('wait for things in tests instead of sleeping', () => {
    expect(all((file) => (file.path.startsWith('test/') ? sleeps(file) : []))).toEqual([]);
  });

  it('start in tests only what was built of these sources', () => {
    // The one file that builds, and the one that takes from the build what is the same in the sources.
    const builders = new Set(['test/support/built.ts', 'test/support/contract.ts']);
    const isJudged = ({ path }: SourceFile) => /^test\/.*\.ts$/.test(path) && !builders.has(path);
    expect(all((file) => (isJudged(file) ? unbuiltPaths(file) : []))).toEqual([]);
  });

  it('make folders and keys in no way that may never come back', () => {
    // The scripts that build the product make folders of its own checkout only, before any TypeScript is there.
    const mayHang = (file: SourceFile) => (isProduct(file) && file.path.endsWith('.ts') ? recursiveFolders(file) : []);
    expect(all((file) => [...freezingKeys(file), ...mayHang(file)])).toEqual([]);
  });

  it('print to the console only where a person started the program or develops a page', () => {
    const faults = sourceFiles
      .filter(
        (file) =>
          isProduct(file) && !/^(app|tools|pages\/browser)\//.test(file.path) && /\bconsole\.\w+\(/.test(file.text),
      )
      .map(({ path }) => path);
    expect(faults).toEqual([]);
  });

  it('name no path of one machine, no registry, no planning page and no unfinished work', () => {
    expect(textFiles().flatMap(forbiddenIn)).toEqual([]);
  });
});

describe('errors', () => {
  const codes = Object.keys(domainErrors) as DomainErrorCode[];

  it('are thrown somewhere, each code of the closed list', () => {
    const thrown = thrownCodes();
    // Decided by the edge, never thrown: a defect, and what no other code names.
    const fromTheEdge = ['internal', 'generic'];
    expect(codes.filter((code) => !thrown.has(code) && !fromTheEdge.includes(code))).toEqual([]);
  });

  it('are made to happen by a test, each code of the closed list', () => {
    const named = literalsOf(/^test\/(?!tidy)/);
    expect(codes.filter((code) => !namesOf(code).some((name) => named.has(name)))).toEqual([]);
  });

  it('are explained, each code on the wire with cause, cure and an input that makes it', () => {
    const sections = readFileSync(join(root, 'docs/errors.md'), 'utf8').split(/^(?=##)/m);
    const wireCodes = new Set(
      Object.values(errorTables).flatMap((table) => Object.values(table).flatMap((row) => row.code ?? [])),
    );
    const isExplained = (code: string) =>
      sections.some(
        (section) =>
          new RegExp(`^##+ ${code}\\n`).test(section) &&
          ['**Cause**', '**Cure**', '**Example**'].every((word) => section.includes(word)),
      );
    expect([...wireCodes].filter((code) => !isExplained(code))).toEqual([]);
  });
});

describe('persisted operations', () => {
  it('are one per file, and the file has the name of the operation', () => {
    expect(persistedOperations.length).toBeGreaterThan(0);
    const faults = persistedOperations.filter((operation) => operation.names.join() !== fileNameOf(operation));
    expect(faults.map(({ path }) => path)).toEqual([]);
  });

  it('share selections by fragments, each of which is spread somewhere', () => {
    const texts = [...filesBelow('schema/operations', /\.graphql$/), ...filesBelow('schema/fragments', /\.graphql$/)];
    const all = texts.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
    const fragments = filesBelow('schema/fragments', /\.graphql$/).map((path) => basename(path, '.graphql'));
    expect(fragments.length).toBeGreaterThan(0);
    expect(fragments.filter((name) => !new RegExp(`\\.\\.\\.${name}\\b`).test(all))).toEqual([]);
  });

  it('are used by a route or another part of the product, each of them', () => {
    const used = literalsOf(/^(app|cli|gateway|pages|rest-facade|sandbox|workers|subgraphs\/access\/jobs)\//);
    expect(persistedOperations.map(fileNameOf).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('documents', () => {
  it.each(documentTables.map((table) => [table.name, table] as const))(
    'print the table of %s as the code has it',
    (_name, table) => {
      if (process.env['WRITE_TABLES']) writeTable(table);
      expect(tableIn(table)).toBe(table.print());
    },
  );

  it('link to and name only what exists', () => {
    expect(documents.flatMap(brokenReferences)).toEqual([]);
  });

  it('name, for each statement of the payment and administration interfaces, a test that exists', () => {
    expect(conformanceFaults()).toEqual([]);
  });

  it('have a statement for each path, state, operation, result, code, problem and field of a report', () => {
    expect(unprovenNames()).toEqual([]);
  });

  it('list every collection', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
    const { names } = productCollections();
    expect(names).toContain('virtual_accounts');
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('name collections in words, but for those who are handed the name', () => {
    expect([...new Set(productCollections().open.map((place) => place.split(':')[0]))].sort()).toEqual(handedNames);
  });

  it('keep the README short', () => {
    expect(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThan(250);
  });

  it('name only commands that exist', () => {
    const known = new Set([...Object.keys(scripts), 'ci', 'install', 'config']);
    const faults = documents.flatMap((document) => {
      const text = readFileSync(join(root, document), 'utf8');
      const named = [...text.matchAll(/\bnpm (?:run )?(?:-s |--silent )?([a-z][\w:-]*)/g)].map(
        (match) => match[1] ?? '',
      );
      return named.filter((name) => !known.has(name)).map((name) => `${document}: npm run ${name}`);
    });
    expect(faults).toEqual([]);
  });

  it('belong to commands that are there', () => {
    const missing = Object.entries(scripts).filter(
      ([, line]) => !commandFiles(line).every((path) => existsSync(join(root, path))),
    );
    expect(missing).toEqual([]);
  });

  it('let a signal to npm reach what runs', () => {
    // The shell that npm puts in between keeps a SIGTERM for itself, and the program would go on without its npm.
    expect(['start', 'start:split', 'check', 'test'].filter((name) => !scripts[name]?.startsWith('exec '))).toEqual([]);
  });
});

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** The files that a script of package.json runs: what it starts, and the source of a built command. */
function commandFiles(line: string): string[] {
  const started = [...line.matchAll(/\bnode (\S+\.mjs)/g)].map((match) => match[1] ?? '');
  const built = /\btools\/command\.mjs ([\w-]+)/.exec(line)?.[1];
  return built ? [...started, built === 'cli' ? 'cli/main.ts' : `tools/commands/${built}.ts`] : started;
}
