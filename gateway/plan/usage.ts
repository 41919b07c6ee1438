// Who uses what of the graph, for whoever wants to change it: operations by client, fields, and deprecated fields by client. The number of series is bounded, whatever callers send.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { staffRoles } from '../../subgraphs/shared/callers/rights';
import type { Metrics } from '../../subgraphs/shared/log/metrics';
import type { UsedFields } from './used-fields';

/** Clients with series of their own; the others count together. */
const clientsMax = 100;
/** Pairs of client and operation with a series of their own; beyond, a client's further operations count together. */
const pairsMax = 1_000;
/** Documents whose fields wait to be counted; usually they wait until somebody reads the metrics. */
const waitingMax = 500;
const other = 'other';

export type UsageCaller = Pick<Caller, 'kind' | 'credentialId' | 'accountId' | 'scopes'>;

export interface Usage {
  /** `operation`: its name among those that have one (operation-record.ts). */
  note(caller: UsageCaller, operation: string, used: UsedFields): void;
}

type UsageMetrics = Pick<Metrics, 'graphClients' | 'graphFields' | 'graphDeprecatedFields'>;

export function createUsage({ graphClients, graphFields, graphDeprecatedFields }: UsageMetrics): Usage {
  const clients = new Map<string, Map<string, { inc(): void }>>();
  const waiting = new Map<UsedFields, Map<string, number>>();
  let pairs = 0;

  function labelOf(caller: UsageCaller): string {
    const label = nameOf(caller);
    if (clients.has(label)) return label;
    if (clients.size >= clientsMax && label !== other)
      return labelOf({ ...caller, kind: 'client', credentialId: other });
    clients.set(label, new Map());
    return label;
  }

  function count(client: string, operation: string): void {
    const known = clients.get(client);
    let series = known?.get(operation);
    if (!series) {
      const name = pairs < pairsMax ? operation : other;
      pairs += 1;
      series = graphClients.labels({ client, operation: name });
      // What counts together needs no place of its own.
      if (name === operation) known?.set(operation, series);
    }
    series.inc();
  }

  function flush(): void {
    for (const [{ all, deprecated }, byClient] of waiting) {
      const total = [...byClient.values()].reduce((sum, times) => sum + times, 0);
      for (const field of all) graphFields.inc({ field }, total);
      for (const field of deprecated)
        for (const [client, times] of byClient) graphDeprecatedFields.inc({ field, client }, times);
    }
    waiting.clear();
  }

  for (const counter of [graphFields, graphDeprecatedFields]) Object.assign(counter, { collect: flush });
  return {
    note(caller, operation, used) {
      const client = labelOf(caller);
      count(client, operation);
      let byClient = waiting.get(used);
      if (!byClient) {
        if (waiting.size >= waitingMax) flush();
        byClient = new Map();
        waiting.set(used, byClient);
      }
      byClient.set(client, (byClient.get(client) ?? 0) + 1);
    },
  };
}

/** A client by its id, a person by what it is here: people are not told apart. */
function nameOf({ kind, credentialId, accountId, scopes }: UsageCaller): string {
  if (kind === 'client') return credentialId;
  if (kind !== 'person') return kind;
  if (accountId !== null) return 'person:tenant';
  const role = staffRoles.findLast((each) => scopes.includes(`graph:${each}`));
  return `person:${role ?? other}`;
}
