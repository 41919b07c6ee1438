// The lifecycle against a model of its own: random histories on the pure decision and on the running service (tokenization interface, States).
import {
  type LifecycleTrigger,
  lifecycle,
  lifecycleTriggers,
  virtualAccountStates,
} from '../../subgraphs/tokenization/tokens/lifecycle';
import {
  decideLifecycle,
  type LifecycleChange,
  mask,
  type VirtualAccount,
} from '../../subgraphs/tokenization/tokens/virtual-account';
import fc from '../support/properties';
import { createdAccount, eventsOf, issuer, remove, transact } from './calls';
import { openWorld, start, type World } from './world';

/** What the decision register says, told another way than the table tells it. */
function modelled(state: string, trigger: LifecycleTrigger): { state: string; event: string | null } {
  if (state === 'DELETED') return { state, event: null };
  if (trigger === 'DELETE') return { state: 'DELETED', event: 'deleted' };
  if (trigger === 'SUSPEND') return { state: 'SUSPENDED', event: state === 'ACTIVE' ? 'suspended' : null };
  if (trigger === 'RESUME') return { state: 'ACTIVE', event: state === 'SUSPENDED' ? 'resumed' : null };
  return { state, event: 'cardUpdated' };
}

const fresh: VirtualAccount = {
  virtualAccountId: 'v',
  environment: 'sandbox',
  accountId: 'a',
  merchantId: 'm',
  agreementId: 'g',
  acquirerId: 'a',
  providerId: 'p',
  pspId: 's',
  state: 'ACTIVE',
  par: null,
  reasonCode: null,
  accountMasked: '424242******4242',
  accountExpiry: '122030',
  tokenMasked: '940000******0009',
  tokenExpiry: '112029',
  createdAt: start,
  updatedAt: start,
  version: 1,
  sequence: 1,
};

const cards: Record<string, (step: number) => LifecycleChange['card']> = {
  REPLACE_CARD: (step) => ({ accountMasked: mask(`4242420000${String(step).padStart(6, '0')}`) }),
  EXTEND_EXPIRY: (step) => ({ tokenExpiry: `12${2030 + step}` }),
  ASSIGN_PAR: (step) => ({ par: `SBX0${String(step).padStart(25, '0')}` }),
};

test('the table has an arrow exactly where the model has an event', () => {
  for (const state of virtualAccountStates) {
    for (const trigger of lifecycleTriggers) {
      const { event, state: to } = modelled(state, trigger);
      const arrow = lifecycle[state][trigger];
      expect([state, trigger, arrow?.event ?? null, arrow?.to ?? state]).toEqual([
        state,
        trigger,
        event && `virtualAccount.${event}`,
        to,
      ]);
    }
  }
});

test('random histories of the decision agree with the model', () => {
  const histories = fc.array(fc.constantFrom(...lifecycleTriggers), { maxLength: 50 });
  fc.assert(
    fc.property(histories, (triggers) => {
      let account = fresh;
      triggers.forEach((trigger, step) => {
        const expected = modelled(account.state, trigger);
        const change: LifecycleChange = {
          trigger,
          by: 'issuer',
          card: cards[trigger]?.(step),
          at: new Date(start.getTime() + step),
        };
        const decision = decideLifecycle(account, change);
        expect(decision?.event.type ?? null).toBe(expected.event && `virtualAccount.${expected.event}`);
        if (!decision) return;
        expect(decision.next).toMatchObject({
          state: expected.state,
          sequence: account.sequence + 1,
          version: account.version + 1,
        });
        expect(decision.event.data.tokenStatus).toBe(expected.state === 'ACTIVE' ? 'ACTIVE' : 'SUSPENDED');
        expect(decision.event.data.changes !== undefined).toBe(expected.event === 'cardUpdated');
        account = decision.next;
      });
    }),
    { numRuns: 1_000 },
  );
});

test('a card update that changes nothing is no event', () => {
  const same = { accountExpiry: fresh.accountExpiry, tokenExpiry: fresh.tokenExpiry };
  expect(decideLifecycle(fresh, { trigger: 'EXTEND_EXPIRY', by: 'issuer', card: same, at: start })).toBeNull();
  expect(decideLifecycle(fresh, { trigger: 'ASSIGN_PAR', by: 'issuer', at: start })).toBeNull();
});

test('masks keep six and four, whatever the length', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{12,19}$/), (number) => {
      expect(mask(number)).toBe(`${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`);
      expect(mask(number)).toHaveLength(number.length);
    }),
  );
});

describe('on the running service', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const steps = [...lifecycleTriggers, 'CALLER_DELETE', 'TRANSACT'] as const;

  test('random histories agree with the model, event by event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 12 }), async (history) => {
        const { id } = await createdAccount(world, world.alpha);
        let state = 'ACTIVE';
        const told = ['virtualAccount.created'];
        for (const step of history) {
          if (step === 'TRANSACT') {
            const expected = { ACTIVE: null, SUSPENDED: 'tokenServiceRefused', DELETED: 'notFound' }[state];
            expect((await transact(world, world.alpha, id)).code).toBe(expected);
            continue;
          }
          const trigger = step === 'CALLER_DELETE' ? 'DELETE' : step;
          const expected = modelled(state, trigger);
          if (step === 'CALLER_DELETE') expect((await remove(world, world.alpha, id)).code).toBeNull();
          else expect((await issuer(world, id, trigger)).data?.applyIssuerEvent.state).toBe(expected.state);
          state = expected.state;
          if (expected.event) told.push(`virtualAccount.${expected.event}`);
        }
        const events = await eventsOf(world, id);
        expect(events.map(({ type }) => type)).toEqual(told);
        expect(events.map(({ sequence }) => sequence)).toEqual(told.map((_, index) => index + 1));
      }),
      { numRuns: 15 },
    );
  });
});
