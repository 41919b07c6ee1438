// How the reference pages look: a list of pages beside a column of readable lines, light or dark as the reader's system says; on a phone the list folds.

export const styleSheet = `:root {
  color-scheme: light dark;
  --page: light-dark(#fff, #12151c);
  --raised: light-dark(#f5f7fa, #1a1f29);
  --line: light-dark(#dfe4ec, #2c3341);
  --ink: light-dark(#1c2330, #e4e8ef);
  --soft: light-dark(#5a6478, #9aa5b8);
  --link: light-dark(#0b57b0, #7db4ff);
  --mark: light-dark(#fff3c4, #4a3f14);
}
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.6 system-ui, sans-serif; color: var(--ink); background: var(--page); }
a { color: var(--link); text-underline-offset: .15em; }
.frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 88rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 1.5rem 1rem 3rem 1.5rem; font-size: .92rem; border-right: 1px solid var(--line); }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .25rem .5rem; border-radius: .375rem; color: inherit; text-decoration: none; }
nav a:hover { background: var(--raised); }
nav a[aria-current] { background: var(--raised); font-weight: 600; }
nav summary { display: none; font-weight: 600; cursor: pointer; }
nav input { width: 100%; padding: .45rem .6rem; font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: .375rem; }
nav .found small { display: block; color: var(--soft); overflow-wrap: anywhere; }
main { min-width: 0; padding: 1.5rem 2.5rem 5rem; }
main > :is(p, ul, ol, h1, h2, h3, h4, blockquote) { max-width: 46rem; }
h1 { margin: 0 0 1rem; font-size: 1.9rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.35rem; line-height: 1.3; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1.1rem; }
.table { margin: 1rem 0; overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem; }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { min-width: 8rem; padding: .5rem .75rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
tr:last-child > td { border-bottom: 0; }
th { background: var(--raised); }
td { overflow-wrap: break-word; }
:target { background: var(--mark); scroll-margin-top: 1rem; }
code { font: .9em/1.4 ui-monospace, monospace; }
:not(pre) > code { padding: .1em .3em; background: var(--raised); border-radius: .25rem; overflow-wrap: anywhere; }
pre:not(.swagger-ui pre) { padding: .85rem 1rem; overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; }
.diagram { margin: 1.5rem 0; }
.diagram > div { overflow-x: auto; }
.diagram svg { --line: var(--soft); --muted: var(--ink); --border: var(--soft); }
.diagram svg text { paint-order: stroke; stroke: var(--page); stroke-width: 4px; stroke-linejoin: round; }
.diagram svg, main img { display: block; max-width: 100%; height: auto; }
main img { border: 1px solid var(--line); border-radius: .5rem; }
.diagram summary { color: var(--soft); font-size: .9rem; cursor: pointer; }
html.dark-mode #reference .swagger-ui { background: none; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media (max-width: 52rem) {
  .frame { display: block; }
  nav { position: static; max-height: none; padding: 1rem 1.25rem; border: 0; border-bottom: 1px solid var(--line); }
  nav summary { display: list-item; }
  main { padding: 1.25rem 1.25rem 4rem; }
  .diagram svg { max-width: none; }
  #reference .swagger-ui .wrapper { padding: 0; }
  #reference .swagger-ui .opblock .opblock-summary-path { max-width: none; }
  #reference .swagger-ui :is(.opblock-section, .responses-inner) { padding: 0 .75rem; }
  #reference .swagger-ui .opblock-body { overflow-x: auto; }
  #reference .swagger-ui table :is(tbody, tr, td) { display: block; width: auto; min-width: 0; padding-left: 0; }
  #reference .swagger-ui table thead { display: none; }
  #reference .swagger-ui table :is(input, select, textarea) { width: 100%; max-width: none; min-width: 0; }
  #reference .swagger-ui :is(.responses-table, .parameters) .renderedMarkdown { overflow-wrap: anywhere; }
}
@media print { nav { display: none; } .frame { display: block; } }
`;

/** The search: every word must be in a section; those with the words in their heading come first. */
export const searchScript = `const field = document.getElementById('search');
const found = document.getElementById('found');
const pages = document.getElementById('pages');
const shownMax = 30;
let sections;
field.closest('[hidden]').hidden = false;
field.addEventListener('input', async () => {
  sections ??= fetch('/docs/search.json').then((answer) => answer.json());
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const all = words.length > 0 ? await sections : [];
  const has = (text, each) => text.toLowerCase().includes(each);
  const hits = all
    .filter(({ title, heading, text }) => words.every((each) => has(title + ' ' + heading + ' ' + text, each)))
    .map((section) => ({ ...section, rank: words.filter((each) => has(section.title + ' ' + section.heading, each)).length }))
    .sort((a, b) => b.rank - a.rank);
  found.replaceChildren(...hits.slice(0, shownMax).map((hit) => entry(hit, words[0])));
  if (words.length > 0 && hits.length === 0) found.append('Nothing has all these words.');
  pages.hidden = words.length > 0;
});
function entry({ path, title, heading, text }, word) {
  const link = document.createElement('a');
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 30);
  const place = document.createElement('small');
  place.textContent = text.slice(at, at + 110);
  link.href = path;
  link.append(heading ? title + ' › ' + heading : title, place);
  const item = document.createElement('li');
  item.append(link);
  return item;
}
const menu = document.querySelector('nav details');
const isWide = matchMedia('(min-width: 52.01rem)');
const fold = () => { menu.open = isWide.matches; };
isWide.addEventListener('change', fold);
fold();
`;
