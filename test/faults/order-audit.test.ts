// The checker of order finds what it is for.
import { inversions, wrongPositions, wrongSegments } from './order-audit';

const life = (...sequences: number[]) =>
  sequences.map((number, index) => ({ life: 'payment', number, place: index + 1 }));

test.each([
  [[2, 1], 1],
  [[1, 3, 2], 1],
  [[3, 2, 1], 2],
  [[1, 2, 3], 0],
])('of %j it tells %d', (sequences, count) => {
  expect(inversions(life(...sequences))).toHaveLength(count);
});

test('lives are judged each for itself, by place and not by the order in which they were read', () => {
  const one = life(1, 2);
  const other = one.map((each, index) => ({ ...each, life: 'other', place: 2 - index }));
  expect(inversions([...one].reverse())).toEqual([]);
  expect(inversions([...one, ...other])).toEqual(['other: 1 at 2, behind 2 at 1']);
});

const placed = (slot: number, position: number) => ({ _id: `${slot}-${position}`, slot, position });
const segment = (id: string, ...heads: ReturnType<typeof placed>[]) => ({ _id: id, heads });

test.each([
  [[placed(1, 1), placed(2, 1), placed(1, 2)], 0],
  [[placed(1, 1), placed(1, 3)], 1],
  [[placed(1, 1), placed(1, 1)], 1],
  [[placed(1, 2)], 1],
])('of the positions %j it tells %d', (events, count) => {
  expect(wrongPositions(events)).toHaveLength(count);
});

test.each([
  [
    'whole',
    [segment('1:0:1', placed(1, 1), placed(2, 1)), segment('1:0:2', placed(1, 2)), segment('2:0:1', placed(1, 3))],
    0,
  ],
  ['a segment that is missing', [segment('1:0:1', placed(1, 1), placed(2, 1)), segment('1:0:3', placed(1, 2))], 1],
  ['an event that is told twice', [segment('1:0:1', placed(1, 1), placed(2, 1)), segment('1:0:2', placed(1, 1))], 2],
  ['an event that none tells', [segment('1:0:1', placed(1, 1), placed(2, 1)), segment('1:0:2', placed(1, 3))], 2],
  ['another position than the event has', [segment('1:0:1', { ...placed(1, 1), _id: '2-1' })], 2],
])('of segments it tells %s', (_case, segments, count) => {
  const events = [placed(1, 1), placed(2, 1), placed(1, 2), placed(1, 3)];
  expect(wrongSegments(segments, events)).toHaveLength(count);
});
