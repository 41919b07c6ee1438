// The graph explorer in the browser: GraphiQL from our own files, examples in tabs, subscriptions over the same port.
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './page.css';
import { GraphiQL } from 'graphiql';
import { createElement, Fragment } from 'react';
import { createRoot } from 'react-dom/client';
import { AccountBar, WaysIn } from './account-bar';
import { examples } from './examples';
import { fetcher } from './fetcher';
import { readAsker, tabStorage } from './known-ids';
import { linkToken } from './link-token';
import { type Asker, readyExamples } from './open-ids';
import { readWays } from './ways';

/** `whose`: nobody finds what another has written. */
function explorer(whose: string, asker: Asker) {
  const tabs = readyExamples(examples, asker);
  const storage = tabStorage(whose, asker.ids);
  const first = storage.hasTabs ? {} : { initialQuery: tabs[0]?.query, initialVariables: tabs[0]?.variables };
  return createElement(
    GraphiQL,
    {
      fetcher,
      ...first,
      defaultEditorToolsVisibility: 'variables',
      storage,
      defaultTabs: tabs,
      inputValueDeprecation: true,
    },
    createElement(GraphiQL.Logo, null, createElement(Fragment)),
  );
}

async function open(container: HTMLElement): Promise<void> {
  const ways = await readWays();
  const whose = linkToken ? 'token' : ways.person?.id;
  const main = whose ? explorer(whose, await readAsker()) : createElement(WaysIn, ways);
  createRoot(container).render(createElement(Fragment, null, createElement(AccountBar, ways), main));
}

const container = document.getElementById('explorer');
if (!container) throw new Error('the page has no place for the explorer');
void open(container);
