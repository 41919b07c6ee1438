// Partner onboarding over REST on the running program: the documented answers, the refusals in the order of their checks, tenancy, and a whole life to the merchant (onboarding interface).
import { newId } from '../../subgraphs/shared/ids';
import { rest } from '../support/client';
import { type OnboardingPartner, onboardingOf, onboardingPath, smallApplication } from '../support/onboarding';
import { accessTokenOf, graph, receivedBy, sandboxCall } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let partner: OnboardingPartner;
beforeAll(async () => {
  world = await sharedWorld();
  partner = onboardingOf(world);
});
afterAll(() => world?.stop());

const adminUser = { email: 'admin@shop.example' };
const absent = '999999999';
const webhook = (eventName: string) => ({
  eventName,
  authorization: 'secret12',
  url: `${world.urls.rest}/sandbox/receiver/onboarding`,
});

describe('the documented answers', () => {
  it('creation, retrieval, update and resending', async () => {
    const sent = {
      salesRepProvider: 'Bo',
      productCodes: ['CARD', 'METHOD_CODE_2'],
      merchantId: `shop-${newId().slice(0, 8)}`,
      bankAccount: { iban: 'DK50 0040 0440 1162 43', swift: 'NDEADKKK' },
      notifications: { webhooks: [] },
    };
    const created = await partner.create(sent);
    expect([created.status, Object.keys(created.body)]).toEqual([200, ['id', 'verificationLink', 'merchantId']]);
    expect(created.body.verificationLink).toMatch(new RegExp(`^${world.urls.pay}/onboarding/[A-Za-z0-9_-]{40,}$`));
    expect(created.headers['cache-control']).toBe('no-store');
    const { id, merchantId } = created.body;
    expect(merchantId).toBe(sent.merchantId);
    const first = await partner.read(id);
    expect(first.body.application).toEqual(
      smallApplication({ ...sent, bankAccount: { iban: 'DK5000400440116243', swift: 'NDEADKKK' } }),
    );
    expect([first.body.status, Object.keys(first.body)]).toEqual([
      'INITIATED',
      ['application', 'status', 'createdOn', 'updatedOn'],
    ]);
    const updated = await partner.update(id, { salesCode: 'S2' });
    expect([updated.status, updated.body]).toEqual([200, {}]);
    expect((await partner.read(id)).body.application).toEqual(smallApplication({ salesCode: 'S2', merchantId }));
    const resent = await partner.resend(id);
    expect([resent.status, Object.keys(resent.body)]).toEqual([200, ['verificationLink']]);
    expect(resent.body.verificationLink).not.toBe(created.body.verificationLink);
  });

  it('ignores and names what it does not know, in an update the admin user too', async () => {
    const { body, headers } = await partner.create({ shoe: 42, company: { organizationNumber: '25313763', pet: 1 } });
    expect(headers['x-unknown-fields']).toBe('application.company.pet, application.shoe');
    const answer = await partner.call('POST', `${onboardingPath}/${body.id}`, {
      body: { application: smallApplication(), adminUser: { email: 'nonsense' } },
    });
    expect([answer.status, answer.headers['x-unknown-fields']]).toEqual([200, 'adminUser']);
  });

  it('repeats its first answer for a repeated key, and refuses the key for another body', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const [first, second] = [await partner.create({}, { headers }), await partner.create({}, { headers })];
    expect([second.body, second.headers['idempotent-replayed']]).toEqual([first.body, 'true']);
    const other = await partner.create({ salesCode: 'x' }, { headers });
    expect([other.status, other.body.code, other.body.source]).toEqual([400, '1004', 'validation']);
  });
});

/** What is sent, with its code and the field that it names. */
const refusedBodies: [string, unknown, string, string][] = [
  ['no JSON', '{', '1002', ''],
  ['nothing', {}, '1003', 'application'],
  ['no admin user', { application: smallApplication() }, '1003', 'adminUser'],
  ['no e-mail', { application: smallApplication(), adminUser: {} }, '1003', 'adminUser.email'],
  ['a null country', { application: smallApplication({ country: null }), adminUser }, '1003', 'application.country'],
  [
    'a missing field before a wrong one',
    { application: smallApplication({ country: 'DEU', company: undefined }), adminUser },
    '1003',
    'application.company',
  ],
  ['another country', { application: smallApplication({ country: 'DEU' }), adminUser }, '3002', 'application.country'],
  [
    'another currency',
    { application: smallApplication({ currency: 'XTS' }), adminUser },
    '3002',
    'application.currency',
  ],
  [
    'a wrong shape before a wrong number',
    { application: smallApplication({ company: { organizationNumber: 'x' }, salesCode: 1 }), adminUser },
    '1004',
    'application.salesCode',
  ],
  [
    'a wrong number',
    { application: smallApplication({ company: { organizationNumber: 'x' } }), adminUser },
    '3003',
    'application.company.organizationNumber',
  ],
  [
    'a wrong IBAN',
    { application: smallApplication({ bankAccount: { iban: 'DK00' } }), adminUser },
    '3004',
    'application.bankAccount.iban',
  ],
  [
    'a wrong webhook',
    {
      application: smallApplication({
        notifications: { webhooks: [{ eventName: 'x', url: 'https://a.example', authorization: 'secret12' }] },
      }),
      adminUser,
    },
    '3006',
    'application.notifications.webhooks.0.eventName',
  ],
  [
    'a webhook into our own network',
    {
      application: smallApplication({
        notifications: {
          webhooks: [{ eventName: 'onboarding.approved', url: 'https://10.0.0.1/', authorization: 'secret12' }],
        },
      }),
      adminUser,
    },
    '3006',
    'application.notifications.webhooks.0.url',
  ],
  [
    'an unknown product',
    { application: smallApplication({ productCodes: ['GOLD'] }), adminUser },
    '1004',
    'application.productCodes.0',
  ],
  [
    'a taken merchantId',
    { application: smallApplication({ merchantId: 'merchant-alpha-1' }), adminUser },
    '4002',
    'application.merchantId',
  ],
];

describe('refusals', () => {
  const merchantKey = () => world.credentials.tenants.alpha.reporting.merchantApiKey;
  const terminalKey = () => world.credentials.tenants.alpha.checkout.explicit.apiKey;
  const create = (headers: Record<string, string>, body: unknown) =>
    rest(world.urls.rest).call('POST', onboardingPath, { headers, body });

  it.each<[string, () => Promise<Record<string, string>>, string]>([
    ['no key', async () => ({}), '2001'],
    ['an unknown key', async () => ({ Authorization: 'nobody' }), '2002'],
    ['the key of a merchant', async () => ({ Authorization: merchantKey() }), '2003'],
    ['the key of a terminal', async () => ({ Authorization: terminalKey() }), '2002'],
    [
      'an access token',
      async () => ({ Authorization: `Bearer ${await accessTokenOf(world, world.credentials.graph.admin)}` }),
      '2002',
    ],
  ])('with %s', async (_name, headers, code) => {
    // The credential is judged before the body is looked at.
    const { status, body } = await create(await headers(), { application: {} });
    expect([status, body.code, body.source]).toEqual([401, code, 'authentication']);
  });

  it.each(refusedBodies)('%s', async (_name, body, code, field) => {
    const headers = { Authorization: partner.key, 'Content-Type': 'application/json' };
    const answer = await create(headers, body);
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    if (field) expect(answer.headers['x-error-detail']).toContain(`field=${field};`);
  });

  it('a body that is too long is refused before anything else', async () => {
    const answer = await create({ 'Content-Type': 'application/json' }, `{"x":"${'y'.repeat(270_000)}"}`);
    expect([answer.status, answer.body.code]).toEqual([413, '1004']);
  });

  it('what is absent, malformed or foreign looks alike', async () => {
    const { id } = (await onboardingOf(world, 'beta').create()).body;
    const url = 'https://10.0.0.1/hook';
    const webhooks = [{ eventName: 'onboarding.approved', url, authorization: 'Abcdef0123456789' }];
    const broken = [
      { bankAccount: { iban: 'DK0000400440116243' } },
      { company: { organizationNumber: '25313764' } },
      { notifications: { webhooks } },
    ];
    for (const each of [absent, 'nope', '1e3', '-1', String(id)]) {
      const updates = [{}, ...broken].map((application) => partner.update(each, application));
      const answers = await Promise.all([partner.read(each), partner.resend(each), ...updates]);
      for (const { status, body } of answers)
        expect([status, body.code, body.source]).toEqual([404, '3001', 'partner']);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    }
  });
});

describe('refusals by status', () => {
  it('the status is judged last', async () => {
    const { id } = (await partner.create()).body;
    expect(await partner.lever(id, 'OPEN', 'SIGN')).toBe('PROCESSING');
    expect((await partner.update(id, { country: 'DEU' })).body.code).toBe('3002');
    expect((await partner.update(id)).body.code).toBe('3005');
    expect((await partner.resend(id)).body.code).toBe('3005');
  });

  it('the sixth resending of a day', async () => {
    const { id } = (await partner.create()).body;
    for (let time = 1; time <= 5; time += 1) expect((await partner.resend(id)).status).toBe(200);
    const { status, body } = await partner.resend(id);
    expect([status, body.code]).toEqual([400, '3007']);
  });
});

describe('the lever', () => {
  it('answers the status, also where there is no arrow', async () => {
    const { id } = (await partner.create()).body;
    expect(await partner.lever(id, 'APPROVE')).toBe('INITIATED');
    expect(await partner.lever(id, 'OPEN', 'FAIL_SIGNATURE')).toBe('SIGNATURE_FAILED');
    expect(await partner.lever(id, 'ABANDON', 'OPEN')).toBe('ABANDONED');
    const lever = (target: string, event: string) =>
      sandboxCall(world, 'POST', `/sandbox/onboarding/${target}/events`, { event });
    expect((await lever(absent, 'OPEN')).status).toBe(404);
    expect((await lever('nope', 'OPEN')).status).toBe(404);
    expect((await lever(String(id), 'CLOSE')).status).toBe(400);
  });
});

test.each([
  ['as it was sent', null],
  ['with another merchantId since', 'nordlys'],
])(
  'from the application, %s, to the merchant: approved by staff, told by webhooks, seen in one query',
  async (_how, renamed) => {
    const events = ['onboarding.initiated', 'onboarding.processing', 'onboarding.approved'];
    const sent = {
      company: { organizationNumber: '25313763', companyName: 'Nordlys ApS' },
      webshop: { url: 'https://shop.nordlys.example/da' },
      notifications: { webhooks: events.map(webhook) },
    };
    const created = await partner.create(sent);
    const { id } = created.body;
    if (renamed) expect((await partner.update(id, { ...sent, merchantId: renamed })).status).toBe(200);
    const merchantId = renamed ?? created.body.merchantId;
    await partner.lever(id, 'OPEN', 'SIGN');
    const propose = `mutation ($id: ID!) { approveOnboarding(id: $id, reason: "ok") { proposal {
    proposalId status kind subjectId } } }`;
    const { proposal } = (await graph(world, propose, { id: String(id) })).data.approveOnboarding;
    expect(proposal).toMatchObject({ status: 'PENDING', kind: 'ONBOARDING_APPROVAL', subjectId: String(id) });
    const confirm = 'mutation ($id: ID!) { confirmProposal(proposalId: $id) { proposal { status } } }';
    const alone = await graph(world, confirm, { id: proposal.proposalId });
    expect(alone.errors?.[0]?.extensions?.['code']).toBe('forbidden');
    const second = await accessTokenOf(world, world.credentials.graph.operator);
    const { data } = await graph(world, confirm, { id: proposal.proposalId }, second);
    expect(data.confirmProposal.proposal.status).toBe('CONFIRMED');
    const query = `query ($id: ID!) { onboardingApplication(id: $id) { status merchantNumber merchant {
    merchantId name country merchantNumber onboardingApplication { id } terminals { origins currencies } } } }`;
    const seen = (await graph(world, query, { id: String(id) })).data.onboardingApplication;
    expect(seen).toMatchObject({
      status: 'APPROVED',
      merchant: {
        merchantId,
        name: 'Nordlys ApS',
        country: 'DK',
        onboardingApplication: { id: String(id) },
        terminals: [{ origins: ['https://shop.nordlys.example'] }],
      },
    });
    expect(String(seen.merchantNumber)).toBe(String(seen.merchant.merchantNumber));
    const bodies = await eventually(async () => {
      const ours = (await receivedBy(world))
        .filter(({ path }) => path.endsWith('/onboarding'))
        .map(({ body, headers }) => ({ ...JSON.parse(body), headers }))
        .filter(({ data: about }) => about?.onboardingId === id);
      return ours.length >= events.length ? ours : undefined;
    });
    expect(bodies.map(({ event }: { event: string }) => event).sort()).toEqual([...events].sort());
    expect(
      bodies.every(({ headers }: { headers: Record<string, string> }) => headers['Authorization'] === 'secret12'),
    ).toBe(true);
  },
);
