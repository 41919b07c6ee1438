// People in the graph: what whoever asks learns of itself, views and settings, who may sign in, and acts that ask for a fresh sign-in.

import { freshFieldsOf } from '../../subgraphs/shared/callers/allow';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { admin, ask, openWorld, viewer, type World } from '../access/world';
import { isTrial } from '../support/staff-mutations';
import { eventually } from '../support/stores';

let world: World;
beforeAll(async () => {
  world = await openWorld({}, { ops: 'operator', admins: 'administrator', alpha: 'tenant:alpha', beta: 'tenant:beta' });
});
afterAll(() => world?.closeAll());

const names = (function* () {
  for (let count = 1; ; count += 1) yield `subject-${count}`;
})();

/** A person of that group, signed in a moment ago. */
async function person(group: string, subject = names.next().value as string) {
  const identity = {
    issuer: 'https://login.example',
    subject,
    name: `Person ${subject}`,
    email: null,
    groups: [group],
  };
  const { value } = await world.access.sessions.signIn(
    { ...identity, authTime: world.clock.now() },
    { requestId: 'request-1', address: '127.0.0.1' },
  );
  const { caller, person } = await world.access.sessions.use(value);
  return { value, caller, personId: person.personId };
}

const me =
  '{ viewer { id kind name roles rights account { accountId } preferences { theme density locale timeZone } } }';
const save = 'mutation Save($input: SavedViewInput!) { saveView(input: $input) { viewId name isOwn isShared } }';
const views = '{ viewer { savedViews(screen: "payments") { viewId name isOwn ownerName } } }';

describe('viewer', () => {
  it('of a program: its label, its rights, and no settings of its own', async () => {
    const { data } = await ask(world.access, me, { caller: viewer });
    expect(data.viewer).toMatchObject({ id: 'graph-viewer', kind: 'CLIENT', name: 'graph-viewer', roles: ['viewer'] });
    expect(data.viewer.rights).not.toContain('payments:refund');
    const refused = await ask(world.access, 'mutation { savePreferences(input: { theme: DARK }) { theme } }');
    expect(refused.codes).toEqual(['forbidden']);
  });

  it('of everybody: whether it is played, and what the one clock says', async () => {
    const { data } = await ask(world.access, '{ viewer { environment now } }', { caller: viewer });
    expect(data.viewer).toEqual({ environment: 'SANDBOX', now: world.clock.now().toISOString() });
  });

  it.each([
    ['ops', ['viewer', 'support', 'operator'], null],
    ['alpha', ['tenant'], { accountId: 'alpha' }],
  ])('of a person of %s: roles and account', async (group, roles, account) => {
    const { caller, personId } = await person(group);
    const { data } = await ask(world.access, me, { caller });
    expect(data.viewer).toMatchObject({ id: personId, kind: 'PERSON', roles, account });
    expect(data.viewer.rights.includes('payments:refund')).toBe(group === 'ops');
  });

  it('of a page is nobody', async () => {
    const { codes } = await ask(world.access, me, { caller: { ...admin, kind: 'page', scopes: ['pages'] } });
    expect(codes).toEqual(['forbidden']);
  });
});

describe('settings', () => {
  it('change one by one and stay', async () => {
    const { caller } = await person('ops');
    const set = (input: string) =>
      ask(world.access, `mutation { savePreferences(input: ${input}) { theme locale } }`, { caller });
    await set('{ theme: DARK, locale: "da-DK", timeZone: "Europe/Copenhagen" }');
    await set('{ density: COMPACT, locale: null }');
    const { data } = await ask(world.access, me, { caller });
    expect(data.viewer.preferences).toEqual({
      theme: 'DARK',
      density: 'COMPACT',
      locale: null,
      timeZone: 'Europe/Copenhagen',
    });
  });

  it.each(['{ locale: "<script>" }', '{ locale: "" }', '{ timeZone: "Mars/Olympus" }'])('refuse %s', async (input) => {
    const { caller } = await person('ops');
    const { codes } = await ask(world.access, `mutation { savePreferences(input: ${input}) { theme } }`, { caller });
    expect(codes).toEqual(['invalidInput']);
  });
});

describe('views', () => {
  const input = { screen: 'payments', name: 'Declined today', query: 'state=DECLINED', isShared: false };

  it("are one's own, until they are shared with colleagues", async () => {
    const [mine, colleague, tenant, other] = await Promise.all([
      person('ops'),
      person('ops'),
      person('alpha'),
      person('beta'),
    ]);
    const kept = async (caller: Caller, more: object) =>
      (await ask(world.access, save, { caller, variables: { input: { ...input, ...more } } })).data.saveView;
    const own = await kept(mine.caller, {});
    await kept(mine.caller, { name: 'Shared by staff', isShared: true });
    await kept(tenant.caller, { name: 'Shared by alpha', isShared: true });
    const seen = async (caller: Caller) =>
      (await ask(world.access, views, { caller })).data.viewer.savedViews.map(({ name }: { name: string }) => name);
    expect(await seen(mine.caller)).toEqual(['Declined today', 'Shared by staff']);
    expect(await seen(colleague.caller)).toEqual(['Shared by staff']);
    expect([await seen(tenant.caller), await seen(other.caller)]).toEqual([['Shared by alpha'], []]);
    const change = { input: { ...input, viewId: own.viewId, name: 'Taken' } };
    for (const { caller } of [colleague, tenant]) {
      expect((await ask(world.access, save, { caller, variables: change })).codes).toEqual(['notFound']);
      const gone = `mutation { deleteView(viewId: "${own.viewId}") }`;
      expect((await ask(world.access, gone, { caller })).codes).toEqual(['notFound']);
    }
    await ask(world.access, `mutation { deleteView(viewId: "${own.viewId}") }`, { caller: mine.caller });
    expect(await seen(mine.caller)).toEqual(['Shared by staff']);
  });

  it('stay with the tenant that its owner has left', async () => {
    const [before, colleague] = [await person('alpha', 'mover'), await person('alpha')];
    const shared = { ...input, name: 'Open refunds', isShared: true };
    const { data } = await ask(world.access, save, { caller: before.caller, variables: { input: shared } });
    const after = await person('beta', 'mover');
    const change = { input: { ...shared, viewId: data.saveView.viewId, query: 'merchantIds=beta-shop' } };
    expect((await ask(world.access, save, { caller: after.caller, variables: change })).codes).toEqual(['notFound']);
    const queries = '{ viewer { savedViews(screen: "payments") { name query } } }';
    const seen = await ask(world.access, queries, { caller: colleague.caller });
    expect(seen.data.viewer.savedViews).toContainEqual({ name: 'Open refunds', query: 'state=DECLINED' });
    expect((await ask(world.access, queries, { caller: after.caller })).data.viewer.savedViews).toEqual([]);
  });

  it.each([
    ['no name', { name: '  ' }],
    ['no screen', { screen: '' }],
    ['a query without end', { query: 'x'.repeat(2_001) }],
  ])('refuse %s', async (_what, more) => {
    const { caller } = await person('ops');
    expect((await ask(world.access, save, { caller, variables: { input: { ...input, ...more } } })).codes).toEqual([
      'invalidInput',
    ]);
  });
});

describe('who may sign in', () => {
  const list = '{ people(first: 100) { edges { node { personId status account { accountId } } } } }';
  const status =
    'mutation Set($personId: ID!, $status: PersonStatus!) { setPersonStatus(personId: $personId, status: $status, reason: "left us") { status } }';

  it('is listed: to staff all, to a tenant its own', async () => {
    const [staff, alpha, beta] = await Promise.all([person('ops'), person('alpha'), person('beta')]);
    const seen = async (caller: Caller) =>
      (await ask(world.access, list, { caller })).data.people.edges.map(
        (edge: { node: { personId: string } }) => edge.node.personId,
      );
    expect(await seen(staff.caller)).toEqual(
      expect.arrayContaining([staff, alpha, beta].map(({ personId }) => personId)),
    );
    const ofAlpha = await seen(alpha.caller);
    expect([
      ofAlpha.includes(alpha.personId),
      ofAlpha.includes(beta.personId),
      ofAlpha.includes(staff.personId),
    ]).toEqual([true, false, false]);
  });

  it('changes: a disabled person is out within a second, and comes back only when enabled', async () => {
    const [boss, somebody] = [await person('admins'), await person('ops', 'somebody')];
    const set = (to: string, caller = boss.caller) =>
      ask(world.access, status, { caller, variables: { personId: somebody.personId, status: to } });
    expect((await set('DISABLED', (await person('ops')).caller)).codes).toEqual(['forbidden']);
    expect((await set('DISABLED')).data.setPersonStatus.status).toBe('DISABLED');
    await eventually(() =>
      world.access.sessions.read(somebody.value).then(
        () => false,
        () => true,
      ),
    );
    await expect(person('ops', 'somebody')).rejects.toMatchObject({ code: 'forbidden' });
    await set('ACTIVE');
    await expect(world.access.sessions.read(somebody.value)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await person('ops', 'somebody')).personId).toBe(somebody.personId);
    const own = { personId: boss.personId, status: 'DISABLED' };
    expect((await ask(world.access, status, { caller: boss.caller, variables: own })).codes).toEqual(['invalidState']);
  });

  it('is signed out everywhere by itself, or by who may', async () => {
    const [mine, again, boss] = [await person('ops', 'twice'), await person('ops', 'twice'), await person('admins')];
    const out = (caller: Caller, of: string, why = '') =>
      ask(world.access, `mutation { signOutEverywhere(personId: "${of}"${why}) { personId } }`, { caller });
    expect((await out(mine.caller, boss.personId)).codes).toEqual(['forbidden']);
    expect((await out(mine.caller, mine.personId)).codes).toEqual([]);
    for (const { value } of [mine, again])
      await expect(world.access.sessions.read(value)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await out(boss.caller, mine.personId)).codes).toEqual(['invalidInput']);
    expect((await out(boss.caller, mine.personId, ', reason: "a lost laptop"')).codes).toEqual([]);
    expect((await ask(world.access, 'mutation { signOutEverywhere { personId } }')).codes).toEqual(['forbidden']);
  });
});

describe('a fresh sign-in', () => {
  const create = `mutation { createClient(input: { family: GRAPH, label: "x" }) { client { clientId } } }`;

  it.each([
    ['a person who signed in a moment ago', 0, []],
    ['a person who signed in nine minutes ago', 9, []],
    ['a person who signed in ten minutes ago', 10, ['freshSignInNeeded']],
  ])('%s', async (_who, minutes, codes) => {
    const { caller } = await person('admins');
    const aged = { ...caller, authTime: new Date(world.clock.now().getTime() - minutes * 60_000) };
    expect((await ask(world.access, create, { caller: aged })).codes).toEqual(codes);
  });

  it('is asked of who never said when it was, and not of programs', async () => {
    const { caller } = await person('admins');
    expect((await ask(world.access, create, { caller: { ...caller, authTime: undefined } })).codes).toEqual([
      'freshSignInNeeded',
    ]);
    expect((await ask(world.access, create, { caller: admin })).codes).toEqual([]);
  });

  it('is asked for keys, secrets, rights and what a second person confirms', async () => {
    const { typeDefs } = await buildSubgraph(world.access.subgraph);
    const asking = [...freshFieldsOf(typeDefs)].map((field) => ({ name: field.replace('Mutation.', '') }));
    const acts = asking.filter((field) => !isTrial(field)).map(({ name }) => name);
    expect(acts.sort()).toEqual([
      'confirmProposal',
      'createApiKey',
      'createClient',
      'enableClient',
      'proposeClientScopes',
      'registerEncryptionKey',
      'retireEncryptionKey',
      'revokeApiKey',
      'rotateClientSecret',
      'setClientScopes',
      'setPersonStatus',
    ]);
  });
});

it('two sessions of one person are not two persons', async () => {
  const target = (
    await ask(world.access, `mutation { createClient(input: { family: GRAPH, label: "y" }) { client { clientId } } }`)
  ).data.createClient.client.clientId;
  const [first, second, other] = [await person('admins', 'one'), await person('admins', 'one'), await person('admins')];
  const propose = `mutation { proposeClientScopes(clientId: "${target}", scopes: ["graph:operator"]) { proposal { proposalId } } }`;
  const { data } = await ask(world.access, propose, { caller: first.caller });
  const confirm = `mutation { confirmProposal(proposalId: "${data.proposeClientScopes.proposal.proposalId}") { proposal { status proposedBy endedBy } } }`;
  expect((await ask(world.access, confirm, { caller: second.caller })).codes).toEqual(['forbidden']);
  const { proposal } = (await ask(world.access, confirm, { caller: other.caller })).data.confirmProposal;
  expect(proposal).toEqual({
    status: 'CONFIRMED',
    proposedBy: `person:${first.personId}`,
    endedBy: `person:${other.personId}`,
  });
});
