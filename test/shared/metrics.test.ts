// What one process tells for all leaves its metrics a while after another tells it.
import { register } from 'prom-client';
import { createMetrics } from '../../subgraphs/shared/log/metrics';

const minuteMs = 60_000;

afterEach(() => jest.useRealTimers());

const shown = async (name: string) => (await register.getSingleMetric(name)?.get())?.values.map(({ value }) => value);

test.each<['raisedOutcomes' | 'unknownOutcomes' | 'mailsGivenUp' | 'mailsWaiting', string, number]>([
  ['raisedOutcomes', 'acquirer_outcomes_raised', 5],
  ['unknownOutcomes', 'unknown_outcomes', 5],
  ['mailsGivenUp', 'mails_given_up', 5],
  ['mailsWaiting', 'mails_waiting', 5],
])('%s are gone from %s %d minutes after they were told last', async (told, name, minutes) => {
  jest.useFakeTimers();
  const gauge = createMetrics()[told];
  expect(await shown(name)).toEqual([0]);
  gauge.set(3);
  jest.advanceTimersByTime((minutes - 1) * minuteMs);
  expect(await shown(name)).toEqual([3]);
  gauge.set(2);
  jest.advanceTimersByTime((minutes - 1) * minuteMs);
  expect(await shown(name)).toEqual([2]);
  jest.advanceTimersByTime(2 * minuteMs);
  expect(await shown(name)).toEqual([0]);
});
