// What staff write in their own words: a card number in it is masked before anybody keeps it, what is no line of text is refused, and every text that a mutation of staff's contract takes is told here.
import { type GraphQLInputType, getNamedType, isInputObjectType } from 'graphql';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { type EntityWorld, now, openEntityWorld, staff } from '../journeys/entity-world';
import { ownedEntities } from '../journeys/owned-entities';
import { freshCardNumber } from '../support/partner';
import { staffMutations } from '../support/staff-mutations';

let world: EntityWorld;
let person: Caller;
beforeAll(async () => {
  world = await openEntityWorld();
  const signedIn = await ownedEntities.find(({ type }) => type === 'Person')?.key(world, 'alpha');
  const credentialId = `person:${signedIn?.['personId']}`;
  person = { ...staff, kind: 'person', credentialId, scopes: ['graph:administrator'], authTime: now };
});
afterAll(() => world?.close());

/** The mutation by a person of staff, with `$text` where something is written. */
async function write(subgraph: string, mutation: string, text: string) {
  const source = `mutation ($text: String!) { ${mutation} }`;
  const { errors } = await world.ask(subgraph, person, source, { text });
  const refused = errors?.[0] ? refusalOf(errors[0]) : null;
  if (errors?.[0] && !refused) throw errors[0];
  return refused && { code: refused.code, field: refused.details.field };
}

/** Those of a collection's documents that have a text, wherever it stands. */
async function keptWith(text: string): Promise<string[]> {
  const collections = (await world.stores.connection.db?.collections()) ?? [];
  const found = collections.map(async (collection) => {
    const documents = await collection.find().toArray();
    return documents.some((each) => JSON.stringify(each, withBigInts).includes(text))
      ? [collection.collectionName]
      : [];
  });
  return (await Promise.all(found)).flat();
}

const withBigInts = (_name: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const proposalId = async () => {
  const { domains } = world;
  const subject = { accountId: 'alpha', subjectType: 'merchant', subjectId: 'merchant-alpha' };
  const act = { kind: 'LEDGER_BOOKING' as const, reason: null, changes: [], input: {} };
  return (await domains.access.propose(requestContext(staff, newId()), { ...subject, ...act })).proposalId;
};

const entry = 'merchantId: "merchant-alpha", amount: "100", currency: "EUR"';
const account = 'merchantId: "merchant-alpha", iban: "DK5000400440116243", bic: "NDEADKKK"';
const done = '{ proposal { proposalId } }';

interface Written {
  /** Of the contract: the mutation, the argument, and the members below it. */
  path: string;
  subgraph: string;
  /** With `$text`, and `ID` for what it is about. */
  mutation: string;
  id?: () => Promise<string>;
  charactersMax: number;
}

/** A reason has tests of its own where anybody may leave it out (`reasons-kept`). */
const written: Written[] = [
  {
    path: 'startJob.input.reason',
    subgraph: 'access',
    mutation: 'startJob(input: { act: REFUND_PAYMENT, ids: ["x"], dryRun: true, reason: $text }) { jobId }',
    charactersMax: 500,
  },
  {
    path: 'rejectProposal.reason',
    subgraph: 'access',
    mutation: `rejectProposal(proposalId: ID, reason: $text) ${done}`,
    id: proposalId,
    charactersMax: 500,
  },
  ...['bookDeposit', 'bookChargeback', 'bookAdjustment'].flatMap((act) => [
    {
      path: `${act}.input.reason`,
      subgraph: 'reporting',
      mutation: `${act}(input: { ${entry}, reason: $text }) ${done}`,
      charactersMax: 500,
    },
    {
      path: `${act}.input.reference`,
      subgraph: 'reporting',
      mutation: `${act}(input: { ${entry}, reason: "why", reference: $text }) ${done}`,
      charactersMax: 64,
    },
  ]),
  {
    path: 'setPayoutAccount.input.reason',
    subgraph: 'reporting',
    mutation: `setPayoutAccount(input: { ${account}, reason: $text }) ${done}`,
    charactersMax: 500,
  },
  {
    path: 'createClient.input.label',
    subgraph: 'access',
    mutation: 'createClient(input: { family: GRAPH, accountId: "alpha", label: $text }) { clientSecret }',
    charactersMax: 100,
  },
  {
    path: 'createApiKey.label',
    subgraph: 'access',
    mutation: 'createApiKey(merchantId: "merchant-alpha", label: $text, kind: MERCHANT) { keyId }',
    charactersMax: 100,
  },
  {
    path: 'saveView.input.name',
    subgraph: 'access',
    mutation: 'saveView(input: { screen: "payments", name: $text, query: "" }) { viewId }',
    charactersMax: 80,
  },
  {
    path: 'createAccount.input.name',
    subgraph: 'merchants',
    mutation: 'createAccount(input: { accountId: ID, name: $text }) { accountId }',
    id: async () => newId().slice(0, 35),
    charactersMax: 100,
  },
  {
    path: 'createMerchant.input.name',
    subgraph: 'merchants',
    mutation: 'createMerchant(input: { accountId: "alpha", merchantId: ID, name: $text }) { merchantId }',
    id: async () => newId().slice(0, 35),
    charactersMax: 100,
  },
  ...['name', 'merchantCity'].map((field) => ({
    path: `updateMerchant.input.${field}`,
    subgraph: 'merchants',
    mutation: `updateMerchant(merchantId: "merchant-beta", input: { ${field}: $text }) { merchantId }`,
    charactersMax: 100,
  })),
  {
    path: 'deleteMerchant.userId',
    subgraph: 'merchants',
    mutation: 'deleteMerchant(merchantId: ID, userId: $text, reason: "over") { merchantId }',
    id: async () => {
      const merchantId = newId().slice(0, 35);
      const mutation = `createMerchant(input: { accountId: "alpha", merchantId: "${merchantId}", name: $text }) { merchantId }`;
      expect(await write('merchants', mutation, 'Over')).toBe(null);
      return merchantId;
    },
    charactersMax: 100,
  },
  {
    path: 'createTerminal.input.label',
    subgraph: 'merchants',
    mutation: `createTerminal(input: { terminalId: ID, merchantId: "merchant-alpha", label: $text, origins: ["https://shop.example"] }) { terminalId }`,
    id: async () => newId(),
    charactersMax: 100,
  },
];

const about = async ({ mutation, id }: Written) => (id ? mutation.replace('ID', JSON.stringify(await id())) : mutation);

/** As somebody would write it down. */
function newCardNumber(): { plain: string; masked: string } {
  const groups = freshCardNumber().match(/\d{4}/g) ?? [];
  return { plain: groups.join(' '), masked: `**** **** **** ${groups.at(-1)}` };
}

test.each(written)('$path: a card number is kept masked, and nowhere else', async (row) => {
  const { plain, masked } = newCardNumber();
  expect(await write(row.subgraph, await about(row), `as of ${plain}`)).toBe(null);
  expect(await keptWith(`as of ${masked}`)).not.toEqual([]);
  expect(await keptWith(plain)).toEqual([]);
});

test.each(written)('$path: 1 to $charactersMax characters of plain text', async (row) => {
  const field = row.path.split('.').at(-1);
  for (const text of ['   ', 'x'.repeat(row.charactersMax + 1), 'a\u0000b', 'a\ud800b'])
    expect([text, await write(row.subgraph, await about(row), text)]).toEqual([text, { code: 'invalidInput', field }]);
  expect(await write(row.subgraph, await about(row), '€'.repeat(row.charactersMax))).toBe(null);
});

/** Words of anybody who may leave them out, and those that documented paths take too, have tests of their own. */
const elsewhere = {
  'a reason that may be left out (reasons-kept)': /(^|\.)reason$/,
  'what a merchant says of a movement (test/payments)': /\.description$|\.posReferenceNumber$|\.basket$/,
};
/** What is no words: it is kept as it was given, is one of a list, or has a form of its own. */
const noWords = {
  'an id, or a number that somebody else gave': /(Id|orgNumber|vatNumber|prefix|\.kid)$/,
  'of a list or a form':
    /(amount|currency|currencies|country|scopes|methods|merchantCategoryCode|locale|timeZone|iban|bic|date)$/,
  'an address, or what is sent there': /(origins|address|authorization)$/,
  'a public key': /\.key\.(kty|use|alg|n|e)$/,
  'of a screen of the dashboard (views)': /^saveView\.input\.(screen|query)$/,
};

function textsOf(type: GraphQLInputType, path: string): string[] {
  const named = getNamedType(type);
  if (isInputObjectType(named))
    return Object.values(named.getFields()).flatMap((field) => textsOf(field.type, `${path}.${field.name}`));
  return ['String', 'JSONObject'].includes(named.name) ? [path] : [];
}

test('every text that a mutation for staff takes is told here, or is no words', () => {
  const all = staffMutations.flatMap(({ name, args }) =>
    args.flatMap((arg) => textsOf(arg.type, `${name}.${arg.name}`)),
  );
  const told = written.map(({ path }) => path);
  expect(told.filter((path) => !all.includes(path))).toEqual([]);
  const others = [...Object.values(elsewhere), ...Object.values(noWords)];
  expect(all.filter((path) => !told.includes(path) && !others.some((form) => form.test(path)))).toEqual([]);
});
