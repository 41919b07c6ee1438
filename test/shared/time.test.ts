// Calendar formats of the card document, on both sides of each edge.
import { addMonths, endOfMonth, isMonthYear, parseCompactInstant, printMonthYear } from '../../subgraphs/shared/time';

test.each([
  ['012027', true],
  ['122027', true],
  ['002027', false],
  ['132027', false],
  ['12027', false],
  ['0120277', false],
  ['1a2027', false],
])('%p is a month: %p', (value, expected) => {
  expect(isMonthYear(value)).toBe(expected);
});

test('a month is valid until its last instant', () => {
  expect(endOfMonth('022028').toISOString()).toBe('2028-03-01T00:00:00.000Z');
  expect(endOfMonth('122027').toISOString()).toBe('2028-01-01T00:00:00.000Z');
});

test.each([
  ['112026', 36, '112029'],
  ['122026', 1, '012027'],
  ['012026', 0, '012026'],
])('%p and %p months is %p', (from, months, expected) => {
  expect(addMonths(from, months)).toBe(expected);
});

test('a date prints as its month in UTC', () => {
  expect(printMonthYear(new Date('2026-12-31T23:59:59.999Z'))).toBe('122026');
});

test.each([
  ['20280229235959', '2028-02-29T23:59:59.000Z'],
  ['20270229000000', null],
  ['20261331000000', null],
  ['20261121240000', null],
  ['20261121236000', null],
  ['20261121235960', null],
  ['2026112123595', null],
  ['2026-11-21T00:00', null],
])('%p is %p', (value, expected) => {
  expect(parseCompactInstant(value)?.toISOString() ?? null).toBe(expected);
});
