// The metrics of all application processes as one text, in which no counter falls: Prometheus takes a fall for a new start and counts what is there a second
// time. One that is too busy to answer stands there as it last was, and what one that ended had counted stays.
import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry, type MetricObject, Registry } from 'prom-client';
import type { MetricsSource } from '../metrics-endpoint';
import type { ToLauncher, ToProcess } from '../supervised';

const answerMsMax = 1_000;
const countedTypes: ReadonlySet<string> = new Set(['counter', 'histogram']);
let requests = 0;

/** Asks the processes that serve at that moment. */
export function mergedMetrics(processes: () => ChildProcess[]): MetricsSource {
  const lastAnswers = new Map<ChildProcess, MetricObject[]>();
  let ended: MetricObject[] = [];
  const ask = async (child: ChildProcess): Promise<void> => {
    const answer = await askForMetrics(child);
    if (answer) lastAnswers.set(child, answer);
  };
  const keepWhatEndedCounted = () => {
    for (const [child, last] of lastAnswers) {
      if (child.exitCode === null && child.signalCode === null) continue;
      lastAnswers.delete(child);
      ended = merge([ended, last.filter(({ type }) => countedTypes.has(String(type)))]).getMetricsAsArray();
    }
  };
  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    read: async () => {
      await Promise.all(processes().map(ask));
      keepWhatEndedCounted();
      return merge([ended, ...lastAnswers.values()]).metrics();
    },
  };
}

const merge = (answers: MetricObject[][]) => AggregatorRegistry.aggregate(answers);

function askForMetrics(child: ChildProcess): Promise<MetricObject[] | undefined> {
  const request = ++requests;
  return new Promise((resolve) => {
    const finish = (metrics?: MetricObject[]) => {
      clearTimeout(timer);
      child.off('message', listen);
      resolve(metrics);
    };
    const listen = (message: ToLauncher) => {
      if (message?.type === 'metrics' && message.request === request) finish(message.metrics);
    };
    const timer = setTimeout(finish, answerMsMax);
    child.on('message', listen);
    const question: ToProcess = { type: 'metrics', request };
    child.send(question, (error) => error && finish());
  });
}
