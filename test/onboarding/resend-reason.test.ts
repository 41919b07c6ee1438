// Sending an application's link again: who did it and why.
import { type OnboardingWorld, openOnboarding } from './world';

let world: OnboardingWorld;
beforeAll(async () => {
  world = await openOnboarding();
});
afterAll(() => world.close());

it('stands in the audit when staff do it, with their reason; of partners only with one', async () => {
  const { id } = await world.created();
  const asked = (reason: string | null, caller = world.staff) =>
    world.run(
      'mutation ($id: ID!, $reason: String) { answer: resendOnboardingActivation(id: $id, reason: $reason) { verificationLink } }',
      { variables: { id, reason }, caller },
    );
  for (const [reason, caller] of [
    [null, world.alpha],
    [null, world.staff],
    [' it was not received ', world.staff],
    ['the mail was wrong', world.alpha],
  ] as const)
    expect((await asked(reason, caller)).code).toBeNull();
  expect(await asked('x'.repeat(501))).toMatchObject({ code: 'invalidInput', field: 'reason' });
  const records = await world.stores.connection.collection('audit').find({ subjectId: id }).toArray();
  const told = records.map(({ action, actor, accountId, changes }) => [action, actor, accountId, changes[0]?.to]);
  expect(told).toEqual([
    ['onboarding.activationResent', 'key-null', 'alpha', undefined],
    ['onboarding.activationResent', 'key-null', 'alpha', 'it was not received'],
    ['onboarding.activationResent', 'key-alpha', 'alpha', 'the mail was wrong'],
  ]);
});
