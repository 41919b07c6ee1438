// One stretch of serving an endpoint: fetching and claiming ahead, sending with a bounded number in flight, and recording results in bulk go on
// side by side, so that neither the database nor the receiver waits for the other.
import type { Blocker, Claim, DueCallback, HeldEndpoint } from '../subgraphs/notifications';
import type { Turn } from '../subgraphs/shared/log/watchdog';
import type { DrainDeps } from './drain-deps';
import { planCallbacks } from './plan';
import { type Finished, recordFinished } from './record';
import type { Sender } from './sender';

const claimsAheadMax = 512;
/** So many may be passed over, because others of their key go first, before a pass begins anew. */
const waitingMax = 1_000;

/** After that long without rest the endpoint's address, secrets and health are read anew. */
const stretchMs = 2_000;

/** Under way: claimed, and its result not recorded yet. */
interface Claimed {
  callback: DueCallback;
  at: Date;
}

/** One walk over what is due. */
interface Pass {
  after: DueCallback | null;
  /** Passed over, because something of their key goes first: later ones of the key must wait behind them. */
  waiting: Blocker[];
  /** How many recordings there had been when it began. */
  recordings: number;
}

export class EndpointRun {
  private readonly startedMs = performance.now();
  private readonly claimed = new Map<string, Claimed>();
  private ready: DueCallback[] = [];
  private finished: Finished[] = [];
  private inFlight = 0;
  private sent = 0;
  /** How many are claimed ahead at most. */
  private ahead: number;
  private isFetching = false;
  private isRecording = false;
  private recordings = 0;
  private mayHaveMore = true;
  private pass: Pass | null = null;
  private waitsForRecording = false;
  private isOff = false;
  private isLost = false;
  private isOver = false;
  private fault: unknown = null;
  private wake: () => void = () => undefined;
  private readonly stopping: AbortSignal;
  private readonly moved: () => void;

  constructor(
    private readonly deps: DrainDeps,
    private readonly held: HeldEndpoint,
    private readonly send: Sender,
    turn: Turn,
  ) {
    this.stopping = turn.signal;
    this.moved = turn.moved;
    this.ahead = deps.concurrencyPerEndpoint * 4;
  }

  /**
   * Resolves when nothing is in flight or unrecorded, and nothing more is due or the stretch is over; true when there may be more.
   * Rejects with the first fault, after what was in flight has come back.
   */
  async untilIdle(): Promise<boolean> {
    const wakeUp = () => this.wake();
    this.stopping.addEventListener('abort', wakeUp, { once: true });
    try {
      for (;;) {
        this.moved();
        this.sendReady();
        if (this.wantsMore()) void this.fetch();
        if (this.finished.length > 0 && !this.isRecording && !this.fault) void this.record();
        if (!this.isIdle()) {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
        } else if (!(await this.isRungSoon())) break;
      }
    } finally {
      this.isOver = true;
      this.stopping.removeEventListener('abort', wakeUp);
    }
    if (this.fault) throw this.fault;
    // What is claimed but was never sent, because the worker stops or the endpoint was switched off, is given back with the lease.
    if (this.isOff) await this.endRest();
    return this.isLost || (this.mayHaveMore && !this.takesNothing);
  }

  /** Somebody rang: has the run look once more. False when it takes nothing any more. */
  lookAgain(): boolean {
    if (this.isOver || this.takesNothing) return false;
    this.mayHaveMore = true;
    this.wake();
    return true;
  }

  /** Idle, the lease still in hand: what is rung for within a moment is served without taking it anew. */
  private async isRungSoon(): Promise<boolean> {
    if (this.deps.lingerMs === 0 || this.sent === 0 || this.takesNothing || this.isLong) return false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.deps.lingerMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.mayHaveMore && !this.takesNothing;
  }

  private get isLong(): boolean {
    return performance.now() - this.startedMs > stretchMs;
  }

  private get takesNothing(): boolean {
    return this.isOff || this.isLost || this.fault !== null || this.stopping.aborted;
  }

  private sendReady(): void {
    while (!this.takesNothing && this.inFlight < this.deps.concurrencyPerEndpoint) {
      const callback = this.ready.shift();
      if (!callback) return;
      this.inFlight += 1;
      this.sent += 1;
      const at = this.deps.clock.now();
      void this.send(callback).then((reply) => {
        this.inFlight -= 1;
        this.finished.push({ callback, reply, at, endedAt: this.deps.clock.now() });
        this.wake();
      });
    }
  }

  private wantsMore(): boolean {
    const isLow = this.ready.length < this.ahead / 2;
    return this.mayHaveMore && isLow && !this.isFetching && !this.takesNothing && !this.isLong;
  }

  private isIdle(): boolean {
    if (this.isFetching || this.isRecording || this.inFlight > 0) return false;
    if (this.fault) return true;
    return (
      this.finished.length === 0 &&
      (this.takesNothing || (this.ready.length === 0 && (!this.mayHaveMore || this.isLong)))
    );
  }

  /** Reads the next of what is due, decides what may go, and claims it: from then on it is known that an attempt may have been made. */
  private async fetch(): Promise<void> {
    this.isFetching = true;
    this.mayHaveMore = false;
    this.pass ??= { after: null, waiting: [], recordings: this.recordings };
    const { pass } = this;
    // What is recorded while the database is read may still be found there as it was.
    const claimed = new Map(this.claimed);
    try {
      const { deliveries } = this.deps.stores;
      const { endpointId } = this.held.endpoint;
      const now = this.deps.clock.now();
      const limit = this.ahead;
      const page = await deliveries.due(endpointId, now, limit, pass.after);
      const due = page.filter(({ _id }) => !claimed.has(_id));
      if (due.length > 0) {
        const underWay = [...claimed.values()].map(({ callback }): Blocker => ({ ...callback, status: 'SENDING' }));
        const stored = await deliveries.blockers(endpointId, due);
        const plan = planCallbacks(due, [...underWay, ...pass.waiting, ...stored], now);
        pass.waiting.push(...plan.waiting.map((callback): Blocker => ({ ...callback, status: 'PENDING' })));
        await this.defer(plan.defer);
        if (plan.send.length > 0) await this.claim(plan.send);
      }
      this.goOn(pass, page.length === limit ? page.at(-1) : undefined);
    } catch (error) {
      this.fault = error;
    } finally {
      this.isFetching = false;
      this.wake();
    }
  }

  /** The pass goes on after `last`, or is over; what waited in it for others of its key is looked at again when something was recorded. */
  private goOn(pass: Pass, last: DueCallback | undefined): void {
    if (last && pass.waiting.length <= waitingMax) {
      pass.after = last;
      this.mayHaveMore = true;
      return;
    }
    this.pass = null;
    if (pass.waiting.length === 0) return;
    if (this.recordings > pass.recordings) this.mayHaveMore = true;
    else this.waitsForRecording = true;
  }

  /** A receiver that is quicker than the claims gets more of them at once; a slow one leaves what it cannot take unclaimed. */
  private claimFurtherAhead(): void {
    this.ahead = Math.min(this.ahead * 2, claimsAheadMax);
  }

  /** One write for the whole batch; where the lease is lost or the endpoint has changed nothing of it is sent. */
  private async claim(callbacks: DueCallback[]): Promise<void> {
    const at = this.deps.clock.now();
    for (const callback of callbacks) this.claimed.set(callback._id, { callback, at });
    if (!(await this.deps.stores.leases.claim(this.held, claimsOf(this.claimed.values())))) {
      this.isLost = true;
      return;
    }
    if (this.ready.length === 0 && this.sent > 0) this.claimFurtherAhead();
    this.ready.push(...callbacks);
  }

  private async defer(waiting: readonly { callbackId: string; until: Date }[]): Promise<void> {
    const byTime = new Map<number, string[]>();
    for (const { callbackId, until } of waiting) {
      byTime.set(until.getTime(), [...(byTime.get(until.getTime()) ?? []), callbackId]);
    }
    for (const [time, ids] of byTime) {
      await this.deps.stores.deliveries.defer(ids, new Date(time));
      this.deps.wakeAt(this.held.endpoint.endpointId, new Date(time));
    }
  }

  private async record(): Promise<void> {
    this.isRecording = true;
    const batch = this.finished;
    this.finished = [];
    try {
      const { isOff, dueTimes } = await recordFinished(this.deps, this.held, batch);
      if (isOff) this.isOff = true;
      for (const { callback } of batch) this.claimed.delete(callback._id);
      for (const dueAt of dueTimes) this.deps.wakeAt(this.held.endpoint.endpointId, dueAt);
    } catch (error) {
      this.fault = error;
    } finally {
      this.recordings += 1;
      if (this.waitsForRecording) {
        this.waitsForRecording = false;
        this.mayHaveMore = true;
      }
      this.isRecording = false;
      this.wake();
    }
  }

  private async endRest(): Promise<void> {
    await this.deps.stores.deliveries.endDue(this.held.endpoint.endpointId, this.deps.clock.now(), 'endpointDisabled');
  }
}

function claimsOf(claimed: Iterable<Claimed>): Claim[] {
  const byTime = new Map<number, Claim>();
  for (const { callback, at } of claimed) {
    const known = byTime.get(at.getTime());
    if (known) known.callbackIds.push(callback._id);
    else byTime.set(at.getTime(), { at, callbackIds: [callback._id] });
  }
  return [...byTime.values()];
}
