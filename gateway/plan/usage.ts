// Who uses what of the graph, for whoever wants to change it: operations by client, fields, and deprecated fields by client. The number of series is bounded, whatever callers send.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { staffRoles } from '../../subgraphs/shared/callers/rights';
import type { Metrics } from '../../subgraphs/shared/log/metrics';
import type { UsedFields } from './used-fields';

/** Clients with series of their own; the others count together. */
const clientsMax = 100;
/** Pairs of client and operation with a series of their own; beyond, a client's further operations count together. */
const pairsMax = 1_000;
/** Tallies that wait to be counted; usually they wait until somebody reads the metrics. */
const waitingMax = 2_000;
const other = 'other';

export type UsageCaller = Pick<Caller, 'kind' | 'credentialId' | 'accountId' | 'scopes'>;

export interface Usage {
  /** `operation`: its name among those that have one (operation-record.ts). */
  note(caller: UsageCaller, operation: string, used: UsedFields): void;
}

type UsageMetrics = Pick<Metrics, 'graphClients' | 'graphFields' | 'graphDeprecatedFields'>;

/** How often one caller asked for one document. */
interface UsageTally {
  caller: UsageCaller;
  operation: string;
  times: number;
}

/** A request finds its tally and adds one; names are given, and series made, when the metrics are read. */
export function createUsage({ graphClients, graphFields, graphDeprecatedFields }: UsageMetrics): Usage {
  const waiting = new Map<UsedFields, Map<string, UsageTally>>();
  const clients = new Set<string>();
  const pairs = new Set<string>();
  let tallies = 0;

  function clientOf(caller: UsageCaller): string {
    const name = nameOf(caller);
    if (!clients.has(name) && clients.size >= clientsMax) return other;
    clients.add(name);
    return name;
  }

  function operationOf(client: string, operation: string): string {
    const pair = `${client} ${operation}`;
    if (!pairs.has(pair) && pairs.size >= pairsMax) return other;
    pairs.add(pair);
    return operation;
  }

  function flush(): void {
    for (const [{ all, deprecated }, byCaller] of waiting) {
      let total = 0;
      for (const { caller, operation, times } of byCaller.values()) {
        const client = clientOf(caller);
        graphClients.inc({ client, operation: operationOf(client, operation) }, times);
        for (const field of deprecated) graphDeprecatedFields.inc({ field, client }, times);
        total += times;
      }
      for (const field of all) graphFields.inc({ field }, total);
    }
    waiting.clear();
    tallies = 0;
  }

  for (const counter of [graphClients, graphFields, graphDeprecatedFields]) Object.assign(counter, { collect: flush });
  return {
    note(caller, operation, used) {
      let byCaller = waiting.get(used);
      let tally = byCaller?.get(caller.credentialId);
      if (!tally) {
        if (tallies >= waitingMax) flush();
        tallies += 1;
        byCaller = waiting.get(used) ?? new Map();
        waiting.set(used, byCaller);
        tally = { caller, operation, times: 0 };
        byCaller.set(caller.credentialId, tally);
      }
      tally.times += 1;
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
