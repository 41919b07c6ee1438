// Two persons: who may propose, confirm and reject, once, within a day, whatever races or dies (decision register, Two persons).
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { CarryOut, ProposalKind } from '../../subgraphs/shared/callers/proposal';
import { proposalRights } from '../../subgraphs/shared/callers/proposal';
import { DomainError } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import type { InTransaction } from '../../subgraphs/shared/store/unit-of-work';
import { admin, ask as askAccess, openWorld, viewer, type World } from './world';

let world: World;
let carryOut: CarryOut;
let inTransaction: InTransaction;
const done: unknown[] = [];
/** The entry that was booked last: each has an id of its own, as a proposal is found by what it made. */
let entryId: string;

beforeAll(async () => {
  world = await openWorld({ booking: (...confirmed) => carryOut(...confirmed) });
  ({ inTransaction } = createCommitter(world.connection));
});
beforeEach(() => {
  done.length = 0;
  carryOut = async (_context, input, conclude) => {
    entryId = newId();
    await inTransaction(conclude(entryId));
    done.push(input);
  };
});
afterAll(() => world.closeAll());

/** The first refusal beside the data. */
const ask = async (source: string, variables: Record<string, unknown>, caller: Caller) => {
  const { data, codes } = await askAccess(world.access, source, { variables, caller });
  return { data, code: codes[0] ?? null };
};

const second: Caller = { ...admin, credentialId: 'second' };
const third: Caller = { ...admin, credentialId: 'third' };
const own: Caller = { ...viewer, credentialId: 'own', accountId: 'alpha' };

const propose = async (
  changes: { kind?: ProposalKind; accountId?: string | null; subjectType?: string; subjectId?: string } = {},
) =>
  (
    await world.access.propose(
      { caller: admin, requestId: newId() },
      {
        kind: 'LEDGER_BOOKING',
        accountId: 'alpha',
        subjectType: 'merchant',
        subjectId: 'm-1',
        reason: 'case 7',
        changes: [{ field: 'amount', from: null, to: '1000 EUR' }],
        input: { amount: '1000' },
        ...changes,
      },
    )
  ).proposalId;
const fields =
  'proposalId status kind subjectType subjectId reason proposedBy endedBy rejection resultId input changes { field to }';
const read = async (id: string, caller: Caller = second) =>
  (await ask(`query ($id: ID!) { proposal(proposalId: $id) { ${fields} } }`, { id }, caller)).data?.proposal;
const confirm = (id: string, caller: Caller = second) =>
  ask('mutation ($id: ID!) { confirmProposal(proposalId: $id) { proposal { status } } }', { id }, caller);
const reject = (id: string, caller: Caller = second, reason = 'not ours') =>
  ask(
    'mutation ($id: ID!, $reason: String!) { rejectProposal(proposalId: $id, reason: $reason) { proposal { status } } }',
    { id, reason },
    caller,
  );
const audited = (id: string) =>
  world.connection.collection('audit').find({ 'changes.to': id }).sort({ at: 1 }).toArray();

test('a second person confirms it, it is done once, and both are in the audit', async () => {
  const id = await propose();
  expect(await read(id)).toMatchObject({
    status: 'PENDING',
    kind: 'LEDGER_BOOKING',
    subjectId: 'm-1',
    reason: 'case 7',
    input: { amount: '1000' },
    proposedBy: admin.credentialId,
    endedBy: null,
    changes: [{ field: 'amount', to: '1000 EUR' }],
  });
  expect((await confirm(id)).data).toEqual({ confirmProposal: { proposal: { status: 'CONFIRMED' } } });
  expect(await read(id)).toMatchObject({ status: 'CONFIRMED', endedBy: 'second', resultId: entryId });
  expect(done).toEqual([{ amount: '1000' }]);
  expect((await audited(id)).map(({ action, actor }) => [action, actor])).toEqual([
    ['proposal.made', admin.credentialId],
    ['proposal.confirmed', 'second'],
  ]);
  // The answer was lost: who confirmed it is told so again, and nothing is done twice.
  expect((await confirm(id)).data).toEqual({ confirmProposal: { proposal: { status: 'CONFIRMED' } } });
  expect(done).toHaveLength(1);
});

test('the one that made a thing is found by it, by whoever may see it', async () => {
  const id = await propose();
  await confirm(id);
  const madeBy = async (made: string, caller: Caller = second) => {
    const query = 'query ($id: ID!) { proposals(resultId: $id, first: 1) { edges { node { proposalId } } } }';
    const { data } = await ask(query, { id: made }, caller);
    return data?.proposals.edges.map(({ node }: { node: { proposalId: string } }) => node.proposalId);
  };
  expect(await madeBy(entryId)).toEqual([id]);
  expect(await madeBy(newId())).toEqual([]);
  expect(await madeBy(entryId, { ...second, accountId: 'another' })).toEqual([]);
});

test.each<[string, Caller, string]>([
  ['the proposer', admin, 'forbidden'],
  ['a viewer', { ...viewer, credentialId: 'v' }, 'forbidden'],
  ['staff without the right to this act', { ...second, scopes: ['graph:onboarding:approve'] }, 'forbidden'],
  ['an account with scopes of staff', { ...second, accountId: 'alpha' }, 'forbidden'],
  ['staff of the other environment', { ...second, environment: 'production' }, 'notFound'],
])('%s cannot confirm it', async (_who, caller, code) => {
  const id = await propose();
  expect((await confirm(id, caller)).code).toBe(code);
  expect((await read(id)).status).toBe('PENDING');
  expect(done).toEqual([]);
});

test.each(Object.entries(proposalRights))('%s needs %s, and no other right will do', async (kind, right) => {
  const id = await propose({ kind: kind as ProposalKind });
  for (const other of Object.values(proposalRights).filter((each) => each !== right))
    expect((await reject(id, { ...second, scopes: [`graph:${other}`] })).code).toBe('forbidden');
  expect((await reject(id, { ...second, scopes: [`graph:${right}`] })).code).toBeNull();
});

test('one about an application leads to it, for those who may read applications', async () => {
  const id = await propose({ kind: 'ONBOARDING_APPROVAL', subjectType: 'application', subjectId: '8' });
  const source = 'query ($id: ID!) { proposal(proposalId: $id) { application { id } } }';
  const told = async (proposalId: string, caller: Caller) =>
    (await ask(source, { id: proposalId }, caller)).data?.proposal.application;
  expect(await told(id, second)).toEqual({ id: '8' });
  expect(await told(id, { ...second, scopes: ['graph:proposals:read'] })).toBeNull();
  expect(await told(await propose(), second)).toBeNull();
});

test('what was rejected, confirmed by somebody else or is a day old stays as it is', async () => {
  const rejected = await propose();
  expect((await reject(rejected, admin, '  ')).code).toBe('invalidInput');
  expect((await reject(rejected, admin)).data.rejectProposal.proposal.status).toBe('REJECTED');
  const confirmed = await propose();
  await confirm(confirmed);
  const old = await propose();
  world.clock.advance(24 * 3_600_000 - 1);
  expect((await read(old)).status).toBe('PENDING');
  world.clock.advance(1);
  expect((await read(old)).status).toBe('EXPIRED');
  done.length = 0;
  for (const id of [rejected, confirmed, old]) {
    expect((await confirm(id, third)).code).toBe('invalidState');
    expect((await reject(id, third)).code).toBe('invalidState');
  }
  expect((await confirm('absent')).code).toBe('notFound');
  expect(done).toEqual([]);
  expect(await read(rejected)).toMatchObject({ endedBy: admin.credentialId, rejection: 'not ours' });
});

test('of thirty-two confirmations and rejections at once one wins', async () => {
  const id = await propose();
  const answers = await Promise.all(
    Array.from({ length: 32 }, (_, index) => {
      const caller = { ...second, credentialId: `person-${index}` };
      return index % 2 === 0 ? confirm(id, caller) : reject(id, caller);
    }),
  );
  expect(answers.filter(({ code }) => code === null)).toHaveLength(1);
  expect(answers.filter(({ code }) => code === 'invalidState')).toHaveLength(31);
  expect(done.length).toBe((await read(id)).status === 'CONFIRMED' ? 1 : 0);
  expect(await audited(id)).toHaveLength(2);
});

test('an act that is refused, or dies before it is committed, leaves the proposal waiting', async () => {
  const id = await propose();
  carryOut = async () => {
    throw new DomainError('amountInvalid');
  };
  expect((await confirm(id)).code).toBe('amountInvalid');
  carryOut = async () => {
    throw new Error('the process died');
  };
  expect((await confirm(id)).code).toBe('the process died');
  expect((await read(id)).status).toBe('PENDING');
});

test('the list is newest first, by status, page by page; an account sees its own, and never what only the confirmer needs', async () => {
  await world.connection.collection('proposals').deleteMany({});
  const ids: string[] = [];
  for (const accountId of ['alpha', 'beta', null, 'alpha']) {
    ids.unshift(await propose({ accountId }));
    world.clock.advance(1_000);
  }
  await confirm(ids[1] ?? '');
  const list = async (args: string, caller: Caller = second) => {
    const source = `{ proposals${args} { edges { node { proposalId input } } pageInfo { hasNextPage endCursor } } }`;
    return (await ask(source, {}, caller)).data.proposals;
  };
  const idsOf = ({ edges }: { edges: { node: { proposalId: string } }[] }) => edges.map(({ node }) => node.proposalId);
  expect(idsOf(await list(''))).toEqual(ids);
  expect(idsOf(await list('(status: PENDING)'))).toEqual([ids[0], ids[2], ids[3]]);
  expect(idsOf(await list('(status: CONFIRMED)'))).toEqual([ids[1]]);
  expect(idsOf(await list('(status: EXPIRED)'))).toEqual([]);
  const page = await list('(first: 3)');
  expect(page.pageInfo.hasNextPage).toBe(true);
  expect(idsOf(await list(`(first: 3, after: "${page.pageInfo.endCursor}")`))).toEqual([ids[3]]);
  const seen = await list('', own);
  expect(idsOf(seen)).toEqual([ids[0], ids[3]]);
  expect(seen.edges.map(({ node }: { node: { input: unknown } }) => node.input)).toEqual([null, null]);
  world.clock.advance(24 * 3_600_000);
  expect(idsOf(await list('(status: EXPIRED)'))).toEqual([ids[0], ids[2], ids[3]]);
  expect(idsOf(await list('(status: PENDING)'))).toEqual([]);
  expect((await ask('{ proposals(after: "x") { edges { cursor } } }', {}, second)).code).toBe('invalidInput');
});

describe('rights of staff', () => {
  const create = (scopes: string[] | null) =>
    ask(
      'mutation ($input: CreateClientInput!) { createClient(input: $input) { client { clientId } } }',
      { input: { family: 'GRAPH', label: 'staff', scopes } },
      admin,
    );
  const scopesOf = async (id: string) =>
    (await ask('query ($id: ID!) { client(clientId: $id) { scopes } }', { id }, admin)).data.client.scopes;
  const set = (id: string, scopes: string[], field = 'setClientScopes(clientId: $id, scopes: $scopes) { clientId }') =>
    ask(`mutation ($id: ID!, $scopes: [String!]!) { ${field} }`, { id, scopes }, admin);
  const proposeScopes = (id: string, scopes: string[]) =>
    set(id, scopes, 'proposeClientScopes(clientId: $id, scopes: $scopes) { proposal { proposalId } }');

  test.each([[['graph:admin']], [['graph:read', 'graph:operator']], [['graph:ledger:book']]])(
    'nobody makes a second person alone: %j',
    async (scopes) => {
      expect(await create(scopes)).toMatchObject({ code: 'forbidden' });
    },
  );

  test('are given by two, and taken by one', async () => {
    const id = (await create(['graph:read'])).data.createClient.client.clientId;
    expect((await set(id, ['graph:read', 'graph:operator'])).code).toBe('forbidden');
    const { data } = await proposeScopes(id, ['graph:read', 'graph:operator']);
    const { proposalId } = data.proposeClientScopes.proposal;
    expect((await confirm(proposalId, admin)).code).toBe('forbidden');
    expect(await scopesOf(id)).toEqual(['graph:read']);
    expect((await confirm(proposalId, second)).code).toBeNull();
    expect(await scopesOf(id)).toEqual(['graph:read', 'graph:operator']);
    expect((await proposeScopes(id, ['graph:read', 'graph:operator'])).code).toBe('invalidState');
    const rotate = 'mutation ($id: ID!) { rotateClientSecret(clientId: $id) { clientSecret } }';
    expect((await ask(rotate, { id }, admin)).code).toBe('forbidden');
    expect((await ask(rotate, { id }, { ...second, credentialId: id })).code).toBeNull();
    // Less of what it has, or what opens nothing more, is one person's to decide.
    expect((await set(id, ['graph:read', 'graph:support'])).code).toBeNull();
    expect((await set(id, [])).code).toBeNull();
  });
});
