// What is due at one endpoint: read page by page, decided which of it may go, and claimed ahead of the sending.
import type { Blocker, Claim, DueCallback, FirstDue, HeldEndpoint } from '../subgraphs/notifications';
import { type Plan, planCallbacks } from './callback-order';
import type { DrainDeps } from './drain-deps';

const claimsAheadMax = 512;

/** So many of an endpoint's callbacks are claimed at first, in multiples of those in flight to it. */
export function firstAhead(concurrencyPerEndpoint: number): number {
  return concurrencyPerEndpoint * 4;
}

/** What was read of an endpoint before its lease was taken, and claimed together with it. */
export interface Opening {
  at: Date;
  page: DueCallback[];
  isAll: boolean;
  plan: Plan;
}

/** Of what is due first at an endpoint, what may go. */
export function openingOf({ callbacks, isAll }: FirstDue, stored: readonly Blocker[], now: Date): Opening {
  return { at: now, page: callbacks, isAll, plan: planCallbacks(callbacks, stored, now) };
}

/** The claims of callbacks that were claimed at one time. */
export function claimsAt(at: Date, callbacks: readonly DueCallback[]): Claim[] {
  return callbacks.length > 0 ? [{ at, callbackIds: callbacks.map(({ _id }) => _id) }] : [];
}
/** So many may be passed over, because others of their key go first, before a walk begins anew. */
const waitingMax = 1_000;

/**
 * Whether a look at what is due would find more.
 *
 * | State | a look begins | its page was full | the walk is over | ... and left some waiting | a wake-up came | results were recorded |
 * |---|---|---|---|---|---|---|
 * | open | dry | open | open | open | open | open |
 * | dry | dry | open | dry | open when results were recorded meanwhile, else blocked | open | dry |
 * | blocked | dry | - | - | - | open | open |
 *
 * Blocked: all that is left waits for something of its key that is under way.
 */
type SupplyState = 'open' | 'dry' | 'blocked';

/** Under way: claimed, and its result not recorded yet. */
interface ClaimedCallback {
  callback: DueCallback;
  at: Date;
}

/** One walk over what is due. */
interface Walk {
  after: DueCallback | null;
  /** Passed over, because something of their key goes first: later ones of the key must wait behind them. */
  waiting: Blocker[];
  /** How many recordings there had been when it began. */
  recordings: number;
}

export class DueSupply {
  private readonly claimed = new Map<string, ClaimedCallback>();
  private ready: DueCallback[] = [];
  private state: SupplyState = 'open';
  private walk: Walk | null = null;
  private recordings = 0;
  private taken = 0;
  /** How many are claimed ahead at most. */
  private ahead: number;

  constructor(
    private readonly deps: DrainDeps,
    private readonly held: HeldEndpoint,
  ) {
    this.ahead = firstAhead(deps.concurrencyPerEndpoint);
  }

  /** Begins with what was claimed when the lease was taken. */
  async open({ at, page, isAll, plan }: Opening): Promise<void> {
    this.state = 'dry';
    const walk: Walk = { after: null, waiting: [], recordings: this.recordings };
    for (const callback of plan.send) this.claimed.set(callback._id, { callback, at });
    this.ready.push(...plan.send);
    await this.passOver(walk, plan);
    this.goOn(walk, isAll ? undefined : page.at(-1));
  }

  get mayHaveMore(): boolean {
    return this.state === 'open';
  }

  get isEmpty(): boolean {
    return this.ready.length === 0;
  }

  get hasGiven(): boolean {
    return this.taken > 0;
  }

  /** Few are left, and a look might find more. */
  get isLow(): boolean {
    return this.mayHaveMore && this.ready.length < this.ahead / 2;
  }

  /** The next to be sent. */
  take(): DueCallback | undefined {
    const callback = this.ready.shift();
    if (callback) this.taken += 1;
    return callback;
  }

  /** A wake-up came. */
  reopen(): void {
    this.state = 'open';
  }

  /** These are under way no more; what waited behind them may go. */
  release(callbacks: readonly DueCallback[]): void {
    for (const { _id } of callbacks) this.claimed.delete(_id);
  }

  /** A recording was tried. */
  noteRecording(): void {
    this.recordings += 1;
    if (this.state === 'blocked') this.state = 'open';
  }

  /**
   * Reads the next of what is due, decides what may go, and claims it: from then on it is known that an attempt may have been made.
   * False when the lease is lost or the endpoint has changed: nothing of the page is sent.
   */
  async look(): Promise<boolean> {
    this.state = 'dry';
    this.walk ??= { after: null, waiting: [], recordings: this.recordings };
    const { walk } = this;
    // What is recorded while the database is read may still be found there as it was.
    const claimed = new Map(this.claimed);
    const { deliveries } = this.deps.stores;
    const { endpointId } = this.held.endpoint;
    const now = this.deps.clock.now();
    const limit = this.ahead;
    const page = await deliveries.due(endpointId, now, limit, walk.after);
    const due = page.filter(({ _id }) => !claimed.has(_id));
    let isHeld = true;
    if (due.length > 0) {
      const underWay = [...claimed.values()].map(({ callback }): Blocker => ({ ...callback, status: 'SENDING' }));
      const stored = await deliveries.blockers(endpointId, due);
      const plan = planCallbacks(due, [...underWay, ...walk.waiting, ...stored], now);
      await this.passOver(walk, plan);
      if (plan.send.length > 0) isHeld = await this.claim(plan.send);
    }
    this.goOn(walk, page.length === limit ? page.at(-1) : undefined);
    return isHeld;
  }

  private async passOver(walk: Walk, plan: Plan): Promise<void> {
    walk.waiting.push(...plan.waiting.map((callback): Blocker => ({ ...callback, status: 'PENDING' })));
    await this.defer(plan.defer);
  }

  /** The walk goes on after `last`, or is over. */
  private goOn(walk: Walk, last: DueCallback | undefined): void {
    if (last && walk.waiting.length <= waitingMax) {
      walk.after = last;
      this.walk = walk;
      this.state = 'open';
      return;
    }
    this.walk = null;
    if (walk.waiting.length > 0 && this.state === 'dry')
      this.state = this.recordings > walk.recordings ? 'open' : 'blocked';
  }

  /** One write for the whole batch; false when it was refused. */
  private async claim(callbacks: DueCallback[]): Promise<boolean> {
    const at = this.deps.clock.now();
    for (const callback of callbacks) this.claimed.set(callback._id, { callback, at });
    if (!(await this.deps.stores.leases.claim(this.held, claimsOf(this.claimed.values())))) return false;
    // A receiver that is quicker than the claims gets more of them at once; a slow one leaves what it cannot take unclaimed.
    if (this.isEmpty && this.hasGiven) this.ahead = Math.min(this.ahead * 2, claimsAheadMax);
    this.ready.push(...callbacks);
    return true;
  }

  private async defer(waiting: readonly { callbackId: string; until: Date }[]): Promise<void> {
    const byTime = new Map<number, string[]>();
    for (const { callbackId, until } of waiting) {
      byTime.set(until.getTime(), [...(byTime.get(until.getTime()) ?? []), callbackId]);
    }
    const { endpointId } = this.held.endpoint;
    for (const [time, ids] of byTime) {
      await this.deps.stores.deliveries.defer(endpointId, ids, new Date(time));
      this.deps.wakeAt(endpointId, new Date(time));
    }
  }
}

function claimsOf(claimed: Iterable<ClaimedCallback>): Claim[] {
  const byTime = new Map<number, Claim>();
  for (const { callback, at } of claimed) {
    const known = byTime.get(at.getTime());
    if (known) known.callbackIds.push(callback._id);
    else byTime.set(at.getTime(), { at, callbackIds: [callback._id] });
  }
  return [...byTime.values()];
}
