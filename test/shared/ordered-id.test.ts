// Ids ordered by time: UUIDs of version 7 that count up within a process.
import { isUuid, newOrderedId } from '../../subgraphs/shared/ids';

it('is a UUID of version 7 that begins with the time', () => {
  const before = Date.now();
  const id = newOrderedId();
  const after = Date.now();
  expect(isUuid(id)).toBe(true);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
  const ms = Number.parseInt(id.replace('-', '').slice(0, 12), 16);
  expect(ms).toBeGreaterThanOrEqual(before);
  expect(ms).toBeLessThanOrEqual(after + 1);
});

it('counts up, beyond what one millisecond has room for, and never repeats', () => {
  const ids = Array.from({ length: 20_000 }, newOrderedId);
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
