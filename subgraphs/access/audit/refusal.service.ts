// Refusals in the audit, bounded: the first of a kind within a second, the rest of its minute as one count; ten kinds per address, two hundred per process.
import type { NoteRefusal, RecordChange, Refused } from '../../shared/callers/audit';
import { anonymousCaller, type Environment } from '../../shared/callers/caller';
import type { Clock } from '../../shared/clock';
import { withoutUndefined } from '../../shared/present-members';
import type { InTransaction } from '../../shared/store/unit-of-work';

const flushMs = 500;
const minuteMs = 60_000;
const kindsMax = 200;
const kindsPerAddressMax = 10;

/** What is alike within one minute. */
interface Kind {
  refused: Refused;
  minute: number;
  /** Not written yet. */
  count: number;
  isTold: boolean;
}

export interface RefusalRecorder {
  note: NoteRefusal;
  /** Writes what is due; with `all` also what is still counted. Rejects when the database cannot take it; it comes again. */
  flush(all?: boolean): Promise<void>;
  /** Writes everything, and notes nothing more by itself. */
  stop(): Promise<void>;
}

export interface RefusalDeps {
  environment: Environment;
  clock: Clock;
  inTransaction: InTransaction;
  audit: RecordChange;
  /** Those of these ids that are clients of ours: what else somebody sends as his name may be anything, a secret too, and is not kept. */
  knownClients(ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export function createRefusalRecorder(deps: RefusalDeps): RefusalRecorder {
  const kinds = new Map<string, Kind>();
  const perAddress = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const minuteNow = () => Math.floor(deps.clock.now().getTime() / minuteMs);

  function kindOf(refused: Refused): Kind {
    const minute = minuteNow();
    const known = kinds.get(keyOf(refused, minute));
    if (known) return known;
    const ofAddress = perAddress.get(refused.address) ?? 0;
    if (kinds.size < kindsMax && ofAddress < kindsPerAddressMax) {
      perAddress.set(refused.address, ofAddress + 1);
      return keep(refused, minute);
    }
    const others = othersOf(refused);
    return kinds.get(keyOf(others, minute)) ?? keep(others, minute);
  }

  function keep(refused: Refused, minute: number): Kind {
    const kind = { refused, minute, count: 0, isTold: false };
    kinds.set(keyOf(refused, minute), kind);
    return kind;
  }

  /** One after the other, so that nothing is written twice. */
  function flush(all = false): Promise<void> {
    const written = writing.then(() => write(all));
    writing = written.catch(() => undefined);
    return written;
  }

  async function write(all: boolean): Promise<void> {
    const minute = minuteNow();
    const due = [...kinds.values()].filter((kind) => kind.count > 0 && (all || !kind.isTold || kind.minute < minute));
    const counts = due.map(({ count }) => count);
    if (due.length > 0) {
      const known = await deps.knownClients(due.flatMap(({ refused }) => refused.claimedActor ?? []));
      const inserts = due.map(({ refused }, index) => recordOf(deps, { refused, known, count: counts[index] ?? 0 }));
      await deps.inTransaction({ inserts });
    }
    due.forEach((kind, index) => {
      kind.count -= counts[index] ?? 0;
      kind.isTold = true;
    });
    forget(minute);
  }

  function forget(minute: number): void {
    for (const [key, kind] of kinds) if (kind.minute < minute && kind.count === 0) kinds.delete(key);
    perAddress.clear();
    for (const { refused } of kinds.values())
      perAddress.set(refused.address, (perAddress.get(refused.address) ?? 0) + 1);
    if (kinds.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    note(refused) {
      kindOf(refused).count += 1;
      // What cannot be written now is kept and comes again.
      timer ??= setInterval(() => void flush().catch(() => undefined), flushMs).unref();
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush(true).catch(() => undefined);
    },
  };
}

function keyOf({ action, caller, claimedActor, address, subjectId }: Refused, minute: number): string {
  return JSON.stringify([minute, action, caller?.credentialId, claimedActor, address, subjectId]);
}

/** Stands for whatever has no room of its own. */
function othersOf({ action, requestId }: Refused): Refused {
  return { action, requestId, address: '', caller: null, subjectType: 'surface', subjectId: 'others' };
}

function recordOf(
  { environment, audit }: RefusalDeps,
  { refused, known, count }: { refused: Refused; known: ReadonlySet<string>; count: number },
) {
  const { action, requestId, address, claimedActor = '', subjectType, subjectId } = refused;
  const caller = { ...anonymousCaller(environment), ...refused.caller };
  const from = address === '' ? {} : { address };
  const accountId = refused.caller?.accountId ?? null;
  const claimed = withoutUndefined({ claimedActor: known.has(claimedActor) ? claimedActor : undefined });
  const change = { action, subjectType, subjectId, accountId, changes: [], count };
  return audit({ caller, requestId, ...from }, { ...change, ...claimed });
}
