// A copy of this tree to follow recipes on, and the gates that a change passes: types, printed contract, tests.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(__dirname, '../..');
const leftBehind = new Set(['node_modules', 'dist', '.git', '.data', 'docs/screenshots']);

export interface Tree {
  /** A file as it stands in this repository. */
  original(path: string): string;
  /** Puts these texts in place; files of the call before stand again as they were. */
  write(texts: ReadonlyMap<string, string>): void;
  /** What the compiler says of these files. */
  typeFaults(paths: readonly string[]): string[];
  /** Prints the contract anew; what it says when it cannot. */
  printContract(): string;
  /** Runs tests; what they say when they fail. */
  test(paths: readonly string[]): string;
  remove(): void;
}

export function copyTree(): Tree {
  const folder = mkdtempSync(join(tmpdir(), 'recipes-'));
  cpSync(root, folder, { recursive: true, filter: (path) => !leftBehind.has(relative(root, path)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const original = (path: string) => readFileSync(join(root, path), 'utf8');
  const written = new Set<string>();

  function run(args: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}\n${stderr}`.trim() || `ended with ${status}`;
  }

  return {
    original,
    write(texts) {
      for (const path of [...written].filter((one) => !texts.has(one))) {
        if (existsSync(join(root, path))) writeFileSync(join(folder, path), original(path));
        else rmSync(join(folder, path), { force: true });
        written.delete(path);
      }
      for (const [path, text] of texts) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
        written.add(path);
      }
    },
    typeFaults: createTypeCheck(folder),
    printContract: () => run(['--require', './bench/support/typescript.cjs', 'tools/commands/schema.ts']),
    test(paths) {
      const absent = paths.find(
        (path) => !existsSync(join(folder, path)) && !existsSync(join(folder, `${path}.test.ts`)),
      );
      return absent ? `there is no ${absent}` : run(['node_modules/jest/bin/jest.js', '--runInBand', ...paths]);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Each text is parsed once, however many variants of the tree are checked: what a step leaves alone is most of the program. */
function createTypeCheck(folder: string): Tree['typeFaults'] {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files: [], include: undefined }, ts.sys, folder);
  const host = ts.createCompilerHost(options, true);
  const parsed = new Map<string, ts.SourceFile>();
  host.getSourceFile = (path, languageVersion) => {
    const text = ts.sys.readFile(path);
    if (text === undefined) return undefined;
    const known = parsed.get(path);
    if (known?.text === text) return known;
    const file = ts.createSourceFile(path, text, languageVersion, true);
    parsed.set(path, file);
    return file;
  };
  return (paths) => {
    const scripts = paths.filter((path) => path.endsWith('.ts')).map((path) => join(folder, path));
    const program = ts.createProgram(scripts, options, host);
    return scripts
      .map((path) => program.getSourceFile(path))
      .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
      .map(({ file, messageText }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  };
}
