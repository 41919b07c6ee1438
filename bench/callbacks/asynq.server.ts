// Another language's queue: passes the benchmark's orders on to the Go program beside it, line by line.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { readSettings, sayReady, serveBatches } from '../support/server-side';

export interface AsynqSettings {
  binary: string;
  redisUrl: string;
  sinkPort: number;
}

const { binary, redisUrl, sinkPort } = readSettings<AsynqSettings>();
const child = spawn(binary, [redisUrl, `http://127.0.0.1:${sinkPort}/asynq/notify-update`], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
child.once('exit', (code) => process.exit(code ?? 1));
process.once('exit', () => child.kill('SIGKILL'));
const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();

/** The seconds that the program says it took. */
async function ask(line: string): Promise<number> {
  child.stdin.write(`${line}\n`);
  const { value } = await answers.next();
  return Number(value);
}

serveBatches({
  prepare: async (count) => void (await ask(`prepare ${count}`)),
  run: () => ask('run'),
});
if (child.pid) sayReady(0, [child.pid]);
