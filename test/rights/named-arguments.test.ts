// A mutation that names another thing by its id says which argument nothing was found for, so that a form can mark it.
import { refusalOf } from '../../subgraphs/shared/log/faults';
import { type EntityWorld, openEntityWorld, staff } from '../journeys/entity-world';

let world: EntityWorld;
beforeAll(async () => {
  world = await openEntityWorld();
});
afterAll(() => world?.close());

const booking = '{ merchantId: "nobody", amount: "100", currency: "EUR", reason: "why" }';
const account = '{ merchantId: "nobody", iban: "DK5000400440116243", bic: "NDEADKKK", reason: "why" }';
const agreement = '{ accountId: "nobody", acquirerId: "a", providerId: "b", pspId: "c" }';
const terminal = '{ terminalId: "t-1", merchantId: "nobody", label: "Till", origins: ["https://shop.example"] }';
const client = (rest: string) => `createClient(input: { family: PAYMENTS, label: "l", ${rest} }) { clientSecret }`;

const rows: [field: string, subgraph: string, mutation: string][] = [
  [
    'accountId',
    'merchants',
    'createMerchant(input: { accountId: "nobody", merchantId: "m-1", name: "Nine" }) { merchantId }',
  ],
  ['accountId', 'merchants', `createAgreement(input: ${agreement}) { agreementId }`],
  ['merchantId', 'merchants', `createTerminal(input: ${terminal}) { terminalId }`],
  ['merchantId', 'merchants', 'enrolMerchant(merchantId: "nobody", agreementId: "nothing") { merchantId }'],
  ['agreementId', 'merchants', 'enrolMerchant(merchantId: "merchant-alpha", agreementId: "nothing") { merchantId }'],
  ['merchantId', 'access', 'createApiKey(merchantId: "nobody", label: "l", kind: MERCHANT) { keyId }'],
  ['terminalId', 'access', 'createApiKey(merchantId: "merchant-alpha", terminalId: "nothing", label: "l") { keyId }'],
  ['merchantId', 'access', client('accountId: "alpha", merchantId: "nobody"')],
  ['merchantId', 'access', client('accountId: "alpha", merchantId: "merchant-beta"')],
  ['merchantId', 'reporting', `bookDeposit(input: ${booking}) { proposal { proposalId } }`],
  ['merchantId', 'reporting', `bookChargeback(input: ${booking}) { proposal { proposalId } }`],
  ['merchantId', 'reporting', `bookAdjustment(input: ${booking}) { proposal { proposalId } }`],
  ['merchantId', 'reporting', `setPayoutAccount(input: ${account}) { proposal { proposalId } }`],
  [
    'accountId',
    'notifications',
    'setCallbackAddress(kind: NOTIFY_UPDATE, accountId: "nobody", address: "https://shop.example") { endpointId }',
  ],
  ['accountId', 'notifications', 'rotateCallbackSecret(kind: NOTIFY_UPDATE, accountId: "nobody") { secret }'],
];

test.each(rows)('%s of %s: %s', async (field, subgraph, mutation) => {
  const { errors } = await world.ask(subgraph, staff, `mutation { ${mutation} }`, {});
  const refused = errors?.[0] ? refusalOf(errors[0]) : null;
  if (errors?.[0] && !refused) throw errors[0];
  expect([refused?.code, refused?.details.field]).toEqual(['notFound', field]);
});
