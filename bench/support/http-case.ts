// A case that is an HTTP server under load: rate, latency, and CPU per request of the processes behind it.
import type { Case } from './benchmark';
import { countCpu } from './cpu-count';
import type { LoadProcess, LoadRequest } from './http-load';
import { rssMb } from './server-process';

export interface HttpCase {
  name: string;
  kind: Case['kind'];
  request: Omit<LoadRequest, 'seconds'>;
  /** Processes whose CPU and memory count as the server's. */
  pids: number[];
  databasePids?: number[];
}

export function httpCase(load: LoadProcess, { name, kind, request, pids, databasePids = [] }: HttpCase): Case {
  return {
    name,
    kind,
    pids,
    async measure(seconds) {
      const counted = countCpu(pids, databasePids);
      const { completed, seconds: took, p50Ms, p99Ms } = await load.run({ ...request, seconds });
      return {
        rate: completed / took,
        p50Ms,
        p99Ms,
        ...counted(completed),
        rssMb: rssMb(pids),
      };
    },
  };
}

/** One answer of each case; throws when two differ in status or body, because then they do not do the same work. */
export async function compareAnswers(cases: readonly HttpCase[]): Promise<string> {
  const answers = await Promise.all(cases.map(answerOf));
  const [first] = answers;
  answers.forEach((answer, index) => {
    if (answer !== first)
      throw new Error(`${cases[index]?.name} answers otherwise than ${cases[0]?.name}:\n${answer}\n${first}`);
  });
  return first ?? '';
}

async function answerOf({ request }: HttpCase): Promise<string> {
  const { method, path, headers, body, port } = request;
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
  return `${answer.status} ${(await answer.text()).trim()}`;
}
