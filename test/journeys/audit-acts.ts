// What is done so that it comes into the audit: over REST, in the graph, in a browser; each with the act and the subject that the audit has of it.
import { randomUUID } from 'node:crypto';
import { Browser, isBack } from '../people/browser';
import { administrationOf, merchantBody } from '../support/administration';
import { onboardingOf } from '../support/onboarding';
import { accessTokenOf, graph } from '../support/partner';
import { askGraph } from '../support/reports';
import type { World } from '../support/world';

export interface Done {
  action: string;
  subjectId: string;
  /** The merchant of the event. */
  merchantId?: string;
  /** `beta`, or staff's alone. */
  accountId: 'beta' | null;
}

async function act(world: World, mutation: string, variables: object = {}) {
  return Object.values(await askGraph(world, mutation, variables))[0] as Record<string, unknown>;
}

export async function newClient(world: World, input: object): Promise<{ clientId: string; clientSecret: string }> {
  const made = `mutation ($input: CreateClientInput!) { createClient(input: $input) { clientSecret client { clientId } } }`;
  const all = { family: 'GRAPH', label: 'audit events', ...input };
  const { createClient } = await askGraph(world, made, { input: all });
  return { clientId: createClient.client.clientId, clientSecret: createClient.clientSecret };
}

export async function newMerchant(world: World, tenant: 'alpha' | 'beta' = 'beta'): Promise<string> {
  const body = merchantBody();
  expect((await administrationOf(world, tenant).create(body)).status).toBe(201);
  return body.merchantId;
}

async function newTerminal(world: World): Promise<{ terminalId: string; merchantId: string }> {
  const merchantId = await newMerchant(world);
  const terminalId = `terminal-${randomUUID().slice(0, 13)}`;
  const input = { terminalId, merchantId, label: 'Till', origins: ['https://shop.example'] };
  await act(world, 'mutation ($input: CreateTerminalInput!) { createTerminal(input: $input) { terminalId } }', {
    input,
  });
  return { terminalId, merchantId };
}

export async function newKey(world: World): Promise<{ keyId: string; merchantId: string }> {
  const merchantId = await newMerchant(world);
  const { keyId } = await act(
    world,
    'mutation ($m: ID!) { createApiKey(merchantId: $m, label: "Reports", kind: MERCHANT) { keyId } }',
    { m: merchantId },
  );
  return { keyId: String(keyId), merchantId };
}

async function signedIn(world: World): Promise<{ browser: Browser; personId: string }> {
  const { signIn } = world.credentials.people.find(({ role }) => role === 'viewer') ?? { signIn: '' };
  const browser = new Browser(new URL(world.urls.dashboard).origin);
  await browser.open(signIn, isBack);
  const { body } = await browser.ask('{ viewer { id } }');
  return { browser, personId: String(body.data.viewer.id).replace('person:', '') };
}

/** By what is done; each makes what it needs. */
export const acts: Record<string, (world: World) => Promise<Done>> = {
  'a merchant made over REST': async (world) => {
    const merchantId = await newMerchant(world);
    return { action: 'merchant.created', subjectId: merchantId, merchantId, accountId: 'beta' };
  },
  'a merchant changed over REST': async (world) => {
    const merchantId = await newMerchant(world);
    const body = merchantBody({ merchantId, name: 'Sydlys' });
    expect((await administrationOf(world, 'beta').modify(merchantId, body)).status).toBeLessThan(300);
    return { action: 'merchant.changed', subjectId: merchantId, merchantId, accountId: 'beta' };
  },
  'a merchant that takes no more payments': async (world) => {
    const merchantId = await newMerchant(world);
    const set = 'mutation ($m: ID!, $s: MerchantStatus!) { setMerchantStatus(merchantId: $m, status: $s) { status } }';
    await act(world, set, { m: merchantId, s: 'ACTIVE' });
    await act(world, set, { m: merchantId, s: 'INACTIVE' });
    return { action: 'merchant.statusChanged', subjectId: merchantId, merchantId, accountId: 'beta' };
  },
  'a terminal that is made': async (world) => {
    const { terminalId, merchantId } = await newTerminal(world);
    return { action: 'terminal.created', subjectId: terminalId, merchantId, accountId: 'beta' };
  },
  'a terminal that is changed': async (world) => {
    const { terminalId, merchantId } = await newTerminal(world);
    await act(world, 'mutation ($t: ID!) { setTerminalStatus(terminalId: $t, status: INACTIVE) { status } }', {
      t: terminalId,
    });
    return { action: 'terminal.changed', subjectId: terminalId, merchantId, accountId: 'beta' };
  },
  'a key that is issued': async (world) => {
    const { keyId, merchantId } = await newKey(world);
    return { action: 'apiKey.issued', subjectId: keyId, merchantId, accountId: 'beta' };
  },
  'a key that is revoked': async (world) => {
    const { keyId, merchantId } = await newKey(world);
    await act(world, 'mutation ($k: ID!) { revokeApiKey(keyId: $k) { status } }', { k: keyId });
    return { action: 'apiKey.revoked', subjectId: keyId, merchantId, accountId: 'beta' };
  },
  'a client that is made': async (world) => {
    const { clientId } = await newClient(world, { accountId: 'beta', scopes: [] });
    return { action: 'client.created', subjectId: clientId, accountId: 'beta' };
  },
  'a client that is disabled': async (world) => {
    const { clientId } = await newClient(world, { accountId: 'beta', scopes: [] });
    await act(world, 'mutation ($c: ID!) { disableClient(clientId: $c) { status } }', { c: clientId });
    return { action: 'client.disabled', subjectId: clientId, accountId: 'beta' };
  },
  'a person who signs in': async (world) => {
    const { personId } = await signedIn(world);
    return { action: 'person.signedIn', subjectId: personId, accountId: null };
  },
  'a person who signs out': async (world) => {
    const { browser, personId } = await signedIn(world);
    await browser.call('POST', '/sign-out', { headers: { origin: browser.origin } });
    return { action: 'person.signedOut', subjectId: personId, accountId: null };
  },
  'a proposal': async (world) => {
    const { clientId } = await newClient(world, { scopes: ['graph:viewer'] });
    const propose =
      'mutation ($c: ID!) { proposeClientScopes(clientId: $c, scopes: ["graph:operator"]) { proposal { proposalId } } }';
    await act(world, propose, { c: clientId });
    return { action: 'proposal.made', subjectId: clientId, accountId: null };
  },
  'a proposal that is rejected': async (world) => {
    const { clientId } = await newClient(world, { scopes: ['graph:viewer'] });
    const propose =
      'mutation ($c: ID!) { proposeClientScopes(clientId: $c, scopes: ["graph:operator"]) { proposal { proposalId } } }';
    const { proposal } = await act(world, propose, { c: clientId });
    const { proposalId } = Object(proposal);
    await act(
      world,
      'mutation ($p: ID!) { rejectProposal(proposalId: $p, reason: "no") { proposal { proposalId } } }',
      {
        p: proposalId,
      },
    );
    return { action: 'proposal.rejected', subjectId: clientId, accountId: null };
  },
  'a list that is taken away as a file': async (world) => {
    const query = `query ($after: String) { people(first: 100, after: $after) {
      edges { node { personId } } pageInfo { hasNextPage endCursor } } }`;
    const answer = await fetch(`${world.urls.graph}/export`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await accessTokenOf(world, world.credentials.graph.admin)}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
    return { action: 'list.exported', subjectId: 'people', accountId: null };
  },
  'a link that staff send again': async (world) => {
    const { body } = await onboardingOf(world, 'beta').create({ company: { organizationNumber: '25313763' } });
    const { id } = body as { id: string };
    await act(world, 'mutation ($id: ID!) { resendOnboardingActivation(id: $id) { application { id } } }', { id });
    return { action: 'onboarding.activationResent', subjectId: String(id), accountId: 'beta' };
  },
  'a look at what is personal': async (world) => {
    const contactPerson = { firstName: 'Ada', lastName: 'Lovelace', phone: '+4512345678', email: 'ada@shop.example' };
    const sent = await onboardingOf(world, 'beta').create({
      company: { organizationNumber: '25313763', contactPerson },
    });
    const { id } = sent.body as { id: string };
    await graph(world, 'query ($id: ID!) { onboardingApplication(id: $id) { document } }', { id });
    return { action: 'application.shown', subjectId: String(id), accountId: null };
  },
};
