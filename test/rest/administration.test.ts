// Administration over REST (merchant administration): the three calls, both spellings of the credential, refusals in the order of their checks, races, repetition, whose merchant it is.
import { newId } from '../../subgraphs/shared/ids';
import {
  type Administration,
  administrationOf,
  administrationWith,
  consumerHeader,
  merchantBody,
  wholeMerchantBody,
} from '../support/administration';
import { type Answer, judged } from '../support/client';
import { accessTokenOf, graph } from '../support/partner';
import { eventually } from '../support/stores';
import { sharedWorld, type World } from '../support/world';

let world: World;
let alpha: Administration;
let beta: Administration;
let staff: string;

beforeAll(async () => {
  world = await sharedWorld();
  [alpha, beta] = [administrationOf(world, 'alpha'), administrationOf(world, 'beta')];
  staff = await accessTokenOf(world, world.credentials.graph.admin);
});
afterAll(() => world?.stop());

const refusal = ({ status, body }: Answer) => [status, body?.code];
const asStaff = async (query: string, variables: object = {}) => (await graph(world, query, variables, staff)).data;
const merchantQuery = `query ($id: ID!) { merchant(merchantId: $id) { merchantId name status invoicing country orgNumber vatNumber
  merchantCategoryCode merchantCity prefix createdBy updatedBy createdAt updatedAt deletedAt account { accountId } } }`;
const seen = async (id: string) => (await asStaff(merchantQuery, { id })).merchant;
const auditQuery = `query ($id: ID!) { auditRecords(subjectId: $id, first: 50) { edges { node { action actor claimedActor changes { field from to } } } } }`;
const audited = async (id: string) =>
  (await asStaff(auditQuery, { id })).auditRecords.edges.map(({ node }: { node: object }) => node);
const made = async (change: Record<string, unknown> = {}) => {
  const body = merchantBody(change);
  expect((await alpha.create(body)).status).toBe(201);
  return body;
};

describe('create, modify, delete', () => {
  it.each(['Bearer', 'Basic'] as const)('takes the consumer key as %s: 201, 200, 202', async (scheme) => {
    const caller = administrationOf(world, 'alpha', scheme);
    const body = wholeMerchantBody();
    const created = await caller.create(body);
    expect([created.status, created.body]).toEqual([201, { id: body.merchantId }]);
    const modified = await caller.modify(body.merchantId, body);
    expect([modified.status, modified.body]).toEqual([200, { id: body.merchantId }]);
    const removed = await caller.remove(body.merchantId, 'somebody');
    expect([removed.status, removed.text]).toEqual([202, '']);
  });

  it('keeps every field, turns the flags around, and sets the dates itself', async () => {
    const body = wholeMerchantBody();
    await alpha.create(body);
    const { merchantId } = body;
    const merchant = await seen(merchantId);
    expect(merchant).toEqual({
      merchantId,
      name: 'Nordlys',
      status: 'ACTIVE',
      invoicing: 'DISABLED',
      country: 'NO',
      orgNumber: '923609016',
      vatNumber: 'NO923609016MVA',
      merchantCategoryCode: '5734',
      merchantCity: 'Oslo',
      prefix: 'NL',
      createdBy: 'back office',
      updatedBy: 'back office',
      deletedAt: null,
      account: { accountId: 'alpha' },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(merchant.createdAt > '2000').toBe(true);
    expect(merchant.updatedAt).toBe(merchant.createdAt);
  });

  it('replaces the whole: what the body leaves out is empty afterwards, and who made it stays', async () => {
    const whole = wholeMerchantBody();
    await alpha.create(whole);
    const { merchantId } = whole;
    const least = merchantBody({ merchantId, name: 'Renamed', createdBy: 'somebody else', updatedBy: 'night shift' });
    expect((await alpha.modify(merchantId, least)).status).toBe(200);
    expect(await seen(merchantId)).toMatchObject({
      name: 'Renamed',
      status: 'ACTIVE',
      invoicing: 'ENABLED',
      country: 'IT',
      orgNumber: null,
      vatNumber: null,
      merchantCategoryCode: null,
      merchantCity: null,
      prefix: null,
      createdBy: 'back office',
      updatedBy: 'night shift',
    });
  });

  it('audits every field from what to what, the claim beside the key', async () => {
    const { merchantId } = await made({ merchantCity: 'Oslo' });
    await alpha.modify(merchantId, merchantBody({ merchantId, active: 1, updatedBy: 'night shift' }));
    await alpha.remove(merchantId, 'closing');
    const [deleted, changed, created] = await audited(merchantId);
    const actor = world.credentials.tenants.alpha.admin.consumerKey;
    expect(created).toMatchObject({ action: 'merchant.created', actor, claimedActor: 'back office' });
    expect(created.changes).toContainEqual({ field: 'merchantCity', from: null, to: 'Oslo' });
    expect(changed).toEqual({
      action: 'merchant.changed',
      actor,
      claimedActor: 'night shift',
      changes: [
        { field: 'status', from: 'ACTIVE', to: 'INACTIVE' },
        { field: 'merchantCity', from: 'Oslo', to: null },
        { field: 'updatedBy', from: 'back office', to: 'night shift' },
      ],
    });
    expect(deleted).toMatchObject({ action: 'merchant.deleted', actor, claimedActor: 'closing' });
  });

  it('refuses a merchantId that is taken, by oneself, by anyone, or by a deleted one: 4002', async () => {
    const own = await made();
    const deleted = await made();
    await alpha.remove(deleted.merchantId);
    for (const { merchantId } of [own, deleted, world.credentials.tenants.beta]) {
      expect(refusal(await alpha.create(merchantBody({ merchantId })))).toEqual([400, '4002']);
    }
    expect(refusal(await beta.create(own))).toEqual([400, '4002']);
  });

  it('an inactive merchant is 404 (4004) unless the change activates it', async () => {
    const body = await made({ active: 1 });
    const { merchantId } = body;
    expect(refusal(await alpha.modify(merchantId, { ...body, name: 'Asleep' }))).toEqual([404, '4004']);
    expect((await seen(merchantId)).name).toBe('Nordlys');
    expect((await alpha.modify(merchantId, { ...body, active: 0, name: 'Awake' })).status).toBe(200);
    expect(await seen(merchantId)).toMatchObject({ name: 'Awake', status: 'ACTIVE' });
    expect((await alpha.modify(merchantId, { ...body, active: 1 })).status).toBe(200);
    expect((await alpha.remove(merchantId)).status).toBe(202);
  });

  it('a deleted merchant is gone for every change, and stays to be read', async () => {
    const body = await made();
    const { merchantId } = body;
    await alpha.remove(merchantId);
    expect(refusal(await alpha.remove(merchantId))).toEqual([404, '4001']);
    expect(refusal(await alpha.modify(merchantId, body))).toEqual([404, '4001']);
    expect(await seen(merchantId)).toMatchObject({ status: 'INACTIVE', deletedAt: expect.any(String) });
    const revive = 'mutation ($id: ID!) { setMerchantStatus(merchantId: $id, status: ACTIVE) { status } }';
    const { errors } = await graph(world, revive, { id: merchantId }, staff);
    expect(errors[0].extensions.code).toBe('notFound');
  });
});

describe('refusals', () => {
  it.each([
    ['nothing', '', '2001'],
    ['another scheme', 'Digest abc', '2002'],
    ['an access token', 'Bearer eyJhbGciOiJub25lIn0', '2002'],
    ['a pair that nobody has', consumerHeader({ consumerKey: 'nobody', consumerSecret: 'nothing' }), '2002'],
    ['a pair without a secret', `Bearer ${Buffer.from('nobody:').toString('base64')}`, '2002'],
  ])('401 for %s', async (_what, authorization, code) => {
    const answer = await administrationWith(world, authorization).create(merchantBody());
    expect(refusal(answer)).toEqual([401, code]);
    expect(answer.body.source).toBe('authentication');
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="administration", Bearer/);
  });

  it('401 for the keys of other interfaces, and for a wrong secret', async () => {
    const { partner, reporting, admin, payments } = world.credentials.tenants.alpha;
    const halves = (key: string) => key.split('.') as [string, string];
    const secrets = [partner.secretApiKey, reporting.merchantApiKey].map(halves);
    const pairs = [...secrets, [admin.consumerKey, halves(partner.secretApiKey)[1]] as [string, string]];
    const values = [
      ...pairs.map(([consumerKey, consumerSecret]) => consumerHeader({ consumerKey, consumerSecret })),
      `Bearer ${await accessTokenOf(world, payments)}`,
      partner.secretApiKey,
    ];
    for (const value of values)
      expect(refusal(await administrationWith(world, value).create(merchantBody()))).toEqual([401, '2002']);
  });

  it('401 with 2004 within a second of the revocation of a key', async () => {
    const make = `mutation ($id: ID!) { createApiKey(merchantId: $id, kind: CONSUMER, mode: LIVE_TEST, label: "to be revoked") { keyId consumerKey consumerSecret } }`;
    const { createApiKey } = await asStaff(make, { id: world.credentials.tenants.alpha.merchantId });
    const caller = administrationWith(world, consumerHeader(createApiKey));
    const body = merchantBody();
    expect((await caller.create(body)).status).toBe(201);
    await asStaff('mutation ($id: ID!) { revokeApiKey(keyId: $id) { keyId } }', { id: createApiKey.keyId });
    const asked = () => Promise.all(Array.from({ length: 6 }, () => caller.modify(body.merchantId, body)));
    const isOver = async () => (await asked()).every((answer) => refusal(answer).join() === '401,2004');
    const revokedMs = performance.now();
    await eventually(() => performance.now() - revokedMs >= 1_000);
    expect(await isOver()).toBe(true);
    expect((await seen(body.merchantId)).account.accountId).toBe('alpha');
  });

  it('come in one order: size, credential, body, id in two places, merchant, state', async () => {
    const { merchantId } = await made({ active: 1 });
    const nobody = administrationWith(world, 'Bearer nothing');
    const huge = { unknown: 'x'.repeat(300_000) };
    const absent = `m-${newId().slice(0, 8)}`;
    const steps: [Promise<Answer>, number, string][] = [
      [nobody.modify(absent, huge), 413, '1004'],
      [nobody.modify(absent, '{'), 401, '2002'],
      [alpha.modify(absent, '{', { 'Content-Type': 'application/json' }), 400, '1002'],
      [alpha.modify(absent, { merchantId: 'other' }), 400, '1003'],
      [alpha.modify(absent, merchantBody({ active: 2 })), 400, '1004'],
      [alpha.modify(absent, merchantBody()), 400, '4003'],
      [alpha.modify(absent, merchantBody({ merchantId: absent })), 404, '4001'],
      [alpha.modify('a b', merchantBody()), 404, '4001'],
      [alpha.modify(merchantId, merchantBody({ merchantId, active: 1 })), 404, '4004'],
      [alpha.remove(absent, ''), 400, '1003'],
      [alpha.remove(absent), 404, '4001'],
      [alpha.remove('a b'), 404, '4001'],
    ];
    for (const [answer, status, code] of steps) expect(refusal(await answer)).toEqual([status, code]);
  });

  it('a merchant of another account answers like an absent one, and stays as it is', async () => {
    const body = await made();
    const { merchantId } = body;
    const absent = merchantBody();
    const answers = [
      [await beta.modify(merchantId, body), await beta.modify(absent.merchantId, absent)],
      [await beta.remove(merchantId), await beta.remove(absent.merchantId)],
    ];
    for (const [foreign, none] of answers) {
      expect(refusal(foreign as Answer)).toEqual([404, '4001']);
      expect(foreign?.body).toEqual(none?.body);
    }
    expect(await seen(merchantId)).toMatchObject({ status: 'ACTIVE', updatedBy: 'back office' });
    expect(await audited(merchantId)).toHaveLength(1);
  });
});

describe('at once and again', () => {
  it('of 24 creations of one merchantId by two accounts one is made', async () => {
    const body = merchantBody();
    const creations = Array.from({ length: 24 }, (_, index) => (index % 2 ? alpha : beta).create(body));
    const answers = judged(await Promise.all(creations));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.body?.code === '4002')).toHaveLength(answers.length - 1);
    expect(await audited(body.merchantId)).toHaveLength(1);
  });

  it('of 16 deletions one is taken', async () => {
    const { merchantId } = await made();
    const answers = judged(await Promise.all(Array.from({ length: 16 }, () => alpha.remove(merchantId))));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(answers.length - 1).fill(404)]);
    expect(
      (await audited(merchantId)).filter(({ action }: { action: string }) => action === 'merchant.deleted'),
    ).toHaveLength(1);
  });

  it('changes at once are each audited, and none is lost', async () => {
    const body = await made();
    const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
    const answers = judged(await Promise.all(names.map((name) => alpha.modify(body.merchantId, { ...body, name }))));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await audited(body.merchantId)).toHaveLength(1 + answers.length);
  });

  it('the same key repeats the first answer, and refuses another request', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const body = merchantBody();
    const answers = [await alpha.create(body, headers), await alpha.create(body, headers)];
    expect(answers.map(({ status, headers: got }) => [status, got['idempotent-replayed']])).toEqual([
      [201, undefined],
      [201, 'true'],
    ]);
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(refusal(await alpha.create(merchantBody(), headers))).toEqual([400, '1004']);
    const again = { 'Idempotency-Key': newId() };
    const change = { ...body, name: 'Once' };
    expect((await alpha.modify(body.merchantId, change, again)).status).toBe(200);
    await alpha.remove(body.merchantId);
    const replayed = await alpha.modify(body.merchantId, change, again);
    expect([replayed.status, replayed.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(await audited(body.merchantId)).toHaveLength(3);
  });
});
