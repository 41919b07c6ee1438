// Ids ordered by time: UUIDs of version 7 that count up within a process; and ids that tell their slot.
import {
  isUuid,
  newHiddenId,
  newId,
  newOrderedId,
  slotOfId,
  slotOfOrderedId,
  uuidOf,
} from '../../subgraphs/shared/ids';
import { slotCount } from '../../subgraphs/shared/store/slot';

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

const everySlot = Array.from({ length: slotCount }, (_, slot) => slot);

it.each([
  ['ordered', newOrderedId, /-7[c-f][0-9a-f]{2}-[89ab]/],
  ['hidden', newHiddenId, /-8[c-f][0-9a-f]{2}-[89ab]/],
] as const)('an %s id tells the slot that it was made with, and is a UUID', (_kind, make, pattern) => {
  const ids = everySlot.map((slot) => make(slot));
  expect(ids.map(slotOfId)).toEqual(everySlot);
  expect(ids.map((id) => slotOfId(id.toUpperCase()))).toEqual(everySlot);
  expect(ids.filter((id) => !isUuid(id) || !pattern.test(id))).toEqual([]);
});

it('ids of one slot count up, beyond what one millisecond has room for, and never repeat', () => {
  const ids = Array.from({ length: 20_000 }, () => newOrderedId(1_023));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

it('an ordered id with a slot begins with the time', () => {
  const before = Date.now();
  const ms = Number.parseInt(newOrderedId(7).replace('-', '').slice(0, 12), 16);
  // Those above ran ahead of it.
  expect(ms).toBeGreaterThanOrEqual(before);
  expect(ms).toBeLessThan(before + 60_000);
});

it.each([
  ['an id without a slot, however many are made', () => newOrderedId()],
  ['a random one', () => newId()],
  ['a name', () => 'payment-1'],
  ['nothing', () => ''],
])('%s tells none', (_case, make) => {
  expect(Array.from({ length: 20_000 }, make).filter((id) => slotOfId(id) !== null)).toEqual([]);
});

it('of ids made of names some tell one by chance, so where there may be such only what begins with the time is believed', () => {
  const named = Array.from({ length: 1_000 }, (_, index) => uuidOf(String(index)));
  const told = named.filter((id) => slotOfId(id) !== null);
  expect(told.length).toBeGreaterThan(150);
  expect(told.length).toBeLessThan(350);
  expect(named.filter((id) => slotOfOrderedId(id) !== null)).toEqual([]);
  expect([newOrderedId(5), newOrderedId(), newHiddenId(5), newId()].map(slotOfOrderedId)).toEqual([
    5,
    null,
    null,
    null,
  ]);
});
