// The metrics of all application processes as one text. One that is too busy to answer stands there as it last was: without it a counter would fall and rise
// again, which Prometheus takes for a new start and counts a second time.
import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry, type MetricObject, Registry } from 'prom-client';
import type { MetricsSource } from '../metrics-endpoint';
import type { ToLauncher, ToProcess } from '../supervised';

const answerMsMax = 1_000;
let requests = 0;

/** Asks the processes that serve at that moment. */
export function mergedMetrics(processes: () => ChildProcess[]): MetricsSource {
  const lastAnswers = new WeakMap<ChildProcess, MetricObject[]>();
  const metricsOf = async (child: ChildProcess): Promise<MetricObject[] | undefined> => {
    const answer = await askForMetrics(child);
    if (answer) lastAnswers.set(child, answer);
    return answer ?? lastAnswers.get(child);
  };
  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    read: async () => {
      const answers = await Promise.all(processes().map(metricsOf));
      return AggregatorRegistry.aggregate(answers.filter((answer) => answer !== undefined)).metrics();
    },
  };
}

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
