// The checker of order finds what it is for.
import { inversions } from './order-audit';

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
