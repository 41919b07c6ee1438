// A thread that answers what it is asked: each question has an id, the process lives while somebody waits, and whoever waits hears when the thread ends.
import { Worker, type WorkerOptions } from 'node:worker_threads';

export interface AnsweringThread<Question, Answer> {
  /** How many wait for an answer. */
  readonly waiting: number;
  /** Null: the thread ended before it had answered. */
  ask(question: Question): Promise<Answer | null>;
  /** What wants no answer. */
  tell(message: unknown): void;
  /** Ends it; resolves when it has ended. */
  end(): Promise<unknown>;
}

/** Starts one, without the environment and the flags of this process. `onEnd` is called before those who wait are told. */
export function startAnsweringThread<Question, Answer extends { id: number }>(
  script: string,
  options: Pick<WorkerOptions, 'name' | 'eval' | 'workerData' | 'resourceLimits'>,
  onEnd: () => void,
): AnsweringThread<Question, Answer> {
  const worker = new Worker(script, { ...options, env: {}, execArgv: [] });
  const waiting = new Map<number, (answer: Answer | null) => void>();
  let lastId = 0;

  function settle(id: number, answer: Answer | null): void {
    const resolve = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    resolve?.(answer);
  }

  worker.on('message', (answer: Answer) => settle(answer.id, answer));
  worker.on('error', () => undefined); // 'exit' follows
  worker.on('exit', () => {
    onEnd();
    for (const id of [...waiting.keys()]) settle(id, null);
  });
  worker.unref();

  return {
    get waiting() {
      return waiting.size;
    },
    ask(question) {
      lastId += 1;
      const id = lastId;
      if (waiting.size === 0) worker.ref();
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        worker.postMessage({ ...question, id });
      });
    },
    tell: (message) => worker.postMessage(message),
    end: () => worker.terminate(),
  };
}
