// `npm run diagrams`: draws the Mermaid diagrams of docs/*.md as docs/diagrams/<page>-<n>.svg, which /docs shows; `--check` names those that are not of the present text.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderMermaidSVG } from 'beautiful-mermaid';

const folder = import.meta.dirname;
const docs = resolve(folder, '..');
/** Of the page that the diagram stands in (rest-facade/reference/reference-style.ts). */
const colors = { bg: 'var(--page)', fg: 'var(--ink)', transparent: true };

const drawn = new Map();
for (const file of readdirSync(docs).filter((name) => name.endsWith('.md'))) {
  const blocks = readFileSync(join(docs, file), 'utf8').matchAll(/```mermaid\n([\s\S]*?)```/g);
  for (const [index, [, source]] of [...blocks].entries())
    drawn.set(`${file.replace(/\.md$/, '')}-${index + 1}.svg`, draw(source));
}
const kept = readdirSync(folder).filter((name) => name.endsWith('.svg'));
const isChecking = process.argv.includes('--check');
const stale = [
  ...[...drawn].filter(([name, svg]) => !existsSync(join(folder, name)) || read(name) !== svg).map(([name]) => name),
  ...kept.filter((name) => !drawn.has(name)),
];
if (!isChecking) {
  for (const [name, svg] of drawn) writeFileSync(join(folder, name), svg);
  for (const name of kept.filter((each) => !drawn.has(each))) rmSync(join(folder, name));
}
if (isChecking && stale.length > 0) {
  console.error(`Not drawn from the present text: ${stale.join(', ')}. Run npm run diagrams.`);
  process.exitCode = 1;
}

/** Without the font that the library would fetch from elsewhere. */
function draw(source) {
  const svg = renderMermaidSVG(source, colors)
    .replace(/^ *@import[^\n]*\n/m, '')
    .replace("'Inter', ", '');
  return `${svg.trim()}\n`;
}

function read(name) {
  return readFileSync(join(folder, name), 'utf8');
}
