// One stretch of serving an endpoint: fetching and claiming ahead, sending with a bounded number in flight, and recording results in bulk go on
// side by side, so that neither the database nor the receiver waits for the other.
import type { HeldEndpoint } from '../subgraphs/notifications';
import type { Turn } from '../subgraphs/shared/log/watchdog';
import type { DrainDeps } from './drain-deps';
import { DueSupply, type Opening } from './due-supply';
import { type Finished, recordFinished } from './record';
import type { Sender } from './sender';

/** After that long without rest the endpoint's address, secrets and health are read anew. */
const stretchMs = 2_000;

/**
 * | State | sends and looks | records | is over when | and then |
 * |---|---|---|---|---|
 * | serving | until the worker stops, for one stretch | yes | nothing is in flight, unrecorded or due | has more, if a look would find some |
 * | off: a reply switched the endpoint off | no | yes | nothing is in flight or unrecorded | what is due is ended |
 * | lost: the lease, or the endpoint has changed | no | yes | nothing is in flight or unrecorded | has more |
 * | failed: the database | no | no | nothing is in flight | rejects |
 * | over | no | no | - | - |
 *
 * Of what happens to it the first counts, but that it failed counts more.
 */
type RunState = 'serving' | 'off' | 'lost' | 'failed' | 'over';

export class EndpointRun {
  private readonly startedMs = performance.now();
  private readonly supply: DueSupply;
  private readonly underWay = new Set<'look' | 'recording'>();
  private readonly stopping: AbortSignal;
  private readonly moved: () => void;
  private readonly opening: Opening | null;
  private readonly isLeaseOver: () => boolean;
  private state: RunState = 'serving';
  private fault: unknown = null;
  private finished: Finished[] = [];
  private inFlight = 0;
  private wake: () => void = () => undefined;

  constructor(
    private readonly deps: DrainDeps,
    private readonly held: HeldEndpoint,
    private readonly send: Sender,
    { turn, opening, isLeaseOver }: { turn: Turn; opening: Opening | null; isLeaseOver: () => boolean },
  ) {
    this.opening = opening;
    this.isLeaseOver = isLeaseOver;
    this.stopping = turn.signal;
    this.moved = turn.moved;
    this.supply = new DueSupply(deps, held);
  }

  /** Resolves when it is over; true when there may be more. Rejects with the first fault, after what was in flight has come back. */
  async untilIdle(): Promise<boolean> {
    const wakeUp = () => this.wake();
    this.stopping.addEventListener('abort', wakeUp, { once: true });
    try {
      if (this.opening) await this.supply.open(this.opening);
      for (;;) {
        this.moved();
        // A process that stood still may have answers to look at before its timers.
        if (this.isLeaseOver()) this.endAs('lost');
        this.sendReady();
        if (this.supply.isLow && !this.takesNothing && !this.isLong) this.begin('look', () => this.look());
        if (this.finished.length > 0 && this.state !== 'failed') this.begin('recording', () => this.record());
        if (!this.isIdle()) {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
        } else if (!(await this.isWokenSoon())) break;
      }
      if (this.state === 'failed') throw this.fault;
      // What is claimed but was never sent, because the worker stops or the endpoint was switched off, is given back with the lease.
      if (this.state === 'off') await this.endRest();
      return this.state === 'lost' || (this.supply.mayHaveMore && !this.takesNothing);
    } finally {
      this.state = 'over';
      this.stopping.removeEventListener('abort', wakeUp);
    }
  }

  /** A wake-up came: has the run look once more. False when it takes nothing any more. */
  lookAgain(): boolean {
    if (this.takesNothing) return false;
    this.supply.reopen();
    this.wake();
    return true;
  }

  /** Idle, the lease still in hand: what a wake-up tells of within a moment is served without taking it anew. */
  private async isWokenSoon(): Promise<boolean> {
    if (
      this.deps.traffic.isCrowded ||
      this.deps.lingerMs === 0 ||
      !this.supply.hasGiven ||
      this.takesNothing ||
      this.isLong
    )
      return false;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.deps.lingerMs);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    return this.supply.mayHaveMore && !this.takesNothing;
  }

  private get isLong(): boolean {
    return performance.now() - this.startedMs > stretchMs;
  }

  private get takesNothing(): boolean {
    return this.state !== 'serving' || this.stopping.aborted;
  }

  private sendReady(): void {
    while (!this.takesNothing && this.inFlight < this.deps.traffic.limitPerEndpoint) {
      const callback = this.supply.take();
      if (!callback) return;
      this.inFlight += 1;
      this.deps.traffic.inFlight += 1;
      const at = this.deps.clock.now();
      void this.send(callback).then((reply) => {
        this.inFlight -= 1;
        this.deps.traffic.inFlight -= 1;
        this.finished.push({ callback, reply, at, endedAt: this.deps.clock.now() });
        this.wake();
      });
    }
  }

  private isIdle(): boolean {
    if (this.underWay.size > 0 || this.inFlight > 0) return false;
    if (this.state === 'failed') return true;
    return (
      this.finished.length === 0 &&
      (this.takesNothing || (this.supply.isEmpty && (!this.supply.mayHaveMore || this.isLong)))
    );
  }

  /** One of a kind at a time. */
  private begin(kind: 'look' | 'recording', work: () => Promise<void>): void {
    if (this.underWay.has(kind)) return;
    this.underWay.add(kind);
    void work()
      .catch((error: unknown) => {
        if (this.state !== 'failed') this.fault = error;
        this.state = 'failed';
      })
      .finally(() => {
        this.underWay.delete(kind);
        this.wake();
      });
  }

  private async look(): Promise<void> {
    if (!(await this.supply.look())) this.endAs('lost');
  }

  private async record(): Promise<void> {
    const batch = this.finished;
    this.finished = [];
    try {
      const { isOff, dueTimes } = await recordFinished(this.deps, this.held, batch);
      if (isOff) this.endAs('off');
      this.supply.release(batch.map(({ callback }) => callback));
      for (const dueAt of dueTimes) this.deps.wakeAt(this.held.endpoint.endpointId, dueAt);
    } finally {
      this.supply.noteRecording();
    }
  }

  private endAs(state: 'off' | 'lost'): void {
    if (this.state === 'serving') this.state = state;
  }

  private async endRest(): Promise<void> {
    await this.deps.stores.deliveries.endDue(this.held.endpoint.endpointId, this.deps.clock.now(), 'endpointDisabled');
  }
}
