// Applications: created, replaced whole, read back masked, sent again; whose they are, and what is refused (onboarding interface; 2.3-B of the decision register).

import type { Sealed } from '../../subgraphs/shared/crypto/vault';
import { newId, sha256 } from '../../subgraphs/shared/ids';
import { adminUser, application, dayMs, type OnboardingWorld, openOnboarding } from './world';

let world: OnboardingWorld;
beforeAll(async () => {
  world = await openOnboarding();
});
afterAll(() => world.close());

const update = (id: string, changes: object = {}, caller = world.alpha) =>
  world.run(
    'mutation ($id: ID!, $application: JSONObject!) { answer: updateOnboarding(id: $id, application: $application) { status merchantId } }',
    {
      variables: { id, application: application(changes) },
      caller,
    },
  );
const resend = (id: string, caller = world.alpha) =>
  world.run('mutation ($id: ID!) { answer: resendOnboardingActivation(id: $id) { verificationLink } }', {
    variables: { id },
    caller,
  });
const read = async (id: string, fields = 'document status', caller = world.alpha) =>
  (
    await world.run(`query ($id: ID!) { answer: onboardingApplication(id: $id) { ${fields} } }`, {
      variables: { id },
      caller,
    })
  ).data;
const stored = (id: string) =>
  world.stores.connection.collection('onboarding_applications').findOne({ _id: id as never });
const webhook = (changes: object = {}) => ({
  eventName: 'onboarding.processing',
  url: 'https://partner.example/hook',
  authorization: 'secret12',
  ...changes,
});

describe('creation', () => {
  it('gives an increasing id, a merchantId of 32 hexadecimal digits and a link of which only the hash is kept', async () => {
    const [first, second] = [await world.created(), await world.created()];
    expect(Number(second.id)).toBeGreaterThan(Number(first.id));
    expect(first.merchantId).toMatch(/^[0-9a-f]{32}$/);
    const record = await stored(first.id);
    expect(record?.['link']).toEqual({ hash: sha256(first.token), expiresAt: new Date('2026-12-05T10:00:00Z') });
    expect(JSON.stringify(record)).not.toContain(first.token);
  });

  it('keeps the merchantId that it names, and the admin user sealed', async () => {
    const { id, merchantId } = await world.created({ merchantId: 'nordlys.1' });
    expect(merchantId).toBe('nordlys.1');
    const record = await stored(id);
    expect(JSON.stringify(record)).not.toContain('admin@shop.example');
    const admin = JSON.parse(
      await world.vault.open({ owner: 'alpha', field: 'application.adminUser' }, record?.['adminUserSealed'] as Sealed),
    );
    expect(admin).toEqual({ ...adminUser(), language: 'EN_US', sendActivationEmail: false });
  });

  it('tells of itself once, with those webhooks alone that ask for it', async () => {
    const other = webhook({ eventName: 'onboarding.initiated', url: 'https://partner.example/new' });
    const { id, merchantId } = await world.created({ notifications: { webhooks: [webhook(), other] } });
    const [event, ...more] = await world.events(id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: 'onboarding.initiated', sequence: 1, merchantId, accountId: 'alpha' });
    const { webhooks, ...data } = (event?.data ?? {}) as { webhooks: { url: string; authorizationSealed: Sealed }[] };
    expect(data).toEqual({ onboardingId: Number(id), status: 'INITIATED', previousStatus: null, merchantId });
    expect(webhooks.map(({ url }) => url)).toEqual(['https://partner.example/new']);
    expect(
      await world.vault.open(
        { owner: 'alpha', field: 'callback.authorization' },
        webhooks[0]?.authorizationSealed as Sealed,
      ),
    ).toBe('secret12');
    expect(JSON.stringify(await stored(id))).not.toContain('secret12');
  });

  it('mails the admin user who wants it, and nobody else', async () => {
    const before = world.mails.length;
    await world.created();
    const { link } = await world.created({}, { adminUser: { sendActivationEmail: true, language: 'SV_SE' } });
    expect(world.mails.slice(before)).toMatchObject([
      { to: 'admin@shop.example', language: 'SV_SE', kind: 'activation', link },
    ]);
  });

  it('refuses a merchantId of a merchant, of another live application, but not of an abandoned one', async () => {
    world.taken.add('sold');
    const { id } = await world.created({ merchantId: 'mine' });
    const ask = (merchantId: string) =>
      world.run(
        'mutation ($input: CreateOnboardingInput!) { answer: createOnboarding(input: $input) { verificationLink } }',
        {
          variables: { input: { application: application({ merchantId }), adminUser: adminUser() } },
          caller: world.beta,
        },
      );
    expect((await ask('sold')).code).toBe('merchantExists');
    expect((await ask('mine')).code).toBe('merchantExists');
    await world.lever(id, 'ABANDON');
    expect((await ask('mine')).code).toBeNull();
  });

  it('lets one of sixteen win who want the same merchantId at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, () => world.created({ merchantId: 'raced' })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('answers a repetition with the first link, and makes one application', async () => {
    const idempotency = { key: newId(), scope: 'POST', fingerprint: 'one' };
    const ask = () =>
      world.run(
        'mutation ($input: CreateOnboardingInput!) { answer: createOnboarding(input: $input) { verificationLink application { id } } }',
        {
          variables: { input: { application: application(), adminUser: adminUser() } },
          idempotency,
        },
      );
    const [first, second] = [await ask(), await ask()];
    expect(second).toEqual({ ...first, replayed: true });
  });
});

describe('retrieval', () => {
  it('gives back everything that was sent, masked, and never the admin user', async () => {
    const sent = {
      salesCode: 'S1',
      salesRepPartner: 'Ada',
      salesRepProvider: 'Bo',
      productCodes: ['CARD', 'METHOD_CODE_5'],
      company: {
        organizationNumber: '25 31 37 63',
        vatNumber: 'DK25313763',
        invoiceEmail: 'bills@shop.example',
        contactPerson: { firstName: 'Freja', phone: '+45 12345678', email: 'freja@shop.example' },
        referenceDetails: [{ system: 'CREDIT_INFO', referenceKey: 'DUNS_NO', referenceValue: '1' }],
      },
      amlCustomerIntroductionType: { introductionType: 'ONLINE' },
      notifications: { webhooks: [webhook()] },
      merchantId: 'whole',
    };
    const { id } = await world.created({ ...sent, unknown: true });
    const { document } = await read(id);
    expect(document).toEqual({
      ...application(sent),
      notifications: { webhooks: [webhook({ authorization: '****12' })] },
    });
  });

  it('shows foreign applications as absent', async () => {
    const { id } = await world.created();
    expect(await read(id, 'id', world.beta)).toBeNull();
    expect(await read('999999', 'id')).toBeNull();
    for (const ask of [update(id, {}, world.beta), resend(id, world.beta), update('nope'), resend('1x')])
      expect((await ask).code).toBe('notFound');
  });

  it('lists newest first, by status, page by page, each account its own', async () => {
    const list = (variables: object, caller = world.beta) =>
      world.run(
        'query ($status: OnboardingStatus, $first: Int, $after: String) { answer: onboardingApplications(status: $status, first: $first, after: $after) { edges { node { id status } } pageInfo { hasNextPage endCursor } } }',
        { variables: variables as Record<string, unknown>, caller },
      );
    const created = [];
    for (let index = 0; index < 3; index += 1) created.push((await world.created({}, { caller: world.beta })).id);
    await world.lever(created[1] as string, 'OPEN');
    const ids = ({ data }: Awaited<ReturnType<typeof list>>) =>
      data.edges.map((edge: { node: { id: string } }) => edge.node.id);
    const first = await list({ first: 2 });
    expect(ids(first)).toEqual([created[2], created[1]]);
    expect(first.data.pageInfo.hasNextPage).toBe(true);
    expect(ids(await list({ first: 1, after: first.data.pageInfo.endCursor }))).toEqual([created[0]]);
    expect(ids(await list({ status: 'AWAITING_SIGNATURE' }))).toEqual([created[1]]);
    expect((await list({ first: 101 })).code).toBe('invalidInput');
    const foreignCursor = Buffer.from('["text"]').toString('base64url');
    for (const after of ['x', foreignCursor]) expect((await list({ after })).code).toBe('invalidInput');
  });
});

describe('an update', () => {
  it('replaces the application whole, keeps the merchantId, brings it back to INITIATED and tells of that', async () => {
    const { id, merchantId } = await world.created({ salesCode: 'S1', webshop: { name: 'Old' } });
    await world.lever(id, 'OPEN');
    expect((await update(id, { webshop: { url: 'https://new.example' } })).data).toEqual({
      status: 'INITIATED',
      merchantId,
    });
    expect((await read(id)).document).toEqual({
      ...application({ webshop: { url: 'https://new.example' } }),
      merchantId,
    });
    expect((await world.events(id)).map(({ type, sequence }) => [sequence, type])).toEqual([
      [1, 'onboarding.initiated'],
      [2, 'onboarding.awaiting_signature'],
      [3, 'onboarding.initiated'],
    ]);
  });

  it('of an INITIATED application changes no status and tells nobody', async () => {
    const { id } = await world.created();
    await update(id, { salesCode: 'S2' });
    expect(await world.events(id)).toHaveLength(1);
    expect((await read(id)).document.salesCode).toBe('S2');
  });

  it.each<[string, string[], string | null]>([
    ['INITIATED', [], null],
    ['AWAITING_SIGNATURE', ['OPEN'], null],
    ['SIGNATURE_FAILED', ['OPEN', 'FAIL_SIGNATURE'], null],
    ['PROCESSING', ['OPEN', 'SIGN'], 'applicationStatusInvalid'],
    ['APPROVED', ['OPEN', 'SIGN', 'APPROVE'], 'applicationStatusInvalid'],
    ['ABANDONED', ['ABANDON'], 'applicationStatusInvalid'],
  ])('of one that is %s', async (status, events, code) => {
    const { id } = await world.created();
    await world.lever(id, ...events);
    expect((await read(id)).status).toBe(status);
    expect((await update(id)).code).toBe(code);
  });

  it('gives a new set of tries to sign', async () => {
    const { id } = await world.created();
    for (let round = 0; round < 4; round += 1) await world.lever(id, 'OPEN', 'FAIL_SIGNATURE');
    await update(id);
    expect((await read(id, 'signatureFailures')).signatureFailures).toBe(0);
  });

  it('moves to another merchantId, unless that is taken', async () => {
    const [{ id }, held] = [await world.created(), await world.created({ merchantId: 'held' })];
    expect((await update(id, { merchantId: 'elsewhere' })).data.merchantId).toBe('elsewhere');
    expect((await update(id, { merchantId: held.merchantId })).code).toBe('merchantExists');
  });

  it.each<[string, object, string | null]>([
    ['the mask of the same webhook', {}, 'secret12'],
    ['the mask at another event of the same address', { eventName: 'onboarding.approved' }, 'secret12'],
    ['the mask at another path of the same origin', { url: 'https://partner.example/moved' }, 'secret12'],
    ['the mask at another origin', { url: 'https://elsewhere.example/hook' }, null],
    ['the mask of something else', { authorization: '****99' }, null],
    ['a new secret', { authorization: 'another99' }, 'another99'],
  ])('with %s', async (_name, changes, secret) => {
    const { id } = await world.created({ notifications: { webhooks: [webhook()] } });
    const answer = await update(id, {
      notifications: { webhooks: [webhook({ authorization: '****12', ...changes })] },
    });
    expect([answer.code, answer.field]).toEqual(
      secret ? [null, undefined] : ['webhookInvalid', 'application.notifications.webhooks.0.authorization'],
    );
    const [kept] = (await stored(id))?.['webhooks'] ?? [];
    expect(await world.vault.open({ owner: 'alpha', field: 'callback.authorization' }, kept.authorizationSealed)).toBe(
      secret ?? 'secret12',
    );
  });
});

describe('sending the link again', () => {
  it('makes a new one, kills the old one, and mails the contact person', async () => {
    const contactPerson = { email: 'freja@shop.example' };
    const { id, token } = await world.created({ company: { organizationNumber: '25313763', contactPerson } });
    const before = world.mails.length;
    const { data } = await resend(id);
    const page = (linkToken: string) =>
      world.page('query ($linkToken: String!) { answer: signingPage(linkToken: $linkToken) { onboardingId } }', {
        linkToken,
      });
    expect((await page(token)).data).toBeNull();
    expect((await page(data.verificationLink.split('/').at(-1))).data).toEqual({ onboardingId: id });
    expect(world.mails.slice(before)).toMatchObject([{ to: 'freja@shop.example', link: data.verificationLink }]);
    expect(await world.events(id)).toHaveLength(1);
  });

  it('works five times in a day, and again when the first is a day old', async () => {
    const { id } = await world.created();
    for (let time = 1; time <= 5; time += 1) expect((await resend(id)).code).toBeNull();
    expect((await resend(id)).code).toBe('resendLimit');
    world.clock.advance(dayMs - 1);
    expect((await resend(id)).code).toBe('resendLimit');
    world.clock.advance(1);
    expect((await resend(id)).code).toBeNull();
  });

  it('goes to the admin user who wanted mail when there is no contact, and is refused once signed', async () => {
    const { id } = await world.created({}, { adminUser: { sendActivationEmail: true } });
    const before = world.mails.length;
    await resend(id);
    expect(world.mails.slice(before)).toMatchObject([{ to: 'admin@shop.example' }]);
    await world.lever(id, 'OPEN', 'SIGN');
    expect((await resend(id)).code).toBe('applicationStatusInvalid');
  });
});
