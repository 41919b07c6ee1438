// What a payment asks of the database: every statement of a request that comes alone, and how requests that come together share them (commits, which the profiler does not see, not counted).
import { newId } from '../../subgraphs/shared/ids';
import { type CheckoutWorld, card, openCheckoutWorld } from './checkout-world';

const together = 16;

let world: CheckoutWorld;
beforeAll(async () => {
  world = await openCheckoutWorld();
  await paid(await entered(await built()));
});
afterAll(() => world?.close());

const caller = () => ({ caller: world.explicit });
/** The same under an Idempotency-Key of its own. */
const keyed = () => ({ ...caller(), idempotency: { key: newId(), scope: 'POST /x', fingerprint: 'body' } });
const sessionOf = ({ code, data }: { code: unknown; data: { sessionId?: string; state?: string } | null }) => {
  expect(code).toBeNull();
  return data?.sessionId ?? '';
};
const built = async (options = caller()) => sessionOf(await world.build({}, {}, options));
const entered = async (sessionId: string) => {
  sessionOf(await world.run('FillCheckoutCard', { sessionId, card: card() }));
  return sessionId;
};
const paid = async (sessionId: string, options = caller()) => {
  const { data } = await world.run('FinalizeCheckout', { sessionId }, options);
  expect(data.operation.operationResult).toBe('AUTHORIZED');
  return data.operation.operationId as string;
};
const captured = async (operationId: string, options = caller()) => {
  const { code } = await world.run(
    'CaptureOperation',
    { operationId, input: { amount: '5000', currency: 'EUR' } },
    options,
  );
  expect(code).toBeNull();
};

/** The statements of `act`, in the order in which they ended. */
async function statementsOf(act: () => Promise<unknown>): Promise<string[]> {
  const database = world.stores.connection.db;
  await database?.command({ profile: 2 });
  await act();
  await database?.command({ profile: 0 });
  const rows = await world.documents('system.profile', {
    op: { $in: ['query', 'update', 'insert', 'remove', 'command'] },
  });
  await database?.dropCollection('system.profile');
  // Keys of the vault are fetched again now and then.
  const own = rows.filter(({ ns }) => !/\.(system\.profile|data_keys_\w+)$/.test(String(ns)));
  return own
    .filter(({ command }) => !isOncePerSecond(command))
    .filter(({ command }) => command.profile === undefined)
    .map(({ op, ns }) => `${op} ${String(ns).split('.')[1]}`);
}

/** Whether any former request is known by its key: asked again by whoever comes a second later, which on a machine that stands still is anybody. */
function isOncePerSecond({ find, filter }: { find?: string; filter?: { requestKey?: { $gt?: string } } }): boolean {
  return find === 'acquirer_calls' && filter?.requestKey?.$gt === '';
}

/** Reads that follow each other in an order of their own: those that are asked at once end in any. */
function withReadsSorted(statements: readonly string[]): string[] {
  const runs: string[][] = [];
  for (const statement of statements) {
    const last = runs.at(-1);
    const isRead = statement.startsWith('query');
    if (isRead && last?.[0]?.startsWith('query')) last.push(statement);
    else runs.push([statement]);
  }
  return runs.flatMap((run) => run.sort());
}

const alone: [string, string[]][] = [
  ['build', ['insert payments', 'insert checkout_sessions']],
  // The lever types the card and passes the device check: two steps of a payer.
  [
    'card',
    [
      'command checkout_sessions',
      'update checkout_sessions',
      'insert card_entries',
      'query card_entries',
      'update checkout_sessions',
    ],
  ],
  [
    'finalize',
    [
      // The session with its payment and its card.
      'command checkout_sessions',
      'update payments',
      'update checkout_sessions',
      'insert sandbox_acquirer_orders',
      'update payments',
      'update checkout_sessions',
      'update card_entries',
      'insert operations',
      'insert events',
    ],
  ],
  [
    'capture',
    [
      'query operations',
      'query payments',
      'update payments',
      'insert sandbox_acquirer_orders',
      'update payments',
      'insert operations',
      'insert events',
    ],
  ],
];

/** What a key adds: its claim among the writes with which the work begins, its result among those with which it ends. */
const underKeys: [string, string[]][] = [
  ['build', ['insert payments', 'insert checkout_sessions', 'insert idempotency_keys']],
  [
    'finalize',
    [
      'command checkout_sessions',
      'update payments',
      'update checkout_sessions',
      'insert idempotency_keys',
      'insert sandbox_acquirer_orders',
      'update payments',
      'update checkout_sessions',
      'update card_entries',
      'insert operations',
      'insert events',
      'update idempotency_keys',
    ],
  ],
  [
    'capture',
    [
      'query operations',
      'query payments',
      'update payments',
      'insert idempotency_keys',
      'insert sandbox_acquirer_orders',
      'update payments',
      'update idempotency_keys',
      'insert operations',
      'insert events',
    ],
  ],
];

test('alone under a key: the claim is no write of its own', async () => {
  let subject = '';
  const steps: Record<string, () => Promise<void>> = {
    build: async () => {
      subject = await built(keyed());
    },
    finalize: async () => {
      subject = await paid(subject, keyed());
    },
    capture: () => captured(subject, keyed()),
  };
  await captured(await paid(await entered(await built()), keyed()), keyed());
  const seen = [];
  for (const [name] of underKeys) {
    seen.push([name, withReadsSorted(await statementsOf(steps[name] as () => Promise<void>))]);
    if (name === 'build') await entered(subject);
  }
  expect(seen).toEqual(underKeys.map(([name, statements]) => [name, withReadsSorted(statements)]));
});

test('alone: nothing is read or written twice without need', async () => {
  let subject = '';
  const steps: Record<string, () => Promise<void>> = {
    build: async () => {
      subject = await built();
    },
    card: async () => void (await entered(subject)),
    finalize: async () => {
      subject = await paid(subject);
    },
    capture: () => captured(subject),
  };
  const seen = [];
  for (const [name] of alone)
    seen.push([name, withReadsSorted(await statementsOf(steps[name] as () => Promise<void>))]);
  expect(seen).toEqual(alone.map(([name, statements]) => [name, withReadsSorted(statements)]));
});

test(`${together} at once share their reads and inserts`, async () => {
  const each = <Item, Done>(items: Item[], act: (item: Item) => Promise<Done>) => Promise.all(items.map(act));
  const sessions: string[] = [];
  const operations: string[] = [];
  const reads = async (act: () => Promise<unknown>) =>
    (await statementsOf(act)).filter((statement) => /^(query|command|insert)/.test(statement)).length;
  const shared = {
    build: await reads(async () => sessions.push(...(await each(Array(together).fill(null), () => built())))),
    card: await reads(() => each(sessions, entered)),
    finalize: await reads(async () => operations.push(...(await each(sessions, (id) => paid(id))))),
    capture: await reads(() => each(operations, (id) => captured(id))),
  };
  for (const [name, statements] of alone) {
    const byThemselves = statements.filter((statement) => !statement.startsWith('update')).length * together;
    expect([name, shared[name as keyof typeof shared]]).toEqual([name, expect.any(Number)]);
    expect(shared[name as keyof typeof shared]).toBeLessThan(byThemselves / 2);
  }
});
