// The metrics of all application processes as one text; a process that is starting, gone or busy is left out instead of waited for.
import type { ChildProcess } from 'node:child_process';
import { AggregatorRegistry, type MetricObject, Registry } from 'prom-client';
import type { MetricsSource } from '../metrics-endpoint';
import type { ToLauncher, ToProcess } from '../supervised';

const answerMsMax = 1_000;
let requests = 0;

/** Asks the processes that serve at that moment. */
export function mergedMetrics(processes: () => ChildProcess[]): MetricsSource {
  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    read: async () => {
      const answers = await Promise.all(processes().map(askForMetrics));
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
