// Variables for each persisted operation of onboarding that may be run twice with one answer: reads of one application, refusals, and levers without an arrow.
import { type Caller, pageCaller, systemCaller } from '../../subgraphs/shared/callers/caller';
import type { Rows, Run, Samples } from './payment-samples';

const partnerOf = (accountId: string): Caller => ({
  kind: 'apiKey',
  credentialId: `partner-${accountId}`,
  environment: 'sandbox',
  accountId,
  identifiers: [],
  scopes: ['onboarding'],
});
const page = pageCaller('sandbox');
const lever: Caller = {
  ...systemCaller('sandbox', 'levers'),
  kind: 'sandboxKey',
  credentialId: 'sandbox-key',
  scopes: ['sandbox:control'],
};
const application = {
  country: 'DNK',
  currency: 'DKK',
  company: { organizationNumber: '25313763', contactPerson: { phone: '+4512345678' } },
  bankAccount: { iban: 'DK5000400440116243' },
};

/** Makes one application of the tenant alpha; then the samples about it. */
export async function onboardingSamples(run: Run): Promise<Samples> {
  const partner = partnerOf('alpha');
  const input = { application, adminUser: { email: 'admin@shop.example' } };
  const { data, errors } = await run('CreateOnboarding', { input }, partner);
  if (!data) throw new Error(JSON.stringify(errors));
  const { application: made, verificationLink } = data['createOnboarding'] as Record<string, unknown>;
  const { id } = made as { id: string };
  const linkToken = String(verificationLink).split('/').at(-1);
  const refused: Rows = [
    [page, { linkToken: 'unknown' }],
    [partner, { linkToken }],
    [page, {}],
  ];
  return {
    CreateOnboarding: [
      [partner, { input: { ...input, application: { ...application, country: 'DEU' } } }],
      [page, { input }],
      [partner, {}],
    ],
    UpdateOnboarding: [
      [partner, { id: '0', application }],
      [partnerOf('beta'), { id, application }],
      [partner, { id, application: {} }],
    ],
    GetOnboarding: [
      [partner, { id }],
      [partnerOf('beta'), { id }],
      [page, { id }],
    ],
    ResendOnboardingActivation: [
      [partnerOf('beta'), { id }],
      [page, { id }],
    ],
    ApplyOnboardingEvent: [
      [lever, { id, event: 'SIGN' }],
      [lever, { id, event: 'NOTHING' }],
      [lever, { id: '0', event: 'OPEN' }],
      [partner, { id, event: 'OPEN' }],
    ],
    GetSandboxMails: [
      [lever, { first: 5 }],
      [page, { first: 0 }],
      [partner, { first: 5 }],
    ],
    GetSigningPage: [[page, { linkToken }], ...refused],
    CompleteOnboardingForm: [
      [page, { linkToken, version: 1, input: { acceptedTerms: false } }],
      [page, { linkToken: 'unknown', version: 1, input: { acceptedTerms: true } }],
      [partner, { linkToken, version: 1, input: { acceptedTerms: true } }],
    ],
    SignOnboarding: [
      [page, { linkToken, version: 1, signatoryName: 'Ada' }],
      [page, { linkToken, version: 1, signatoryName: ' ' }],
      [partner, { linkToken, version: 1, signatoryName: 'Ada' }],
    ],
    FailOnboardingSignature: [[page, { linkToken }], ...refused],
    AbandonOnboardingByLink: refused,
  };
}
