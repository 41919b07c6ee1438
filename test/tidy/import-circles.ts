// Circles among our own files: each file must be readable after the ones that it imports, types included.
import { importsOf } from './import-rules';
import type { SourceFile } from './source-files';

/** One circle for each import that leads back to a file on its own way, as `a → b → a`; nothing when the files have an order. */
export function importCircles(files: readonly SourceFile[]): string[] {
  const imported = ownImports(files);
  const circles: string[] = [];
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (path: string): void => {
    if (done.has(path)) return;
    const start = way.indexOf(path);
    if (start !== -1) {
      circles.push([...way.slice(start), path].join(' → '));
      return;
    }
    way.push(path);
    for (const next of imported.get(path) ?? []) visit(next);
    way.pop();
    done.add(path);
  };
  for (const { path } of files) visit(path);
  return circles;
}

/** The files of ours that each file imports. */
function ownImports(files: readonly SourceFile[]): Map<string, string[]> {
  const paths = new Set(files.map(({ path }) => path));
  const fileOf = (target: string) =>
    [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((path) => paths.has(path));
  return new Map(
    files.map((file) => [file.path, importsOf(file).flatMap(({ target, isOwn }) => (isOwn && fileOf(target)) || [])]),
  );
}
