// A case that is an HTTP server under load: rate, latency, and CPU per request of the processes behind it.
import type { Case } from './benchmark';
import type { LoadProcess, LoadRequest } from './http-load';
import { cpuSeconds, rssMb } from './server-process';

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
      const before = cpuSeconds(pids);
      const databaseBefore = cpuSeconds(databasePids);
      const { completed, seconds: took, p50Ms, p99Ms } = await load.run({ ...request, seconds });
      const after = cpuSeconds(pids);
      const databaseAfter = cpuSeconds(databasePids);
      const perRequest = (from: number | null, to: number | null) =>
        from === null || to === null ? null : ((to - from) * 1e6) / completed;
      return {
        rate: completed / took,
        p50Ms,
        p99Ms,
        cpuMicros: perRequest(before, after),
        databaseCpuMicros: databasePids.length > 0 ? perRequest(databaseBefore, databaseAfter) : null,
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
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...(body ? { body } : {}) });
  return `${answer.status} ${(await answer.text()).trim()}`;
}
