// Clients that each keep one connection open, as partners do, and are judged by the first try of every call: what came of it, and whether a client may see that.
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, CallOptions } from '../support/client';
import { type Attempts, type Call, drift } from './attempts';

/** What came of the calls of all clients together. */
export class Judge {
  /** Answers that were as they should be. */
  answers = 0;
  /** What no client may see: any answer but a success, and any connection that broke, except for the three below. */
  failures: string[] = [];
  /**
   * The one break that no server can avoid: it closes a connection that has been idle for long just as its client begins to use it again,
   * so that the request meets a closed door and is never read. The drain answers whoever comes by within its 1.5 s, and tells him to close:
   * only a client that had been away for about as long can meet it. So a break counts as this one then only, and without a byte of an answer.
   * An answer may lie in the socket of a client that stands still, so what counts is the time since the request that it answers.
   */
  idleRaces = 0;
  /** Of a program that is being stopped: new connections that nobody took, refused or closed without a byte of an answer. */
  turnedAway = 0;
  /** 503 with Retry-After while a bare write of the test took more than a second, too: the program kept its limits on a machine that stood still. */
  heldUp = 0;
  /** From then on nobody has to take new connections; those that are open keep every right. */
  isClosing = false;

  /** `wereSlow`: whether the machine stood still at some time between these two (performance.now()). */
  constructor(readonly wereSlow: (fromMs: number, toMs: number) => boolean) {}

  /** True when the caller has to come again. */
  answered(
    { method, path }: Call,
    answer: Answer,
    { fault, fromMs }: { fault: string | null; fromMs: number },
  ): boolean {
    const { status, text, body } = answer;
    if (isNotNow(answer) && !fault && this.wereSlow(fromMs, performance.now())) {
      this.heldUp += 1;
      return true;
    }
    // The graph has its refusals in the body.
    if (status >= 300 || fault || body?.errors)
      this.failures.push(`${method} ${path}: ${fault ?? `${status} ${text}`}`);
    else this.answers += 1;
    return false;
  }

  /** What is to be held against the program: its failures, and more calls that were held up than a machine accounts for. */
  verdict(): string[] {
    const isTooMuch = this.heldUp > this.answers * heldUpShareMax;
    return [
      ...this.failures,
      ...(isTooMuch ? [`${this.heldUp} calls were held up beside ${this.answers} answers`] : []),
    ];
  }

  broken({ method, path }: Call, { code, idleMs, hasReply, wasClosing }: Broken): void {
    if (!hasReply && idleMs === null && wasClosing) this.turnedAway += 1;
    else if (!hasReply && idleMs !== null && idleMs >= idleMsMin) this.idleRaces += 1;
    else {
      const where = idleMs === null ? 'a new connection' : `a connection that was idle for ${Math.round(idleMs)} ms`;
      this.failures.push(`${method} ${path}: ${code} on ${where}${hasReply ? ', in the midst of the answer' : ''}`);
    }
  }
}

function isNotNow({ status, headers, body }: Answer): boolean {
  if (status === 503) return headers['retry-after'] !== undefined;
  const errors: { extensions?: { code?: string } }[] = body?.errors ?? [];
  return errors.length > 0 && errors.every(({ extensions }) => extensions?.code === 'unavailable');
}

const heldUpShareMax = 0.02;
/** The drain's linger, less what an answer takes on its way to a client of a busy machine. */
const idleMsMin = 1_000;
const callMsMax = 60_000;
const pauseMs = 50;

class Broken extends Error {
  /** `idleMs`: since the connection's last request that was answered; null when there was none. */
  constructor(
    readonly code: string,
    readonly idleMs: number | null,
    readonly hasReply: boolean,
    readonly wasClosing: boolean,
  ) {
    super(code);
  }
}

/** One client: a single connection per address, one call after the other, none of them repeated but those that the machine held up. */
export function keepAliveAttempts(judge: Judge, { isDocumented = true } = {}): Attempts {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const askedAt = new WeakMap<Socket, number>();
  const line = { agent, askedAt, isClosing: () => judge.isClosing };
  /** With whether it is to be made again. */
  const attempt = async (url: string, call: Call): Promise<{ answer: Answer | null; isToBeRepeated: boolean }> => {
    const fromMs = performance.now();
    try {
      const answer = await exchange(url, call, line);
      const fault = isDocumented ? drift(call, answer) : null;
      return { answer, isToBeRepeated: judge.answered(call, answer, { fault, fromMs }) };
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      judge.broken(call, error);
      // Whoever finds the door closed does not knock again at once.
      await wait(pauseMs);
      return { answer: null, isToBeRepeated: false };
    } finally {
      attempts.longestMs = Math.max(attempts.longestMs, Math.round(performance.now() - fromMs));
    }
  };
  const attempts: Attempts = {
    outcomes: new Map(),
    // Callers note here again what the judge has noted already.
    faults: [],
    longestMs: 0,
    once: async (url, call) => (await attempt(url, call)).answer,
    async persist(url, call) {
      for (let tries = 1; ; tries += 1) {
        const { answer, isToBeRepeated } = await attempt(url, call);
        if (!isToBeRepeated) return { answer, tries };
        await wait(1_000 * Number(answer?.headers['retry-after'] ?? 1));
      }
    },
  };
  return attempts;
}

interface Line {
  agent: Agent;
  /** When each connection had the last request that was answered. */
  askedAt: WeakMap<Socket, number>;
  isClosing(): boolean;
}

/** One request and its whole answer; rejects with a Broken. */
function exchange(url: string, { method, path, options }: Call, line: Line): Promise<Answer> {
  const { headers, payload } = encoded(options);
  const wasClosing = line.isClosing();
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(url).origin, { method, path, headers, agent: line.agent });
    let used: Socket | undefined;
    let idleMs: number | null = null;
    let readBefore = 0;
    let sentAt = 0;
    const fail = (error: NodeJS.ErrnoException) => {
      const hasReply = (used?.bytesRead ?? 0) > readBefore;
      reject(new Broken(error.code ?? error.message, idleMs, hasReply, wasClosing));
    };
    outgoing.on('socket', (socket) => {
      used = socket;
      const since = line.askedAt.get(socket);
      sentAt = performance.now();
      if (since !== undefined) idleMs = sentAt - since;
      readBefore = socket.bytesRead;
    });
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', fail);
      incoming.on('end', () => {
        if (used) line.askedAt.set(used, sentAt);
        const text = Buffer.concat(chunks).toString('utf8');
        const isJson = /\bjson\b/.test(incoming.headers['content-type'] ?? '') && text !== '';
        const body = isJson ? JSON.parse(text) : undefined;
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body });
      });
    });
    outgoing.on('error', fail);
    outgoing.setTimeout(callMsMax, () => outgoing.destroy(new Error(`no answer within ${callMsMax} ms`)));
    outgoing.end(payload);
  });
}

function encoded({ headers = {}, body }: CallOptions): Pick<CallOptions, 'headers'> & { payload?: Buffer } {
  if (body === undefined) return { headers };
  const payload = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json';
  return { headers: { 'content-type': type, 'content-length': String(payload.length), ...headers }, payload };
}
