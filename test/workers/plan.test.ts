// Order per virtual account: first attempts in order, never two in flight, waiting at most until the first retry.
import type { Blocker, DueCallback } from '../../subgraphs/notifications';
import { planCallbacks } from '../../workers/callback-order';
import fc from '../support/properties';

const now = new Date('2030-01-01T00:00:00Z');
const later = new Date(now.getTime() + 5_000);

type Row = {
  id: string;
  key?: string;
  position: number;
  tries?: number;
  ordered?: boolean;
  status?: 'PENDING' | 'SENDING';
  dueAt?: Date;
  address?: string | null;
};

function plan(rows: Row[]) {
  const blockers = rows.map(
    ({
      id,
      key = 'k',
      position,
      tries = 0,
      ordered = tries < 2,
      status = 'PENDING',
      dueAt = now,
      address = null,
    }): Blocker => ({
      _id: id,
      orderingKey: key,
      address,
      position,
      tries,
      ordered,
      status,
      dueAt,
    }),
  );
  const due = blockers.filter(({ status, dueAt }) => status === 'PENDING' && dueAt <= now) as unknown as DueCallback[];
  const dueIds = due.map(({ _id }) => _id);
  const relevant = blockers.filter(
    ({ _id, ordered, status }) => !dueIds.includes(_id) && (ordered || status === 'SENDING'),
  );
  const { send, defer, waiting } = planCallbacks(due, relevant, now);
  return {
    send: send.map(({ _id }) => _id),
    defer: defer.map(({ callbackId, until }) => [callbackId, until]),
    waiting: waiting.length,
  };
}

test.each<[string, Row[], ReturnType<typeof plan>]>([
  [
    'different keys go together',
    [
      { id: 'a', key: 'x', position: 1 },
      { id: 'b', key: 'y', position: 2 },
    ],
    { send: ['a', 'b'], defer: [], waiting: 0 },
  ],
  [
    'of one key the first goes',
    [
      { id: 'a', position: 1 },
      { id: 'b', position: 2 },
      { id: 'c', position: 3 },
    ],
    { send: ['a'], defer: [], waiting: 2 },
  ],
  [
    'none goes while one of the key is in flight',
    [
      { id: 'a', position: 1, status: 'SENDING' },
      { id: 'b', position: 2 },
    ],
    { send: [], defer: [], waiting: 1 },
  ],
  [
    'others wait for the first retry',
    [
      { id: 'a', position: 1, tries: 1, dueAt: later },
      { id: 'b', position: 2 },
      { id: 'c', position: 3 },
    ],
    {
      send: [],
      defer: [
        ['b', later],
        ['c', later],
      ],
      waiting: 0,
    },
  ],
  [
    'the retry goes before those who waited',
    [
      { id: 'a', position: 1, tries: 1 },
      { id: 'b', position: 2 },
    ],
    { send: ['a'], defer: [], waiting: 1 },
  ],
  [
    'after the first retry they overtake',
    [
      { id: 'a', position: 1, tries: 2, dueAt: later },
      { id: 'b', position: 2 },
    ],
    { send: ['b'], defer: [], waiting: 0 },
  ],
  [
    'an overtaken retry waits for what is in flight',
    [
      { id: 'a', position: 1, tries: 2 },
      { id: 'b', position: 2, status: 'SENDING' },
    ],
    { send: [], defer: [], waiting: 1 },
  ],
  [
    'a redelivery neither waits for earlier ones',
    [
      { id: 'a', position: 1, tries: 1, dueAt: later },
      { id: 'b', position: 2, ordered: false },
    ],
    { send: ['b'], defer: [], waiting: 0 },
  ],
  [
    'nor holds up later ones',
    [
      { id: 'a', position: 1, ordered: false, dueAt: later },
      { id: 'b', position: 2 },
    ],
    { send: ['b'], defer: [], waiting: 0 },
  ],
  [
    'an earlier one that is not among the due is waited for',
    [
      { id: 'b', position: 2 },
      { id: 'a', position: 1, dueAt: later },
    ],
    { send: [], defer: [['b', later]], waiting: 0 },
  ],
])('%s', (_name, rows, expected) => expect(plan(rows)).toEqual(expected));

test('never two of a key at once, and never a first attempt before an earlier one of its key', () => {
  const rows = fc.array(
    fc.record({
      key: fc.constantFrom('x', 'y', 'z'),
      tries: fc.integer({ min: 0, max: 3 }),
      status: fc.constantFrom('PENDING', 'PENDING', 'PENDING', 'SENDING'),
      isLater: fc.boolean(),
    }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(rows, (records) => {
      const all: Row[] = records.map(({ key, tries, status, isLater }, index) => ({
        id: String(index),
        key,
        tries,
        status: status as 'PENDING',
        position: index + 1,
        dueAt: isLater ? later : now,
      }));
      const { send } = plan(all);
      const sent = all.filter(({ id }) => send.includes(id));
      const flying = [...sent, ...all.filter(({ status }) => status === 'SENDING')].map(({ key }) => key);
      const isFirstAttemptEarly = sent.some(
        ({ key, tries, position }) =>
          tries === 0 && all.some((other) => other.key === key && other.position < position && (other.tries ?? 0) < 2),
      );
      return (
        new Set(flying.filter((key) => sent.some((one) => one.key === key))).size ===
          flying.filter((key) => sent.some((one) => one.key === key)).length && !isFirstAttemptEarly
      );
    }),
    { numRuns: 3_000 },
  );
});

test('two addresses of one endpoint wait for each other no more than two endpoints do', () => {
  const rows = [
    { id: 'a', position: 1, address: 'https://shop.example/1', status: 'SENDING' as const },
    { id: 'b', position: 1, address: 'https://shop.example/2' },
    { id: 'c', position: 2, address: 'https://shop.example/1' },
  ];
  expect(plan(rows)).toMatchObject({ send: ['b'], waiting: 1 });
});
