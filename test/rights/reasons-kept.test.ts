// Why somebody of staff took something away, stopped or rotated it stands in the audit with the act, without a card number, whichever domain does it.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { newJwk } from '../access/world';
import { type EntityWorld, now, openEntityWorld, staff } from '../journeys/entity-world';

let world: EntityWorld;
beforeAll(async () => {
  world = await openEntityWorld();
});
afterAll(() => world?.close());

const person: Caller = {
  ...staff,
  kind: 'person',
  credentialId: 'person:p-1',
  scopes: ['graph:administrator'],
  authTime: now,
};

/** What a mutation of a subgraph answers, asked by a person of staff; throws when it is refused. */
async function ask(subgraph: string, mutation: string, variables: object = {}): Promise<Record<string, unknown>> {
  const { data, errors } = await world.ask<Record<string, Record<string, unknown>>>(subgraph, person, mutation, {
    ...variables,
  });
  if (errors?.[0]) throw errors[0];
  return Object.values(data ?? {})[0] ?? {};
}

const clientId = async () => 'client-alpha';
const personId = async () => {
  const identity = { issuer: 'https://id.example', subject: `s-${Math.random()}`, name: 'Ane', email: null };
  const signedIn = { ...identity, groups: ['tenant-alpha'], authTime: now };
  return (await world.domains.access.sessions.signIn(signedIn, { requestId: 'r' })).person.personId;
};
const keyId = async () =>
  String(
    (
      await ask(
        'access',
        'mutation { createApiKey(merchantId: "merchant-alpha", label: "k", kind: MERCHANT) { keyId } }',
      )
    )['keyId'],
  );
const encryptionKey = async () => {
  const source = `mutation ($key: RecipientJwkInput!) { registerEncryptionKey(clientId: "client-alpha", key: $key) { clientId } }`;
  await ask('access', source, { key: newJwk('kid-1') });
  return 'client-alpha';
};
const terminalId = async () => {
  const input = '{ terminalId: "t-1", merchantId: "merchant-alpha", label: "Till", origins: ["https://shop.example"] }';
  return String((await ask('merchants', `mutation { createTerminal(input: ${input}) { terminalId } }`))['terminalId']);
};
const rolledKey = async () => {
  const [current] = await world.domains.tokenization.rollDecryptionKey(requestContext(staff, 'r'));
  await ask('tokenization', 'mutation { rollDecryptionKey(reason: "as each year") { kid } }');
  return String(current?.kid);
};
const agreementId = async () => {
  const { edges } = await ask('merchants', '{ agreements { edges { node { agreementId} } } }');
  const found = (edges as { node: { agreementId: string } }[])[0];
  return String(found?.node.agreementId);
};

/** The subgraph, the act with `ID` for what it is about, how the audit calls it, and what it is about. */
const rows: [subgraph: string, act: string, action: string, subject: () => Promise<string>][] = [
  ['access', 'rotateClientSecret(clientId: ID) { clientSecret }', 'client.secretRotated', clientId],
  ['access', 'setClientScopes(clientId: ID, scopes: []) { clientId }', 'client.scopesChanged', clientId],
  ['access', 'revokeAccessTokens(clientId: ID) { clientId }', 'client.accessTokensRevoked', clientId],
  [
    'access',
    'retireEncryptionKey(clientId: ID, kid: "kid-1") { clientId }',
    'client.encryptionKeyRetired',
    encryptionKey,
  ],
  ['access', 'disableClient(clientId: ID) { clientId }', 'client.disabled', clientId],
  ['access', 'revokeApiKey(keyId: ID) { keyId }', 'apiKey.revoked', keyId],
  ['access', 'setPersonStatus(personId: ID, status: DISABLED) { personId }', 'person.disabled', personId],
  ['access', 'signOutEverywhere(personId: ID) { personId }', 'person.signedOutEverywhere', personId],
  ['merchants', 'setTerminalStatus(terminalId: ID, status: INACTIVE) { status }', 'terminal.changed', terminalId],
  [
    'merchants',
    'setAgreementStatus(agreementId: ID, status: SUSPENDED) { status }',
    'agreement.statusChanged',
    agreementId,
  ],
  [
    'merchants',
    'setMerchantStatus(merchantId: ID, status: INACTIVE) { status }',
    'merchant.statusChanged',
    async () => 'merchant-alpha',
  ],
  [
    'merchants',
    'deleteMerchant(merchantId: ID, userId: "ada") { merchantId }',
    'merchant.deleted',
    async () => 'merchant-beta',
  ],
  ['tokenization', 'retireDecryptionKey(kid: ID) { kid }', 'decryptionKey.retired', rolledKey],
];

const reasonsOf = async (filter: object) => {
  const records = await world.stores.connection.collection('audit').find(filter).toArray();
  return records.map(({ actor, changes }) => [
    actor,
    changes.filter(({ field }: { field: string }) => field === 'reason'),
  ]);
};

test.each(rows)('%s: %s', async (subgraph, act, action, subject) => {
  const subjectId = await subject();
  const why = 'reason: " it was found in a mail with 4242 4242 4242 4242 "';
  const kept = { field: 'reason', from: null, to: 'it was found in a mail with **** **** **** 4242' };
  await ask(subgraph, `mutation { ${act.replace('ID', JSON.stringify(subjectId)).replace(')', `, ${why})`)} }`);
  expect(await reasonsOf({ action, subjectId })).toEqual([['person:p-1', [kept]]]);
});

test('a key that is rolled over', async () => {
  expect(await reasonsOf({ action: 'decryptionKey.rolled', actor: 'person:p-1' })).toEqual([
    ['person:p-1', [{ field: 'reason', from: null, to: 'as each year' }]],
  ]);
});
