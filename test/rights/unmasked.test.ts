// Which fields of the graph show personal or secret data: each that looks so by its name or kind is in the audit's table, below a field that is, or excused with a reason.
import { getNamedType, isObjectType } from 'graphql';
import { buildSubgraph } from '../../subgraphs/shared/graph/subgraph';
import { type EntityWorld, openEntityWorld } from '../journeys/entity-world';

let world: EntityWorld;
beforeAll(async () => {
  world = await openEntityWorld();
});
afterAll(() => world?.close());

const suspicious =
  /mail|phone|iban|bic\b|swift|firstName|lastName|holder|customer|contact|authorization\b|body|document$|address$|signedBy|secret$|securityToken|encryptedData|^to$/i;

/** Types that are reached below an audited field alone. */
const belowAudited = /^Onboarding(ContactPerson|Company|BankAccount|Webhook|ReferenceDetail)$/;

const excused: Readonly<Record<string, string>> = {
  'CallbackEndpoint.address': 'where a tenant wants to be called; a secret in it is refused at registration',
  'Callback.address': 'the same, whole, for one callback',
  'CallbackEndpointWithSecret.secret': 'shown once to whoever made it, which is audited as a change',
  'ClientWithSecret.clientSecret': 'shown once to whoever made it, which is audited as a change',
  'Person.email': 'the address of a colleague at work; a tenant sees its own people',
  'Viewer.email': 'whoever asks, of oneself',
  'AuditRecord.address': 'the audit itself',
  'AuditedField.to': 'the audit itself',
  'CheckoutFieldSet.securityToken': 'given to the shop whose session it is',
  'HostedOrder.securityToken': 'given to the shop whose session it is',
  'PaymentMethodToken.tokenSecret': 'given to the shop that registered the method',
  'IssuedApiKey.consumerSecret': 'shown once to whoever made it, which is audited as a change',
  'CreateVirtualAccountResult.encryptedData': 'sealed to its one caller',
  'CreateTransactionResult.encryptedData': 'sealed to its one caller',
  'Payout.ibanMasked': 'its ends, to tell it from another one',
  'Payout.bic': 'a bank, not whose account there',
  'Operation.additionalData': 'what network and method say of the operation, nothing of a person',
  'CheckoutPage.methodRules': 'rules of the shop for its page',
  'ReceivedCallback.body': 'of the sandbox, for the holder of its key',
  'Metrics.to': 'the end of the range that was asked for',
  'SandboxMail.mailId': 'an id',
  'SandboxMail.to': 'of the sandbox, for the holder of its key',
  'SigningPage.signedBy': 'our own page, for the signatory himself',
};

test('each is recorded, lies below one that is, or is excused', async () => {
  const [unknown, used]: [string[], Set<string>] = [[], new Set()];
  for (const definition of world.domains.subgraphs) {
    const { schema } = await buildSubgraph(definition);
    const roots = ['Query', 'Mutation', 'Subscription'];
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type) || type.name.startsWith('_') || roots.includes(type.name)) continue;
      for (const field of Object.values(type.getFields())) {
        const isJson = getNamedType(field.type).name === 'JSONObject';
        const name = `${type.name}.${field.name}`;
        if (!isJson && !suspicious.test(field.name)) continue;
        if (excused[name]) used.add(name);
        else if (!belowAudited.test(type.name) && !definition.unmasked?.[type.name]?.fields.includes(field.name))
          unknown.push(name);
      }
    }
  }
  expect(unknown).toEqual([]);
  expect(Object.keys(excused).filter((name) => !used.has(name))).toEqual([]);
});

test('every field of the table exists, and its objects have the key', async () => {
  const missing: string[] = [];
  for (const definition of world.domains.subgraphs) {
    const { schema } = await buildSubgraph(definition);
    for (const [name, { fields, key }] of Object.entries(definition.unmasked ?? {})) {
      const type = schema.getType(name);
      const known = isObjectType(type) ? Object.keys(type.getFields()) : [];
      missing.push(...[...fields, key].filter((field) => !known.includes(field)).map((field) => `${name}.${field}`));
    }
  }
  expect(missing).toEqual([]);
});
