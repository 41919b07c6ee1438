// The state machine of applications: its table, random walks through it, and the races for one arrow (onboarding interface, States and transitions; 2.3-B of the decision register).
import { decideMove } from '../../subgraphs/onboarding/applications/moves';
import {
  decideStatus,
  type OnboardingAction,
  onboardingActions,
} from '../../subgraphs/onboarding/applications/transitions';
import { type OnboardingStatus, onboardingStatuses } from '../../subgraphs/shared/vocabulary/onboarding-status';
import fc from '../support/properties';
import { fresh } from './fresh-application';
import { dayMs, type OnboardingWorld, openOnboarding, start } from './world';

test.each<[OnboardingStatus, Partial<Record<OnboardingAction, OnboardingStatus>>]>([
  ['INITIATED', { COMPLETE_FORM: 'AWAITING_SIGNATURE', UPDATE: 'INITIATED', ABANDON: 'ABANDONED' }],
  [
    'AWAITING_SIGNATURE',
    {
      SIGN: 'PROCESSING',
      FAIL_SIGNATURE: 'SIGNATURE_FAILED',
      FAIL_LAST_SIGNATURE: 'ABANDONED',
      UPDATE: 'INITIATED',
      ABANDON: 'ABANDONED',
    },
  ],
  ['SIGNATURE_FAILED', { COMPLETE_FORM: 'AWAITING_SIGNATURE', UPDATE: 'INITIATED', ABANDON: 'ABANDONED' }],
  ['PROCESSING', { APPROVE: 'APPROVED', REFUSE: 'ABANDONED' }],
  ['APPROVED', {}],
  ['ABANDONED', {}],
])('from %s these arrows lead away and no others', (status, arrows) => {
  for (const action of onboardingActions) expect(decideStatus(status, action)).toBe(arrows[action] ?? null);
});

test('any history of actions keeps the promises of the machine', () => {
  const actions = onboardingActions.filter((action) => action !== 'FAIL_LAST_SIGNATURE');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...actions), { maxLength: 40 }), (history) => {
      let present = fresh;
      let failures = 0;
      for (const [index, action] of history.entries()) {
        const now = new Date(start.getTime() + index);
        const next = decideMove(present, { action, reason: 'why' }, now);
        if (next === null) continue;
        if (action === 'UPDATE') failures = 0;
        if (action === 'FAIL_SIGNATURE') failures += 1;
        expect(onboardingStatuses).toContain(next.status);
        expect(['APPROVED', 'ABANDONED']).not.toContain(present.status);
        // One event for each change of status, none without.
        expect(next.sequence - present.sequence).toBe(next.status === present.status ? 0 : 1);
        expect(next.version).toBe(present.version + 1);
        expect(next.touchedAt).toEqual(now);
        expect([next.signatureFailures, failures < 5 || next.status === 'ABANDONED']).toEqual([failures, true]);
        expect(next.isLive).toBe(next.status !== 'ABANDONED');
        expect(next.reason === null).toBe(next.status !== 'ABANDONED');
        // What is personal goes when it is no longer needed.
        const isOpen = ['INITIATED', 'AWAITING_SIGNATURE', 'SIGNATURE_FAILED'].includes(next.status);
        expect(next.adminUserSealed !== null).toBe(isOpen);
        present = next;
      }
    }),
    { numRuns: 500 },
  );
});

test('an approval that is under way can no longer be refused', () => {
  const approval = {
    by: 'staff',
    at: start,
    requestId: 'r',
    reason: null,
    step: 'REQUESTED',
    terminalId: null,
  } as const;
  const processing = { ...fresh, status: 'PROCESSING' } as const;
  expect(decideMove(processing, { action: 'REFUSE', reason: 'no' }, start)?.status).toBe('ABANDONED');
  expect(decideMove({ ...processing, approval }, { action: 'REFUSE', reason: 'no' }, start)).toBeNull();
});

describe('on a real database', () => {
  let world: OnboardingWorld;
  beforeAll(async () => {
    world = await openOnboarding();
  });
  afterAll(() => world.close());

  const types = async (id: string) => (await world.events(id)).map(({ type }) => type.replace('onboarding.', ''));
  const read = async (id: string, fields = 'status reason') =>
    (
      await world.run(`query ($id: ID!) { answer: onboardingApplication(id: $id) { ${fields} } }`, {
        variables: { id },
      })
    ).data;

  it('every arrow tells of itself once, in order, and an event without an arrow changes nothing', async () => {
    const { id } = await world.created();
    const walk: [string, string][] = [
      ['SIGN', 'INITIATED'],
      ['APPROVE', 'INITIATED'],
      ['OPEN', 'AWAITING_SIGNATURE'],
      ['OPEN', 'AWAITING_SIGNATURE'],
      ['FAIL_SIGNATURE', 'SIGNATURE_FAILED'],
      ['SIGN', 'SIGNATURE_FAILED'],
      ['OPEN', 'AWAITING_SIGNATURE'],
      ['REFUSE', 'AWAITING_SIGNATURE'],
      ['SIGN', 'PROCESSING'],
      ['ABANDON', 'PROCESSING'],
      ['APPROVE', 'APPROVED'],
      ['ABANDON', 'APPROVED'],
    ];
    for (const [event, status] of walk) expect([event, await world.lever(id, event)]).toEqual([event, status]);
    expect(await types(id)).toEqual([
      'initiated',
      'awaiting_signature',
      'signature_failed',
      'awaiting_signature',
      'processing',
      'approved',
    ]);
    expect((await world.events(id)).map(({ data }) => [data['previousStatus'], data['status']])).toEqual([
      [null, 'INITIATED'],
      ['INITIATED', 'AWAITING_SIGNATURE'],
      ['AWAITING_SIGNATURE', 'SIGNATURE_FAILED'],
      ['SIGNATURE_FAILED', 'AWAITING_SIGNATURE'],
      ['AWAITING_SIGNATURE', 'PROCESSING'],
      ['PROCESSING', 'APPROVED'],
    ]);
  });

  it('the fifth failed signature abandons it', async () => {
    const { id } = await world.created();
    for (let time = 1; time <= 4; time += 1)
      expect(await world.lever(id, 'OPEN', 'FAIL_SIGNATURE')).toBe('SIGNATURE_FAILED');
    expect(await world.lever(id, 'OPEN', 'FAIL_SIGNATURE')).toBe('ABANDONED');
    expect((await types(id)).filter((type) => type === 'abandoned')).toHaveLength(1);
    expect((await read(id)).reason).toBe('The signature failed 5 times.');
  });

  it('the signing page is told our own reasons by a code, those of staff as they wrote them', async () => {
    const page = async (token: string) =>
      (
        await world.page(
          'query ($linkToken: String!) { answer: signingPage(linkToken: $linkToken) { reason ending } }',
          { linkToken: token },
        )
      ).data;
    const [failed, refused] = [await world.created(), await world.created()];
    for (let time = 1; time <= 5; time += 1) await world.lever(failed.id, 'OPEN', 'FAIL_SIGNATURE');
    await world.lever(refused.id, 'OPEN', 'SIGN', 'REFUSE');
    expect(await page(failed.token)).toEqual({ reason: 'The signature failed 5 times.', ending: 'SIGNATURE_FAILED' });
    expect(await page(refused.token)).toEqual({ reason: 'Refused in the sandbox.', ending: null });
  });

  it.each([
    ['OPEN', [], 'awaiting_signature'],
    ['SIGN', ['OPEN'], 'processing'],
    ['FAIL_SIGNATURE', ['OPEN'], 'signature_failed'],
    ['APPROVE', ['OPEN', 'SIGN'], 'approved'],
    ['REFUSE', ['OPEN', 'SIGN'], 'abandoned'],
    ['ABANDON', ['OPEN'], 'abandoned'],
  ])('sixteen times %s at once is one change and one event', async (event, before, told) => {
    const { id } = await world.created();
    await world.lever(id, ...before);
    const statuses = await Promise.all(Array.from({ length: 16 }, () => world.lever(id, event)));
    expect(new Set(statuses).size).toBe(1);
    expect((await types(id)).slice(before.length + 1)).toEqual([told]);
    expect((await world.events(id)).map(({ sequence }) => sequence)).toEqual([
      1,
      ...before.map((_e, i) => i + 2),
      before.length + 2,
    ]);
  });

  it('of signing, failing and giving up at once one wins', async () => {
    const { id } = await world.created();
    await world.lever(id, 'OPEN');
    const rivals = Array.from({ length: 6 }, () => ['SIGN', 'FAIL_SIGNATURE']).flat();
    await Promise.all(rivals.map((event) => world.lever(id, event)));
    expect(await types(id)).toHaveLength(3);
  });

  it('an application that nobody touches for 30 days is abandoned, not a moment earlier, and never once signed', async () => {
    const [idle, kept, signed] = [await world.created(), await world.created(), await world.created()];
    await world.lever(signed.id, 'OPEN', 'SIGN');
    world.clock.advance(29 * dayMs);
    await world.lever(kept.id, 'OPEN');
    world.clock.advance(dayMs - 1);
    await world.onboarding.abandonIdle();
    expect((await read(idle.id)).status).toBe('INITIATED');
    world.clock.advance(1);
    expect(await world.onboarding.abandonIdle()).toBeGreaterThan(0);
    expect(await read(idle.id)).toEqual({ status: 'ABANDONED', reason: 'Nothing happened for 30 days.' });
    expect((await read(kept.id)).status).toBe('AWAITING_SIGNATURE');
    expect((await read(signed.id)).status).toBe('PROCESSING');
    world.clock.advance(29 * dayMs);
    await Promise.all([world.onboarding.abandonIdle(), world.onboarding.abandonIdle()]);
    expect(await types(kept.id)).toEqual(['initiated', 'awaiting_signature', 'abandoned']);
    expect(await types(idle.id)).toEqual(['initiated', 'abandoned']);
  });
});
