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
  /** The pages that every page links to. */
  links: readonly { path: string; title: string }[];
}

export function referencePage(frame: Frame, families: FamilyLink[]): string {
  const apis = families.map(
    ({ family, title }) =>
      `<li><a href="/docs?api=${family}">${escapeHtml(title)}</a> (<a href="/openapi/${family}.yaml">YAML</a>, <a href="/openapi/${family}.json">JSON</a>)</li>`,
  );
  return page(frame, {
    title: 'API reference',
    head: '<link rel="stylesheet" href="/docs/assets/swagger-ui.css">',
    body: `<ul>${apis.join('')}</ul>
<div id="reference"><p>The reference needs a script; the OpenAPI files above say the same.</p></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>`,
  });
}

/** Shows the API that the address asks for (?api=), the first one otherwise. */
export function startScript(families: FamilyLink[]): string {
  return `const known = ${JSON.stringify(families.map(({ family }) => family))};
const asked = new URLSearchParams(location.search).get('api');
SwaggerUIBundle({
  url: '/openapi/' + (known.includes(asked) ? asked : known[0]) + '.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
});
`;
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
    body: `<p>Any future expiry and any security code of the right length go with them. A valid VISA or Mastercard number that is not listed behaves like the first one.</p>
<table><thead><tr>${head}</tr></thead><tbody>${lines.join('\n')}</tbody></table>`,
  });
}

export function guidePage(frame: Frame, { title, html }: GuidePage): string {
  return page(frame, { title, body: html });
}

export const styleSheet = `:root { color-scheme: light; }
body { margin: 0 auto; max-width: 78rem; padding: 1rem 1.5rem 4rem; font: 1rem/1.5 system-ui, sans-serif; color: #1c2330; background: #fff; }
nav a { margin-right: 1.25rem; }
a { color: #0b57b0; }
table { border-collapse: collapse; margin: 1rem 0; }
main > table { display: block; overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem; border-bottom: 1px solid #d5dae3; }
:target { background: #fff3c4; }
pre:not(.swagger-ui pre) { padding: .75rem 1rem; overflow-x: auto; background: #f3f5f9; }
code { font-size: .92em; }
`;

function page({ links }: Frame, { title, head = '', body }: { title: string; head?: string; body: string }): string {
  const menu = links.map(({ path, title: name }) => `<a href="${path}">${escapeHtml(name)}</a>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/assets/favicon-32x32.png">${head}<link rel="stylesheet" href="/docs/pages.css"></head>
<body><nav aria-label="Reference">${menu}</nav>
<main><h1>${escapeHtml(title)}</h1>
${body}</main></body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
