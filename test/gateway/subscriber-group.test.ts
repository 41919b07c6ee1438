// Many subscribers of the same events: whatever else the process serves comes in between their frames, each gets its events in order, and who comes or goes meanwhile gets what is his.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PlacedEvent } from '../../gateway/subscriptions/log-walk';
import { createSubscriberGroup, type Member } from '../../gateway/subscriptions/subscriber-group';
import type { PreparedSubscription } from '../../gateway/subscriptions/subscription-document';
import { silentLog, staff } from './fixture';

const memberCount = 2_500;
const subscription = {
  query: {
    execute: async ({ ids }: { ids: string[] }) => ({ data: { told: ids.map((eventId) => ({ eventId })) } }),
  },
  responseName: 'told',
  eventsVariable: 'ids',
  variables: {},
  cursorNames: new Map(),
  follows: { field: 'tokenEvents' },
} as unknown as PreparedSubscription;
const events = {
  printPlace: () => '',
  printCursor: () => '',
  withWords: async () => new Set<string>(),
};

interface Heard extends Member {
  heard: string[];
}

let written = 0;

function newMember(from = 0, onWrite: (member: Heard) => void = () => undefined): Heard {
  const member: Heard = {
    id: 's',
    from,
    heard: [],
    tooSlow: () => undefined,
    giveUp: () => undefined,
    sink: {
      writableLength: 0,
      write(frame: Buffer) {
        written += 1;
        member.heard.push(/event-\d/.exec(frame.toString('latin1'))?.[0] ?? '');
        onWrite(member);
      },
    } as unknown as Member['sink'],
  };
  return member;
}

const eventAt = (position: number) =>
  ({ _id: `event-${position}`, aggregateType: 'virtualAccount', type: 'x', position }) as PlacedEvent;

function newGroup(members: readonly Member[]) {
  const group = createSubscriberGroup({ subscription, caller: staff, events, log: silentLog, bufferBytesMax: 1_000 });
  for (const member of members) group.add(member);
  return group;
}

/** Delivers two events; resolves with the most frames that were written without a turn for anybody else. */
async function deliver(group: ReturnType<typeof newGroup>, isDone: () => boolean): Promise<number> {
  let most = 0;
  group.deliver([eventAt(1), eventAt(2)]);
  for (let before = written; ; before = written) {
    await nextTurn();
    most = Math.max(most, written - before);
    if (isDone()) return most;
  }
}

test('two events to many subscribers leave turns to everybody else, in order for each', async () => {
  const members = Array.from({ length: memberCount }, () => newMember());
  const isDone = () => members.every(({ heard }) => heard.length === 2);
  expect(await deliver(newGroup(members), isDone)).toBeLessThanOrEqual(500);
  expect(new Set(members.map(({ heard }) => heard.join(' ')))).toEqual(new Set(['event-1 event-2']));
});

test('who leaves between two turns gets nothing more, and who joins gets what comes behind his place', async () => {
  const late = newMember(1);
  const last = newMember();
  let group: ReturnType<typeof newGroup> | undefined;
  const first = newMember(0, () => {
    group?.remove(last);
    group?.add(late);
  });
  const others = Array.from({ length: memberCount }, () => newMember());
  group = newGroup([first, ...others, last]);
  await deliver(group, () => others.every(({ heard }) => heard.length === 2) && late.heard.length === 1);
  expect([last.heard, late.heard]).toEqual([[], ['event-2']]);
});
