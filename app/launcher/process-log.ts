// Logs of supervised processes: one bounded file per role in DATA_DIR/logs, errors also to the person who started.
import { createWriteStream, renameSync, statSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { readableError } from '../../subgraphs/shared/log/readable-log';
import { makeFolder } from '../data-files';

/** When a file reaches this size it becomes `<role>.log.1` and a new one begins; so a role takes twice this at most. */
const fileBytesMax = 10 * 1024 * 1024;
/** How soon a file that could not be written to is tried again. */
const retryMs = 10_000;

export interface ProcessLog {
  /** Takes over a process's output; every line goes to the role's file. */
  follow(role: string, outputs: (Readable | null)[]): void;
  /** The last thing that a role said that looks like an error, as one short line. */
  lastError(role: string): string | undefined;
  path(role: string): string;
  close(): Promise<void>;
}

/** `show` gets lines of level error and above, shortened for a human. */
export function createProcessLog(folder: string, show: (role: string, text: string) => void): ProcessLog {
  makeFolder(folder);
  const files = new Map<string, RotatingFile>();
  const errors = new Map<string, string>();
  const fileOf = (role: string): RotatingFile => {
    const failed = (reason: string) => show(role, `its log cannot be written, lines are lost: ${reason}`);
    const file = files.get(role) ?? new RotatingFile(join(folder, `${role}.log`), failed);
    files.set(role, file);
    return file;
  };
  return {
    follow(role, outputs) {
      const file = fileOf(role);
      for (const output of outputs) {
        if (!output) continue;
        createInterface({ input: output }).on('line', (line) => {
          file.write(line);
          const { text, isLogged } = decideErrorText(line);
          if (!text) return;
          errors.set(role, text);
          if (isLogged) show(role, text);
        });
      }
    },
    lastError: (role) => errors.get(role),
    path: (role) => join(folder, `${role}.log`),
    close: async () => {
      await Promise.all([...files.values()].map((file) => file.close()));
    },
  };
}

/** What of an output line is an error for a human: the message of a log line of level error or fatal, or the head of a crash's text or sentence. */
export function decideErrorText(line: string): { text?: string; isLogged: boolean } {
  if (line.startsWith('{')) {
    try {
      const { level, msg, error } = JSON.parse(line) as { level?: string; msg?: string; error?: { message?: string } };
      if (level !== 'error' && level !== 'fatal') return { isLogged: false };
      const reason = error?.message ? `: ${error.message.split('\n')[0]}` : '';
      return { text: `${msg ?? 'error'}${reason}`, isLogged: true };
    } catch {
      return { isLogged: false };
    }
  }
  const text = readableError(line);
  if (text !== undefined) return { text, isLogged: true };
  return /^(?:\w*Error\b|Uncaught|Port \d+ )/.test(line) ? { text: line, isLogged: false } : { isLogged: false };
}

/** Lines that cannot be written are lost, and their process goes on: a disk that is full ends nothing. */
class RotatingFile {
  private bytes = 0;
  /** Null while the file cannot be written to. */
  private stream: WriteStream | null = null;
  private triedAtMs = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly path: string,
    private readonly failed: (reason: string) => void,
  ) {}

  write(line: string): void {
    if (this.bytes > fileBytesMax) this.rotate();
    const stream = this.stream ?? this.open();
    if (!stream) return;
    const text = `${line}\n`;
    this.bytes += Buffer.byteLength(text);
    stream.write(text);
  }

  close(): Promise<void> {
    const { stream } = this;
    return stream ? new Promise((resolve) => stream.once('close', resolve).end()) : Promise.resolve();
  }

  private open(): WriteStream | null {
    if (performance.now() - this.triedAtMs < retryMs) return null;
    this.triedAtMs = performance.now();
    this.bytes = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    const stream = createWriteStream(this.path, { flags: 'a', mode: 0o600 });
    stream.on('error', ({ message }) => {
      if (this.stream === stream) this.stream = null;
      this.failed(message);
    });
    this.stream = stream;
    return stream;
  }

  /** Where that fails it goes on in the file that it has, for as much again. */
  private rotate(): void {
    this.bytes = 0;
    try {
      renameSync(this.path, `${this.path}.1`);
    } catch (error) {
      this.failed(String(error));
      return;
    }
    this.stream?.end();
    this.stream = null;
    this.triedAtMs = Number.NEGATIVE_INFINITY;
  }
}
