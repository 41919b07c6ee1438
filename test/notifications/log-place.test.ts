// Places in the whole log: printed and read again, compared, and given to events so that a stream resumed behind any of them tells exactly the rest.
import { nextGoal } from '../../gateway/subscriptions/log-follower';
import { eventsOf, type PlacedEvent } from '../../gateway/subscriptions/log-walk';
import { covers, isSamePlace, type LogStep, type StreamPlace } from '../../subgraphs/notifications';
import { createEventCursors } from '../../subgraphs/notifications/events/event-cursor';
import { floorOf } from '../../subgraphs/notifications/events/replay-floor';

const cursors = createEventCursors({ environment: 'sandbox', CURSOR_KEY: Buffer.alloc(32, 1).toString('base64') });
const others = createEventCursors({ environment: 'production', CURSOR_KEY: Buffer.alloc(32, 1).toString('base64') });

const places: [string, StreamPlace][] = [
  ['an empty log', { layout: 0, numbers: [] }],
  ['one lane', { layout: 1, numbers: [7] }],
  ['within a segment', { layout: 1, numbers: [7, 0], part: { lane: 1, count: 12 } }],
  ['as many lanes as there can be', { layout: 12, numbers: Array(64).fill(999_999_999) }],
];

test.each(places)('%s is the same when it comes back', (_name, place) => {
  expect(cursors.parseAny(cursors.printPlace(place))).toEqual(place);
});

test('a position of one owner comes back as a position', () => {
  expect(cursors.parseAny(cursors.printCursor(42))).toBe(42);
});

test.each([
  ['nothing', ''],
  ['a text', 'nonsense'],
  ['a place that was altered', cursors.printPlace({ layout: 1, numbers: [7] }).replace(/^../, 'Mj')],
  ['a place of another environment', others.printPlace({ layout: 1, numbers: [7] })],
  ['a seal alone', `.${cursors.printCursor(1).split('.')[1]}`],
  ['a cursor and more', `${cursors.printCursor(1)}.x`],
  ['a long text', 'x'.repeat(2_000)],
])('%s is refused', (_name, cursor) => {
  expect(() => cursors.parseAny(cursor)).toThrow('not a cursor of this log');
});

test('a place of the whole log is none among the events of one owner', () => {
  expect(() => cursors.parseCursor(cursors.printPlace({ layout: 1, numbers: [7] }))).toThrow('no place in this list');
});

test.each<[StreamPlace, StreamPlace, boolean]>([
  [{ layout: 1, numbers: [3, 4] }, { layout: 1, numbers: [3, 4] }, true],
  [{ layout: 1, numbers: [3, 4] }, { layout: 1, numbers: [4, 4] }, false],
  [{ layout: 2, numbers: [0] }, { layout: 1, numbers: [9, 9] }, true],
  [{ layout: 1, numbers: [9, 9] }, { layout: 2, numbers: [0] }, false],
  [{ layout: 1, numbers: [3, 4] }, { layout: 1, numbers: [3, 4], part: { lane: 1, count: 1 } }, false],
  [{ layout: 1, numbers: [3, 5] }, { layout: 1, numbers: [3, 4], part: { lane: 1, count: 1 } }, true],
])('%j covers %j: %s', (place, other, expected) => {
  expect(covers(place, other)).toBe(expected);
});

test('a stream that is resumed behind any of its events, and again behind any of the rest, tells each event once', () => {
  const sizes = [
    { lane: 0, number: 1, size: 1 },
    { lane: 0, number: 2, size: 4 },
    { lane: 1, number: 1, size: 3 },
    { lane: 1, number: 2, size: 2 },
  ];
  const segments = sizes.map(({ size, ...place }) => ({
    layout: 1,
    ...place,
    heads: Array.from({ length: size }, (_, index) => ({ _id: `${place.lane}:${place.number}:${index}` })),
  })) as unknown as LogStep['segments'];
  const end = { layout: 1, numbers: [2, 2] };
  /** As a replay reads: up to its next goal, and from there on. */
  const follow = (from: StreamPlace): PlacedEvent[] => {
    const goal = nextGoal(from, end);
    const step = segments.filter(
      ({ lane, number }) => number > (from.numbers[lane] ?? 0) && number <= (goal.numbers[lane] ?? 0),
    );
    const told = eventsOf({ segments: step }, from);
    return from.part ? [...told, ...follow(goal)] : told;
  };
  const idsOf = (events: readonly PlacedEvent[]) => events.map(({ _id }) => _id);
  const all = follow({ layout: 1, numbers: [0, 0] });
  expect(all).toHaveLength(10);
  expect(isSamePlace(all.at(-1)?.place as StreamPlace, end)).toBe(true);
  all.forEach(({ place }, index) => {
    const rest = follow(place);
    const told = all.slice(0, index + 1);
    expect([...idsOf(told), ...idsOf(rest)].sort()).toEqual(idsOf(all).sort());
    rest.forEach((event, at) => {
      const again = [...told, ...rest.slice(0, at + 1), ...follow(event.place)];
      expect(idsOf(again).sort()).toEqual(idsOf(all).sort());
    });
  });
});

interface LaneNumber {
  lane: number;
  number: number;
}

test.each<[string, StreamPlace, StreamPlace | null]>([
  ['all lanes are young', { layout: 1, numbers: [2, 1] }, null],
  [
    'a segment that is half told is young, and all else',
    { layout: 1, numbers: [2, 1], part: { lane: 0, count: 2 } },
    null,
  ],
  ['two lanes have what is old', { layout: 1, numbers: [0, 0] }, { layout: 1, numbers: [2, 1] }],
  [
    'a segment that is half told is young, but the other lane has what is old',
    { layout: 1, numbers: [2, 0], part: { lane: 0, count: 2 } },
    { layout: 1, numbers: [2, 1], part: { lane: 0, count: 2 } },
  ],
  [
    'a segment that is half told is old',
    { layout: 1, numbers: [1, 1], part: { lane: 0, count: 2 } },
    { layout: 1, numbers: [2, 1] },
  ],
])('the floor of a replay where %s', async (_name, place, expected) => {
  // The first two of one lane are old, and the first of the other.
  const ends = [
    { layout: 1, lane: 0, number: 4, old: 2 },
    { layout: 1, lane: 1, number: 3, old: 1 },
  ];
  const reads = {
    lanes: { ends: async () => ends },
    segments: {
      after: async (places: LaneNumber[]) => places.map((one) => ({ heads: [{ ...one, number: one.number + 1 }] })),
    },
    bodies: async (heads: LaneNumber[]) =>
      heads.map(({ lane, number }) => ({ occurredAt: new Date(number > (ends[lane]?.old ?? 0) ? 2_000 : 1_000) })),
  };
  expect(await floorOf(reads as never, place, new Date(1_500))).toEqual(expected);
});
