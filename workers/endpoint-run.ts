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

export class EndpointRun {
  private readonly startedMs = performance.now();
  private readonly supply: DueSupply;
  private finished: Finished[] = [];
  private inFlight = 0;
  private isLooking = false;
  private isRecording = false;
  private isOff = false;
  private isLost = false;
  private isOver = false;
  private fault: unknown = null;
  private wake: () => void = () => undefined;
  private readonly stopping: AbortSignal;
  private readonly moved: () => void;
  private readonly opening: Opening | null;

  constructor(
    private readonly deps: DrainDeps,
    private readonly held: HeldEndpoint,
    private readonly send: Sender,
    { turn, opening }: { turn: Turn; opening: Opening | null },
  ) {
    this.opening = opening;
    this.stopping = turn.signal;
    this.moved = turn.moved;
    this.supply = new DueSupply(deps, held);
  }

  /**
   * Resolves when nothing is in flight or unrecorded, and nothing more is due or the stretch is over; true when there may be more.
   * Rejects with the first fault, after what was in flight has come back.
   */
  async untilIdle(): Promise<boolean> {
    const wakeUp = () => this.wake();
    this.stopping.addEventListener('abort', wakeUp, { once: true });
    try {
      if (this.opening) await this.supply.open(this.opening);
      for (;;) {
        this.moved();
        this.sendReady();
        if (this.supply.isLow && !this.isLooking && !this.takesNothing && !this.isLong) void this.look();
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
    return this.isLost || (this.supply.mayHaveMore && !this.takesNothing);
  }

  /** Somebody rang: has the run look once more. False when it takes nothing any more. */
  lookAgain(): boolean {
    if (this.isOver || this.takesNothing) return false;
    this.supply.reopen();
    this.wake();
    return true;
  }

  /** Idle, the lease still in hand: what is rung for within a moment is served without taking it anew. */
  private async isRungSoon(): Promise<boolean> {
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
    return this.isOff || this.isLost || this.fault !== null || this.stopping.aborted;
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
    if (this.isLooking || this.isRecording || this.inFlight > 0) return false;
    if (this.fault) return true;
    return (
      this.finished.length === 0 &&
      (this.takesNothing || (this.supply.isEmpty && (!this.supply.mayHaveMore || this.isLong)))
    );
  }

  private async look(): Promise<void> {
    this.isLooking = true;
    try {
      if (!(await this.supply.look())) this.isLost = true;
    } catch (error) {
      this.fault = error;
    } finally {
      this.isLooking = false;
      this.wake();
    }
  }

  private async record(): Promise<void> {
    this.isRecording = true;
    const batch = this.finished;
    this.finished = [];
    try {
      const { isOff, dueTimes } = await recordFinished(this.deps, this.held, batch);
      if (isOff) this.isOff = true;
      this.supply.release(batch.map(({ callback }) => callback));
      for (const dueAt of dueTimes) this.deps.wakeAt(this.held.endpoint.endpointId, dueAt);
    } catch (error) {
      this.fault = error;
    } finally {
      this.supply.noteRecording();
      this.isRecording = false;
      this.wake();
    }
  }

  private async endRest(): Promise<void> {
    await this.deps.stores.deliveries.endDue(this.held.endpoint.endpointId, this.deps.clock.now(), 'endpointDisabled');
  }
}
