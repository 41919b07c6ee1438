// What each payment must know of its terminal and merchant, remembered for a moment: they change once in months and are asked about for every order.
import type { Environment } from '../shared/callers/caller';
import { createTtlCache } from '../shared/store/ttl-cache';
import type { InTransaction } from '../shared/store/unit-of-work';
import type { Merchant } from './merchant';
import type { TerminalFacts } from './terminals/terminal.service';

/** Real time. */
const keptMsMax = 500;
/** So long a change waits after it is committed: when it is answered, no process remembers what was before. */
const knownAfterMs = keptMsMax + 10;
const sizeMax = 10_000;
const remembered: ReadonlySet<string> = new Set(['merchants', 'terminals']);

type ReadFacts<Facts> = (environment: Environment, id: string) => Promise<Facts | null>;

export interface FactMemory {
  readTerminal: ReadFacts<TerminalFacts>;
  readMerchant: ReadFacts<Merchant>;
  /** The same for changes: resolves when every process goes by them. What is new waits for nobody. */
  knownEverywhere(inTransaction: InTransaction): InTransaction;
}

/** What there is not is not remembered: a new terminal can be used at once. */
export function rememberFacts(reads: Pick<FactMemory, 'readTerminal' | 'readMerchant'>): FactMemory {
  return {
    readTerminal: memoryOf(reads.readTerminal),
    readMerchant: memoryOf(reads.readMerchant),
    knownEverywhere: (inTransaction) => async (unit) => {
      await inTransaction(unit);
      const isChange = unit.updates?.some(({ collection }) => remembered.has(collection));
      if (isChange) await new Promise((resolve) => setTimeout(resolve, knownAfterMs));
    },
  };
}

function memoryOf<Facts>(load: ReadFacts<Facts>): ReadFacts<Facts> {
  const cache = createTtlCache({
    load: (key) => {
      const at = key.indexOf(' ');
      return load(key.slice(0, at) as Environment, key.slice(at + 1));
    },
    keptMsMax,
    sizeMax,
  });
  return (environment, id) => cache.get(`${environment} ${id}`);
}
