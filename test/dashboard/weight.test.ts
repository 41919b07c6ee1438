// What the browser fetches before a screen is there: the scripts of the program and of that screen with all that they import, compressed, as they are built.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { built } from '../support/built';

const bytesMax = 180_000;

test('no screen needs more than 180 kB of scripts', () => {
  const folder = built('dashboard');
  const assets = join(folder, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const text = new Map(scripts.map((name) => [name, readFileSync(join(assets, name), 'utf8')]));
  const reach = (names: readonly string[]) => {
    const reached = new Set(names);
    for (const name of reached)
      for (const [, next] of (text.get(name) ?? '').matchAll(/(?:import|from)\s*"\.\/([\w.-]+\.js)"/g))
        if (next) reached.add(next);
    return reached;
  };
  const first = [...readFileSync(join(folder, 'index.html'), 'utf8').matchAll(/assets\/([\w.-]+\.js)"/g)].map(
    ([, name]) => String(name),
  );
  const weigh = (name: string) =>
    [...reach([...first, name])].reduce((sum, each) => sum + gzipSync(text.get(each) ?? '').length, 0);
  const screens = scripts.filter((name) => /-(screen|drawer)-/.test(name));
  expect(screens.length).toBeGreaterThan(25);
  expect(screens.map((name) => [name, weigh(name)] as const).filter(([, bytes]) => bytes > bytesMax)).toEqual([]);
  // Of a program that does nothing at all, to know that anything was weighed.
  expect(Math.min(...screens.map(weigh))).toBeGreaterThan(100_000);
});
