// The one way out to addresses that tenants gave: judged by text and by every resolved address, connected only to what was judged, no redirects,
// bounded in time and bytes. The only importer of an HTTP client for such addresses.
import { type Dispatcher, errors, Pool } from 'undici';
import { type AttemptResult, addressLiteral, isSandboxLoopback, judgeCallbackUrl } from '../subgraphs/notifications';
import { startDeadline } from '../subgraphs/shared/deadline';
import { scrub } from '../subgraphs/shared/log/log';
import { failureOf } from './egress-failure';
import { BlockedTarget, createSsrfGuard, type ResolveName, type SsrfGuard, type TargetPlace } from './ssrf-guard';

const connectTimeoutMs = 5_000;
const totalTimeoutMs = 10_000;
const replyBytesMax = 16 * 1024;
const excerptBytesMax = 200;
const originsMax = 512;
/** A name is judged again before a send when its last judgement is older. */
const judgementMsMax = 1_000;

export interface EgressOptions {
  sandbox: boolean;
  /** Origin of the sandbox's own receiver, where it is another than its port on loopback; none when empty. */
  receiverOrigin?: string;
  /** What is addressed to this port of loopback goes to that origin: the receiver as who looks from outside reaches it. */
  restPort?: number;
  /** What a name of that origin means on this machine; by default the system's answer. */
  resolveBySystem?: ResolveName;
  /** All A and AAAA answers for a name; by default the DNS. */
  resolveName?: ResolveName;
  /** Which resolved addresses may be connected to; by default the globally routable ones. */
  isAllowed?: (address: string) => boolean;
  connectTimeoutMs?: number;
  totalTimeoutMs?: number;
}

interface EgressRequest {
  target: CallTarget;
  /** Appended to the target's own path, and starts with a slash; empty: the registered address as a whole, query and all. */
  path: string;
  /** Names and values in turn, in the spelling that is sent. */
  headers: string[];
  body: string;
}

export interface EgressReply {
  result: AttemptResult;
  status: number | null;
  retryAfter: string | null;
  excerpt: string | null;
  durationMs: number;
}

interface CallTarget {
  readonly origin: string;
  /** Path of the registered address without a slash at its end. */
  readonly basePath: string;
  /** Path and query of the registered address. */
  readonly fullPath: string;
  /** The name to resolve; null for an address literal. */
  readonly name: string | null;
  readonly place: TargetPlace;
}

export interface Egress {
  /** The target of a registered address, or null when its text is refused. */
  targetOf(address: string): CallTarget | null;
  /** Sends one POST; never rejects: whatever goes wrong is the result. */
  send(request: EgressRequest): Promise<EgressReply>;
  close(): Promise<void>;
}

interface PooledOrigin {
  pool: Pool;
  judgedAtMs: number;
}

export function createEgress(options: EgressOptions): Egress {
  const judge = createSsrfGuard({ ...options, connectTimeoutMs: options.connectTimeoutMs ?? connectTimeoutMs });
  const origins = new Map<string, PooledOrigin>();
  const limitMs = options.totalTimeoutMs ?? totalTimeoutMs;
  let isClosed = false;

  return {
    targetOf(address) {
      const { url: judged } = judgeCallbackUrl(address, options);
      if (!judged) return null;
      const url = atReceiver(judged, options);
      const name = addressLiteral(url.hostname) === null ? url.hostname : null;
      return {
        origin: url.origin,
        basePath: url.pathname.replace(/(?<!\/)\/+$/, ''),
        fullPath: url.pathname + url.search,
        name,
        place: placeOf(url, options),
      };
    },
    async send(request) {
      const startedMs = performance.now();
      const { target } = request;
      let judgedAtMs = origins.get(target.origin)?.judgedAtMs ?? Number.NEGATIVE_INFINITY;
      try {
        judgedAtMs = await judgeAgain(judge, judgedAtMs, target);
        if (isClosed) throw new errors.ClientDestroyedError();
      } catch (error) {
        if (error instanceof BlockedTarget) dropOrigin(origins, target.origin);
        return failure(error, startedMs);
      }
      return new Promise((resolve) => {
        // Taken when nothing is waited for any more: others close the pools that make room for theirs.
        const pool = takePool(origins, { target, judge, judgedAtMs });
        new EgressExchange(startedMs, limitMs, resolve).start(pool, request);
      });
    },
    async close() {
      isClosed = true;
      const pools = [...origins.values()].map(({ pool }) => pool.destroy());
      origins.clear();
      await Promise.all(pools);
    },
  };
}

/** From a process in a container loopback leads nowhere: the receiver's published address is turned into the one inside. */
function atReceiver(url: URL, { receiverOrigin, restPort }: EgressOptions): URL {
  const isPublished = isSandboxLoopback(url) && Number(url.port || 80) === restPort;
  return receiverOrigin && isPublished ? new URL(receiverOrigin + url.pathname + url.search) : url;
}

function placeOf(url: URL, { receiverOrigin }: EgressOptions): TargetPlace {
  if (url.origin === receiverOrigin) return 'ownReceiver';
  return isSandboxLoopback(url) ? 'loopback' : 'world';
}

/** The pool of the target's origin, which then is the one used last; those used longest ago make room for a new one. */
function takePool(
  origins: Map<string, PooledOrigin>,
  { target, judge, judgedAtMs }: { target: CallTarget; judge: SsrfGuard; judgedAtMs: number },
): Pool {
  const known = origins.get(target.origin);
  if (known) {
    origins.delete(target.origin);
    origins.set(target.origin, { pool: known.pool, judgedAtMs: Math.max(known.judgedAtMs, judgedAtMs) });
    return known.pool;
  }
  for (const oldest of origins.keys()) {
    if (origins.size < originsMax) break;
    dropOrigin(origins, oldest);
  }
  const pool = new Pool(target.origin, {
    connections: null,
    pipelining: 1,
    keepAliveTimeout: 4_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: replyBytesMax,
    connect: judge.connector(target.place),
  });
  origins.set(target.origin, { pool, judgedAtMs });
  return pool;
}

/** Requests under way end with their own result; nothing new goes through the pool. */
function dropOrigin(origins: Map<string, PooledOrigin>, name: string): void {
  const origin = origins.get(name);
  origins.delete(name);
  void origin?.pool.close();
}

/** Resolves with when its name was judged last. */
async function judgeAgain(judge: SsrfGuard, judgedAtMs: number, { name, place }: CallTarget): Promise<number> {
  if (name === null || performance.now() - judgedAtMs < judgementMsMax) return judgedAtMs;
  await judge.addressesOf(name, place);
  return performance.now();
}

function failure(error: unknown, startedMs: number): EgressReply {
  return { result: failureOf(error), status: null, retryAfter: null, excerpt: null, durationMs: elapsed(startedMs) };
}

function elapsed(startedMs: number): number {
  return Math.round(performance.now() - startedMs);
}

/** One request and its reply, up to the limits; tells the result once. */
class EgressExchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | null = null;
  private isDone = false;
  private status: number | null = null;
  private retryAfter: string | null = null;
  private bytes = 0;
  private excerpt = Buffer.alloc(0);
  private readonly stopTimer: () => void;

  constructor(
    private readonly startedMs: number,
    limitMs: number,
    private readonly resolve: (reply: EgressReply) => void,
  ) {
    this.stopTimer = startDeadline(limitMs, () => this.hangUp('timeout'));
  }

  start(pool: Pool, { target, path, headers, body }: EgressRequest): void {
    try {
      const whole = path === '' ? target.fullPath : target.basePath + path;
      pool.dispatch({ method: 'POST', path: whole, headers, body, idempotent: false }, this);
    } catch (error) {
      this.finish(failureOf(error));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isDone) controller.abort(new Error('too late'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 200) return;
    this.status = status;
    const retryAfter = headers['retry-after'];
    this.retryAfter = typeof retryAfter === 'string' ? retryAfter.slice(0, 64) : null;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.excerpt.length < excerptBytesMax && !this.isSuccess()) {
      this.excerpt = Buffer.concat([this.excerpt, chunk.subarray(0, excerptBytesMax - this.excerpt.length)]);
    }
    if (this.bytes > replyBytesMax) this.hangUp('invalidReply');
  }

  onResponseEnd(): void {
    this.finish('invalidReply');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.finish(failureOf(error));
  }

  private isSuccess(): boolean {
    return this.status !== null && this.status >= 200 && this.status < 300;
  }

  private hangUp(withoutStatus: AttemptResult): void {
    this.finish(withoutStatus);
    this.controller?.abort(new Error('enough'));
  }

  /** A status that came decides, whatever happened to the rest of the reply. */
  private finish(withoutStatus: AttemptResult): void {
    if (this.isDone) return;
    this.isDone = true;
    this.stopTimer();
    const { status } = this;
    const result = status === null ? withoutStatus : resultOfStatus(status);
    const excerpt = this.excerpt.length > 0 ? escaped(this.excerpt) : null;
    this.resolve({ result, status, retryAfter: this.retryAfter, excerpt, durationMs: elapsed(this.startedMs) });
  }
}

function resultOfStatus(status: number): AttemptResult {
  if (status >= 200 && status < 300) return 'delivered';
  return status >= 300 && status < 400 ? 'redirect' : 'httpError';
}

/** Printable ASCII, everything else as an escape. */
function escaped(bytes: Buffer): string {
  const text = JSON.stringify(bytes.toString('utf8')).slice(1, -1);
  return scrub(
    text.replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
