// What callers see of an account whose data was destroyed (`vault:destroy`), over REST: what needs its keys is refused for good, never a defect, and others go on.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { built } from '../support/built';
import { shopOf } from '../support/checkout';
import type { Answer } from '../support/client';
import { freshCardNumber, graph, type Partner, partnerOf } from '../support/partner';
import { eventually } from '../support/stores';
import { startWorld, type World } from '../support/world';

const _root = resolve(__dirname, '../..');
let world: World;
let [alpha, beta]: Partner[] = [];
let virtualAccountId: string;

const card = () => ({ account: freshCardNumber(), accountExpiry: '122031', cvv: '123' });
const make = (partner: Partner | undefined) => partner?.createToken(card()) as Promise<Answer>;

const codesOf = ({ status, body }: Answer) => [status, body.errorCode ?? body.errors?.[0]?.code];

beforeAll(async () => {
  world = await startWorld({ databases: 'own', topology: 'embedded', env: { PROCESSES: '2' } });
  [alpha, beta] = await Promise.all([partnerOf(world, 'alpha'), partnerOf(world, 'beta')]);
  virtualAccountId = (await make(beta)).body.virtualAccountId;
  expect((await beta?.createTransaction(virtualAccountId))?.status).toBe(201);
  const { data } = await graph(world, 'query Of($id: ID!) { merchant(merchantId: $id) { account { accountId } } }', {
    id: world.credentials.tenants.beta.merchantId,
  });
  const { accountId } = data.merchant.account;
  const run = spawnSync(process.execPath, [built('operator.js'), 'destroy-data', '--account', accountId, '--yes'], {
    encoding: 'utf8',
    env: { ...process.env, MONGODB_URI: '', REDIS_URL: '', DATA_DIR: world.dataDir },
  });
  expect(run.stdout).toMatch(/data keys of .* are gone/);
  // Within a second in every process.
  await eventually(async () =>
    (await Promise.all([1, 2, 3, 4].map(() => make(beta)))).every(({ status }) => status !== 201),
  );
});
afterAll(() => world?.stop());

test('no token is made for it any more, in any process, and the refusal is the documented one of the family', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => make(beta)));
  expect(answers.map(codesOf)).toEqual(answers.map(() => [400, 'MTS-1620']));
});

test('its tokens pay no more', async () => {
  const answer = await beta?.createTransaction(virtualAccountId);
  expect(answer && codesOf(answer)).toEqual([400, 'MTS-1620']);
});

test('masks and states can still be read, and the token deleted', async () => {
  expect((await beta?.read(virtualAccountId))?.status).toBe(200);
  expect((await beta?.deleteToken(virtualAccountId))?.status).toBe(204);
});

test('no checkout is opened for it', async () => {
  const answer = await shopOf(world, 'beta').hostedPage();
  expect(codesOf(answer)).toEqual([400, 'GW0006']);
});

test('another account goes on', async () => {
  expect((await make(alpha)).status).toBe(201);
});
