// Ids that exist, for the variables of the examples, and rights: asked as whoever is here, so each finds its own.
import { fetcher } from './fetcher';
import { type Asker, filled, type KnownIds } from './open-ids';

const nothing: KnownIds = { merchantId: '', operationId: '', virtualAccountId: '', callbackId: '' };
/** A merchant with something to see goes before the newest one. */
const lists = ['merchants', 'virtualAccounts', 'callbacks', 'operations'] as const;
/** An editor that waits for longer is worse than one with an id to fill in. */
const waitMsMax = 3_000;

const query = `query ExplorerIds {
  viewer { rights }
  operations(first: 1) { edges { node { operationId merchantId } } }
  virtualAccounts(first: 1) { edges { node { virtualAccountId } } }
  callbacks(first: 1) { edges { node { callbackId } } }
  merchants(first: 1) { edges { node { merchantId } } }
}`;

type IdsOfList = { edges: { node: Record<string, string> }[] } | null;

interface AskerAnswer {
  data?: ({ viewer: { rights: string[] } | null } & Record<(typeof lists)[number], IdsOfList>) | null;
}

/** Empty where there is nothing yet, or nothing that the caller may see. */
export async function readAsker(): Promise<Asker> {
  const asked = Promise.resolve(fetcher({ query, operationName: 'ExplorerIds' })).catch(() => ({}));
  const late = new Promise<AskerAnswer>((resolve) => setTimeout(() => resolve({}), waitMsMax));
  const { data } = (await Promise.race([asked, late])) as AskerAnswer;
  const nodes = lists.map((list) => data?.[list]?.edges[0]?.node ?? {});
  return { ids: Object.assign({}, nothing, ...nodes), rights: data?.viewer?.rights ?? [] };
}

/** What the browser kept of each person's tabs, apart from those of others, with open ids filled in. */
export function tabStorage(whose: string, known: KnownIds) {
  const prefix = `explorer:${whose}:`;
  const tabs = (): Tabs | null => {
    const text = localStorage.getItem(`${prefix}graphiql:tabState`);
    return text === null ? null : withIds(text, known);
  };
  return {
    hasTabs: tabs() !== null,
    get length() {
      return localStorage.length;
    },
    getItem(key: string): string | null {
      // What stands in the editor is what its tab says: GraphiQL keeps both, and opens one more tab when they differ.
      const kept = tabs();
      const active = kept?.tabs[kept.activeTabIndex];
      if (key === 'graphiql:query' && active) return active.query ?? null;
      if (key === 'graphiql:variables' && active) return active.variables ?? null;
      return key === 'graphiql:tabState' && kept ? JSON.stringify(kept) : localStorage.getItem(prefix + key);
    },
    setItem: (key: string, value: string) => localStorage.setItem(prefix + key, value),
    removeItem: (key: string) => localStorage.removeItem(prefix + key),
    clear() {
      for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
    },
  };
}

interface Tabs {
  activeTabIndex: number;
  tabs: { query?: string | null; variables?: string | null }[];
}

function withIds(text: string, known: KnownIds): Tabs {
  const kept: Tabs = JSON.parse(text);
  for (const tab of kept.tabs) if (tab.variables) tab.variables = filled(tab.variables, known);
  return kept;
}
