// Keeps processes running: restarts what dies, brings the replacement before a rolling stop, and stops all in order.
import type { ChildProcess } from 'node:child_process';
import type { ToLauncher, ToProcess } from '../supervised';

export interface ProcessEntry {
  role: string;
  pid: number;
  port: number | null;
}

export interface Supervision {
  role: string;
  port: number | null;
  /** Starts the process; called again for each restart and replacement. */
  spawn(): ChildProcess;
  /** How a server is found to be ready; an application process says it itself. Rejects when it ends before or takes too long. */
  awaitReady?(isAlive: () => boolean): Promise<void>;
  /** How it is asked to end: application processes drain on a message, servers on a signal. */
  stopBy: 'message' | 'signal';
  stopStage: number;
  /** From then on it is killed. */
  stopMsMax: number;
}

export interface SupervisorEvents {
  /** Something started, ended or was replaced. */
  changed(): void;
  /** A process ended that nobody had asked to; it is started again after `waitMs`. */
  died(role: string, how: string, waitMs: number): void;
}

/** How long to wait before a restart: none for a process that had worked, longer each time for one that keeps dying before it is ready. */
export function decideRestartWaitMs(deathsInARow: number): number {
  if (deathsInARow <= 1) return 0;
  return Math.min(250 * 2 ** (deathsInARow - 2), 15_000);
}

interface SupervisedProcess {
  settings: Supervision;
  /** The process that serves under the role's name. */
  current?: ChildProcess;
  /** The one that takes over when it is ready. */
  successor?: ChildProcess;
  /** Those that were told to go. */
  leaving: Set<ChildProcess>;
  deathsInARow: number;
  restart?: NodeJS.Timeout;
  isReady: boolean;
  failure?: Error;
}

export class Supervisor {
  private readonly supervised = new Map<string, SupervisedProcess>();
  private isStopping = false;
  private waiters: (() => void)[] = [];

  constructor(private readonly events: SupervisorEvents) {}

  start(settings: Supervision): void {
    if (this.isStopping) return;
    const supervised: SupervisedProcess = { settings, leaving: new Set(), deathsInARow: 0, isReady: false };
    this.supervised.set(settings.role, supervised);
    this.spawnCurrent(supervised);
  }

  /** What runs now, in the order of starting. */
  entries(): ProcessEntry[] {
    return [...this.supervised.values()].flatMap(({ settings, current }) =>
      current?.pid !== undefined && isAlive(current)
        ? [{ role: settings.role, pid: current.pid, port: settings.port }]
        : [],
    );
  }

  /** Processes that serve now and can be talked to. */
  serving(): ChildProcess[] {
    return [...this.supervised.values()].flatMap(({ settings, current, isReady }) =>
      settings.stopBy === 'message' && isReady && current?.connected ? [current] : [],
    );
  }

  deathsInARow(role: string): number {
    return this.supervised.get(role)?.deathsInARow ?? 0;
  }

  /** Resolves when every role is ready; `check` runs at each change and may throw to give up. */
  allReady(check: () => void): Promise<void> {
    return this.atMostStarting(0, check);
  }

  /** The same as soon as no more than `count` roles are not ready: too many at once starve each other until they give up. */
  async atMostStarting(count: number, check: () => void): Promise<void> {
    while ([...this.supervised.values()].filter(({ isReady }) => !isReady).length > count) {
      for (const { failure } of this.supervised.values()) if (failure) throw failure;
      check();
      await new Promise<void>((resolve) => {
        this.waiters.push(resolve);
        setTimeout(resolve, 500).unref();
      });
    }
  }

  /** Stops everything, stage by stage; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const all = [...this.supervised.values()];
    for (const { restart } of all) clearTimeout(restart);
    const stages = [...new Set(all.map(({ settings }) => settings.stopStage))].sort((a, b) => a - b);
    for (const stage of stages) {
      const members = all.filter(({ settings }) => settings.stopStage === stage);
      await Promise.all(
        members.flatMap((member) => this.running(member).map((child) => stopChild(child, member.settings))),
      );
    }
  }

  /** At a crash of the launcher itself. */
  killAll(): void {
    for (const supervised of this.supervised.values())
      for (const child of this.running(supervised)) child.kill('SIGKILL');
  }

  private running({ current, successor, leaving }: SupervisedProcess): ChildProcess[] {
    return [...leaving, current, successor].filter((child) => child !== undefined).filter(isAlive);
  }

  private spawnCurrent(supervised: SupervisedProcess): void {
    supervised.isReady = false;
    const child = this.spawn(supervised);
    supervised.current = child;
    this.changed();
    supervised.settings
      .awaitReady?.(() => isAlive(child))
      .then(
        () => child === supervised.current && this.ready(supervised),
        (error: Error) => {
          supervised.failure = error;
          this.changed();
        },
      );
  }

  private spawn(supervised: SupervisedProcess): ChildProcess {
    const child = supervised.settings.spawn();
    let ended = false;
    const end = (how: string) => {
      if (ended) return;
      ended = true;
      this.ended(supervised, child, how);
    };
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    child.once('error', (error) => end(error.message));
    child.on('message', (message: ToLauncher) => {
      if (message?.type === 'ready' && child === supervised.current) this.ready(supervised);
      if (message?.type === 'ready' && child === supervised.successor) this.takeOver(supervised);
      if (message?.type === 'stopping' && child === supervised.current) this.bringSuccessor(supervised);
    });
    return child;
  }

  private ready(supervised: SupervisedProcess): void {
    supervised.isReady = true;
    delete supervised.failure;
    supervised.deathsInARow = 0;
    this.changed();
  }

  /** The process was asked from outside to stop: it goes on serving until the next one is ready. */
  private bringSuccessor(supervised: SupervisedProcess): void {
    if (this.isStopping || supervised.successor) return;
    supervised.successor = this.spawn(supervised);
  }

  private takeOver(supervised: SupervisedProcess): void {
    const predecessor = supervised.current;
    supervised.current = supervised.successor;
    delete supervised.successor;
    if (predecessor && isAlive(predecessor)) {
      supervised.leaving.add(predecessor);
      void stopChild(predecessor, supervised.settings);
    }
    this.ready(supervised);
  }

  private ended(supervised: SupervisedProcess, child: ChildProcess, how: string): void {
    if (child === supervised.successor) delete supervised.successor;
    else if (!supervised.leaving.delete(child) && !this.isStopping) this.replace(supervised, how);
    this.changed();
  }

  private replace(supervised: SupervisedProcess, how: string): void {
    supervised.isReady = false;
    if (supervised.successor) {
      supervised.current = supervised.successor;
      delete supervised.successor;
      return;
    }
    supervised.deathsInARow += 1;
    const waitMs = decideRestartWaitMs(supervised.deathsInARow);
    this.events.died(supervised.settings.role, how, waitMs);
    supervised.restart = setTimeout(() => this.spawnCurrent(supervised), waitMs);
  }

  private changed(): void {
    this.events.changed();
    const waiters = this.waiters;
    this.waiters = [];
    for (const wake of waiters) wake();
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

function drain(child: ChildProcess): void {
  const message: ToProcess = { type: 'drain' };
  // A process that is gone already needs no telling.
  if (child.connected) child.send(message, () => undefined);
}

async function stopChild(child: ChildProcess, { stopBy, stopMsMax }: Supervision): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  if (stopBy === 'message' && child.connected) drain(child);
  else child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
  await ended;
  clearTimeout(killer);
}
