// Which acts of the graph ask why: every mutation of staff's contract asks, or is excused here; people who are staff are refused without a word, programs are not.
import {
  type ExecutionResult,
  type GraphQLField,
  getNamedType,
  graphql,
  isInputObjectType,
  isNonNullType,
} from 'graphql';
import type { Caller } from '../../subgraphs/shared/callers/caller';
import { requestContext } from '../../subgraphs/shared/callers/context';
import { buildSubgraph, type Subgraph } from '../../subgraphs/shared/graph/subgraph';
import { newId } from '../../subgraphs/shared/ids';
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { type EntityWorld, now, openEntityWorld, staff } from '../journeys/entity-world';
import { staffMutations } from '../support/staff-mutations';
import { rootFields } from './any-call';

let world: EntityWorld;
let subgraphs: Subgraph[];
beforeAll(async () => {
  world = await openEntityWorld();
  subgraphs = await Promise.all(world.domains.subgraphs.map(buildSubgraph));
});
afterAll(() => world?.close());

/** What takes something away, stops, sends again or rotates. */
const asking = [
  'deleteMerchant',
  'disableClient',
  'redeliverCallback',
  'redeliverCallbacks',
  'resendOnboardingActivation',
  'retireDecryptionKey',
  'retireEncryptionKey',
  'revokeAccessTokens',
  'revokeApiKey',
  'rollDecryptionKey',
  'rotateCallbackSecret',
  'rotateClientSecret',
  'setAgreementStatus',
  'setClientScopes',
  'setMerchantStatus',
  'setPersonStatus',
  'setTerminalStatus',
  'settleDay',
  'signOutEverywhere',
];

/** Of anybody, always; their tests are of their own. */
const required = ['abandonOnboarding', 'refuseOnboarding', 'rejectProposal'];

const makes = 'makes something, and the audit tells what';
const configures = 'says how something is from now on, and the audit tells how it was';
const own = 'is about what is of whoever asks';
const withoutReason: Readonly<Record<string, string>> = {
  approveOnboarding: 'may say why; a second person judges it',
  createAccount: makes,
  createAgreement: makes,
  createApiKey: makes,
  createClient: makes,
  createMerchant: makes,
  createTerminal: makes,
  enrolMerchant: makes,
  registerEncryptionKey: makes,
  proposeClientScopes: 'a second person judges it',
  confirmProposal: 'the proposal says why',
  enableClient: 'gives back what was stopped',
  enableCallbackEndpoint: 'gives back what was stopped',
  pauseJob: 'the job says why',
  resumeJob: 'the job says why',
  cancelJob: 'the job says why',
  setAgreementSchemes: configures,
  setCallbackAddress: configures,
  setCallbackAuthorization: configures,
  setTerminalCaptureType: configures,
  setTerminalCurrencies: configures,
  setTerminalMethods: configures,
  setTerminalOrigins: configures,
  updateMerchant: configures,
  savePreferences: own,
  saveView: own,
  deleteView: own,
  captureBatch: 'does at once what the terminals say would be done later',
};

const reasonOf = ({ args }: GraphQLField<unknown, unknown>) => args.find(({ name }) => name === 'reason');
const isInInput = ({ args }: GraphQLField<unknown, unknown>) =>
  args.some(({ type }) => {
    const named = getNamedType(type);
    return isInputObjectType(named) && 'reason' in named.getFields();
  });
const namesOf = (fields: GraphQLField<unknown, unknown>[]) => fields.map(({ name }) => name).sort();

test('every mutation that is for staff asks why, or is excused', () => {
  const told = staffMutations.filter((field) => reasonOf(field) && field.name !== 'approveOnboarding');
  const isOptional = (field: GraphQLField<unknown, unknown>) => !isNonNullType(reasonOf(field)?.type);
  expect(namesOf(told.filter(isOptional))).toEqual([...asking].sort());
  expect(namesOf(told.filter((field) => !isOptional(field)))).toEqual(required);
  const others = staffMutations.filter((field) => !told.includes(field) && !isInInput(field));
  expect(namesOf(others)).toEqual(Object.keys(withoutReason).sort());
});

const person: Caller = {
  ...staff,
  kind: 'person',
  credentialId: 'person:p-1',
  scopes: ['graph:administrator'],
  authTime: now,
};
const persons = { ...person, accountId: 'alpha', scopes: ['graph:read', 'graph:callbacks:write'] } satisfies Caller;

/** The mutation with just enough arguments, by that caller: what it is refused with. */
async function refusal(field: string, caller: Caller) {
  for (const { schema } of subgraphs) {
    const call = rootFields(schema).find((each) => each.root === 'Mutation' && each.field === field);
    if (!call) continue;
    const source =
      field === 'signOutEverywhere' ? call.document.replace(field, `${field}(personId: "p-2")`) : call.document;
    const contextValue = requestContext(caller, newId());
    const { errors = [] } = (await graphql({ schema, source, contextValue })) as ExecutionResult;
    const refused = errors[0] ? refusalOf(errors[0]) : null;
    if (errors[0] && !refused) throw errors[0];
    return refused && { code: refused.code, message: refused.message, field: refused.details.field };
  }
  throw new Error(`no subgraph has ${field}`);
}

test.each(asking)('%s by a person of staff is refused without a word why', async (field) => {
  expect(await refusal(field, person)).toEqual({
    code: 'invalidInput',
    message: 'reason is required of people who are staff.',
    field: 'reason',
  });
});

test.each(asking)('%s by a program asks no reason', async (field) => {
  expect((await refusal(field, staff))?.field).not.toBe('reason');
});

test.each(['redeliverCallback', 'redeliverCallbacks', 'rotateCallbackSecret'])(
  "%s by a person of an account, which is about the account's own, asks no reason",
  async (field) => {
    expect((await refusal(field, persons))?.field).not.toBe('reason');
  },
);

test('nobody says why it ends sessions of its own', async () => {
  const { schema } = subgraphs.find((each) => each.schema.getMutationType()?.getFields()['signOutEverywhere']) ?? {};
  if (!schema) throw new Error('no subgraph signs out');
  const source = 'mutation { signOutEverywhere { personId } }';
  const { errors } = await graphql({ schema, source, contextValue: requestContext(person, newId()) });
  expect(errors?.[0] && refusalOf(errors[0])?.details.field).not.toBe('reason');
});
