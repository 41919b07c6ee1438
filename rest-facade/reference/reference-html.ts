// The words and markup of the reference pages: plain HTML from data, readable without a script except for the reference itself.
import type { GuidePage } from './guide-pages';

interface FamilyLink {
  family: string;
  title: string;
}

export interface TestCardRow {
  number: string;
  brand: string;
  payment: string;
  tokenization: string;
  description: string;
}

export interface Frame {
  /** The pages that every page links to, by what they are for. */
  groups: readonly { title: string; links: readonly { path: string; title: string }[] }[];
}

interface ReferencePage {
  title: string;
  /** Where it is. */
  path: string;
  head?: string;
  body: string;
}

/** What a person finds at the address that is configured for programs. */
export function startPage(frame: Frame, families: FamilyLink[], isSandbox: boolean): string {
  const apis = families.map(({ family, title }) => `<li><a href="/docs?api=${family}">${escapeHtml(title)}</a></li>`);
  const sandbox = isSandbox
    ? '<p>This is a sandbox: its <a href="/docs/sandbox">addresses, credentials and levers</a>, and the <a href="/docs/test-cards">test cards</a>. The credentials are in <code>sandbox-credentials.json</code> of its <code>DATA_DIR</code>.</p>'
    : '';
  return page(frame, {
    title: 'An open payments platform',
    path: '/',
    body: `<p>Programs call this address; what they can ask is told below.</p>
<ul>${apis.join('')}</ul>${sandbox}
<p>Whether it is well: <a href="/readyz">/readyz</a>. Something went wrong: <a href="/docs/errors">every error code</a>.</p>`,
  });
}

export function referencePage(frame: Frame, families: FamilyLink[]): string {
  const apis = families.map(
    ({ family, title }) =>
      `<li><a href="/docs?api=${family}">${escapeHtml(title)}</a> (<a href="/openapi/${family}.yaml">YAML</a>, <a href="/openapi/${family}.json">JSON</a>)</li>`,
  );
  return page(frame, {
    title: 'API reference',
    path: '/docs',
    head: '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">',
    body: `<ul>${apis.join('')}</ul>
<div id="reference"><p>The reference needs a script; the OpenAPI files above say the same.</p></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
  });
}

export function testCardsPage(frame: Frame, cards: TestCardRow[]): string {
  const lines = cards.map(
    (card) =>
      `<tr>${[card.number, card.brand, card.description, card.payment, card.tokenization].map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`,
  );
  const titles = ['Number', 'Scheme', 'What happens', 'Payment', 'Tokenization'];
  const head = titles.map((title) => `<th scope="col">${title}</th>`).join('');
  return page(frame, {
    title: 'Test cards',
    path: '/docs/test-cards',
    body: `<p>Any future expiry and any security code of the right length go with them. A valid VISA or Mastercard number that is not listed behaves like the first one.</p>
<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('\n')}</tbody></table></div>`,
  });
}

export function guidePage(frame: Frame, { name, title, html }: GuidePage): string {
  return page(frame, { title, path: `/docs/${name}`, body: html });
}

function page({ groups }: Frame, { title, path, head = '', body }: ReferencePage): string {
  const menu = groups.map(({ title: name, links }) => {
    const items = links.map((link) => {
      const current = link.path === path ? ' aria-current="page"' : '';
      return `<li><a href="${link.path}"${current}>${escapeHtml(link.title)}</a></li>`;
    });
    return `<h2>${escapeHtml(name)}</h2><ul>${items.join('\n')}</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">${head}<link rel="stylesheet" href="/docs/pages.css"></head>
<body><div class="frame"><nav aria-label="Documentation"><details open><summary>Documentation</summary>
<div hidden><label for="search" hidden>Search</label><input id="search" type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off"></div>
<ul class="found" id="found" aria-live="polite"></ul><div id="pages">${menu.join('\n')}</div></details></nav>
<main><h1>${escapeHtml(title)}</h1>
${body}</main></div><script src="/docs/search.js"></script></body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
