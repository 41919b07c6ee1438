// Limits on waiting: kept when nothing comes, and not run out by a process that stood still while the answer lay there.
import { stat } from 'node:fs/promises';
import { createDeadline, inTime, startDeadline } from '../../subgraphs/shared/deadline';
import { standStill } from '../support/stand-still';

const late = () => new Error('late');
const never = new Promise<never>(() => undefined);

describe('inTime', () => {
  it.each([
    ['a value', () => Promise.resolve(7), 7],
    ['a rejection', () => Promise.reject(new Error('no')), 'no'],
    ['nothing', () => never, 'late'],
  ])('of %s', async (_name, make, told) => {
    const outcome = inTime<unknown>(make(), 20, late).catch((error: Error) => error.message);
    expect(await outcome).toBe(told);
  });

  it('takes the answer that came while the process stood still beyond the limit', async () => {
    const answer = inTime(stat(__filename), 30, late);
    standStill(300);
    expect((await answer).isFile()).toBe(true);
  });

  it('counts a standstill as one look of many', async () => {
    const answer = inTime(new Promise((resolve) => setTimeout(resolve, 1_100, 'there')), 1_500, late);
    standStill(1_600);
    expect(await answer).toBe('there');
  });
});

it('a deadline that was stopped does not come, also when it is due already', async () => {
  let isOver = false;
  const stop = startDeadline(1, () => {
    isOver = true;
  });
  standStill(20);
  stop();
  await inTime(never, 50, late).catch(() => undefined);
  expect(isOver).toBe(false);
});

it('the deadline of a loop counts at most half a second between two looks', () => {
  const isOver = createDeadline(600);
  standStill(700);
  expect(isOver()).toBe(false);
  standStill(150);
  expect(isOver()).toBe(true);
});
