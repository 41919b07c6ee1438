// Clients as staff make them through the graph, and the documents that the tests of access send.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { newId } from '../../subgraphs/shared/ids';
import { admin, ask, triple, type World } from './world';

const clientFields = `clientId accountId family label status scopes identifiers { acquirerId providerId pspId }
  secrets { createdAt expiresAt } encryptionKeys { kid bits status retiredAt } limits { name perSecond burst }`;
export const create = `mutation ($input: CreateClientInput!) { createClient(input: $input) { clientSecret client { ${clientFields} } } }`;
export const rotate =
  'mutation ($id: ID!) { rotateClientSecret(clientId: $id) { clientSecret client { secrets { expiresAt } } } }';
export const register = `mutation ($id: ID!, $key: RecipientJwkInput!) { registerEncryptionKey(clientId: $id, key: $key) { ${clientFields} } }`;
export const retire = `mutation ($id: ID!, $kid: String!) { retireEncryptionKey(clientId: $id, kid: $kid) { ${clientFields} } }`;
export const read = `query ($id: ID!) { client(clientId: $id) { ${clientFields} } }`;

/** What a tokenization client of a new account is made from. */
export function input(overrides: object = {}) {
  return {
    family: 'TOKENIZATION',
    accountId: `account-${newId()}`,
    label: 'A shop',
    identifiers: [triple],
    ...overrides,
  };
}

/** A client made through the graph, with its secret. */
export async function newClient({ access }: World, overrides: object = {}) {
  const { data, codes } = await ask(access, create, { variables: { input: input(overrides) } });
  expect(codes).toEqual([]);
  return { ...data.createClient.client, clientSecret: data.createClient.clientSecret } as {
    clientId: string;
    accountId: string;
    clientSecret: string;
    scopes: string[];
  };
}

/** The caller that this client is after it has got an access token. */
export function callerOf({ clientId, accountId }: { clientId: string; accountId: string }): Caller {
  return { ...admin, credentialId: clientId, accountId, scopes: ['mts:token'], identifiers: [triple] };
}
