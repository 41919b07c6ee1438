// The page at `/` of the graph's port: what is served here, how to ask, and how much one operation may ask for.
import { rateRules } from '../../subgraphs/shared/callers/rate-limit';
import { limits } from '../plan/limits';

const editor = ['<a href="/graphql">/graphql</a>', 'in a browser: the editor, with the schema and examples to run'];

const places = [
  [
    '<code>POST /graphql</code>',
    'queries and mutations as JSON: <code>query</code>, <code>variables</code>, <code>operationName</code>',
  ],
  ['<code>/graphql</code> over WebSocket', 'the same and subscriptions; subprotocol <code>graphql-transport-ws</code>'],
  ['<code>GET /graphql/schema.graphql</code>', 'the schema in SDL'],
  [
    '<a href="/healthz">/healthz</a>, <a href="/readyz">/readyz</a>',
    'whether this process lives, and whether it serves',
  ],
];

const bounds = [
  ['Depth', `${limits.depthMax} levels`],
  ['Aliases', limits.aliasesMax],
  [
    'Document',
    `${limits.documentBytesMax / 1_024} kB, ${limits.tokensMax} tokens, names of ${limits.nameCharsMax} characters`,
  ],
  ['Fields with a selection of their own, in one operation', limits.objectFieldsMax],
  ['Selections, those of a fragment counted at each spread', limits.selectionsMax],
  ['Directives', limits.directivesMax],
  ['Operations in a document', limits.operationsMax],
  ['Variables', `${limits.variableValuesMax} values, ${limits.variableDepthMax} levels deep`],
  ['Objects that the page sizes multiply to', limits.objectsMax],
  ['Objects that one call of the rate pays for', limits.objectsPerCall],
  ['Size of a request', `${limits.bodyBytesMax / 1_024} KiB`],
  [
    'Operations of a client',
    `${rateRules.graph.perSecond} a second, ${rateRules.graph.burst} at once; the sandbox allows more`,
  ],
];

/** Plain HTML without a script; its style stands in it, so that the page needs nothing else. */
export const landingPage = (hasEditor: boolean): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>The graph</title>
<style>
:root { color-scheme: light; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1.5rem 4rem; font: 1rem/1.5 system-ui, sans-serif; color: #1c2330; background: #fff; }
a { color: #0b57b0; }
table { display: block; overflow-x: auto; border-collapse: collapse; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem; border-bottom: 1px solid #d5dae3; }
th { font-weight: 600; }
pre { padding: .75rem 1rem; overflow-x: auto; background: #f3f5f9; }
code { font-size: .92em; }
</style></head>
<body><main><h1>The graph</h1>
<p>Payments, tokens, merchants, applications, payouts and callbacks of this platform as one graph, and live events of what happens in it.</p>
${table('Where', hasEditor ? [editor, ...places] : places)}
<h2>Who may ask</h2>
<p>Clients with a graph scope. They send the access token that the authorization server gave them:</p>
<pre><code>Authorization: Bearer ACCESS_TOKEN</code></pre>
<p>Over WebSocket it goes into the payload of <code>connection_init</code> as <code>authorization</code>. <code>graph:read</code> allows queries and subscriptions, <code>graph:admin</code> mutations too.</p>
<h2>Ask something</h2>
<pre><code>curl -s https://THIS-HOST/graphql -H 'Authorization: Bearer ACCESS_TOKEN' -H 'Content-Type: application/json' \\
  -d '{"query":"{ merchants(first: 5) { edges { node { merchantId name status } } } }"}'</code></pre>
<h2>How much</h2>
${table('Bound', bounds)}
</main></body></html>
`;

function table(caption: string, rows: readonly (readonly (string | number)[])[]): string {
  const lines = rows.map(([name, text]) => `<tr><th scope="row">${name}</th><td>${text}</td></tr>`);
  return `<table aria-label="${caption}"><tbody>${lines.join('\n')}</tbody></table>`;
}
