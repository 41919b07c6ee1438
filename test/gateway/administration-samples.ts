// Variables for each persisted operation of administration that may be run twice with one answer: refusals of every kind, and a change that is the same again.
import type { Caller } from '../../subgraphs/shared/callers/caller';
import type { Rows, Run, Samples } from './payment-samples';

const consumerOf = (accountId: string): Caller => ({
  kind: 'apiKey',
  credentialId: `consumer-${accountId}`,
  environment: 'sandbox',
  accountId,
  identifiers: [],
  scopes: ['administration'],
});
const input = {
  merchantId: 'merchant-sampled',
  name: 'Sampled',
  status: 'ACTIVE',
  invoicing: 'ENABLED',
  country: 'DK',
  createdBy: 'a test',
  updatedBy: 'a test',
};

/** Makes one merchant of the account alpha; then the samples about it. */
export async function administrationSamples(run: Run): Promise<Samples> {
  const [alpha, beta] = [consumerOf('alpha'), consumerOf('beta')];
  const { data, errors } = await run('AddMerchant', { input }, alpha);
  if (!data) throw new Error(JSON.stringify(errors));
  const { merchantId } = input;
  const refused: Rows = [
    [beta, { merchantId, userId: 'a test', input }],
    [alpha, { merchantId: 'nobody', userId: 'a test', input: { ...input, merchantId: 'nobody' } }],
    [
      { ...alpha, scopes: ['reporting'] },
      { merchantId, userId: 'a test', input },
    ],
    [alpha, {}],
  ];
  return {
    AddMerchant: [
      [alpha, { input }],
      [beta, { input }],
      [alpha, { input: { ...input, name: ' ' } }],
      [alpha, {}],
    ],
    ReplaceMerchant: [[alpha, { merchantId, input }], [alpha, { merchantId: 'other', input }], ...refused],
    DeleteMerchant: [[alpha, { merchantId, userId: ' ' }], ...refused],
  };
}
