// The graph explorer in the browser: GraphiQL from our own files, examples in tabs, subscriptions over the same port.
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './page.css';
import { GraphiQL } from 'graphiql';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { examples } from './examples';
import { fetcher } from './fetcher';
import { linkToken, placeholder } from './link-token';

const headersPreset = JSON.stringify({ authorization: placeholder }, null, 2);
const welcome = linkToken
  ? '# The link that opened this page carried an access token: every tab runs as it stands.\n'
  : `# Open this page by the link that "npm run -s pay -- explorer" prints, or paste an access token (POST /token,
# scope graph:read or graph:admin) into Headers below and fetch the schema again with the button at the lower left.
`;

const container = document.getElementById('explorer');
if (!container) throw new Error('the page has no place for the explorer');
createRoot(container).render(
  createElement(
    GraphiQL,
    {
      fetcher,
      defaultHeaders: headersPreset,
      defaultEditorToolsVisibility: 'headers',
      defaultTabs: examples.map(({ query, variables }, index) => ({
        query: index === 0 ? welcome + query : query,
        variables,
        headers: headersPreset,
      })),
      inputValueDeprecation: true,
    },
    createElement(GraphiQL.Logo, null, 'Graph explorer'),
  ),
);
