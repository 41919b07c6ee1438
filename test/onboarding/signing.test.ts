// The signing page's part: what a link shows, what it lets its holder do, when it is dead (onboarding interface, verificationLink; 2.3-B of the decision register).
import { application, dayMs, type OnboardingWorld, openOnboarding } from './world';

let world: OnboardingWorld;
beforeAll(async () => {
  world = await openOnboarding();
});
afterAll(() => world.close());

const fields = `onboardingId version status language reason ending signatureTriesLeft canComplete canSign signedBy
  company { organizationNumber invoiceEmail contactPerson { firstName email } } bankAccount { iban swift }
  quote { documentNo paymentOptions { paymentMethods { fees { unitPrice } } } } productCodes webshop { url }`;
const show = (linkToken: string) =>
  world.page(`query ($linkToken: String!) { answer: signingPage(linkToken: $linkToken) { ${fields} } }`, { linkToken });
const act = (field: string, linkToken: string, argument = '') =>
  world.page(`mutation ($linkToken: String!) { answer: ${field}(linkToken: $linkToken${argument}) { ${fields} } }`, {
    linkToken,
  });
/** As the page shows it now, unless another version is given. */
const versionOf = async (linkToken: string): Promise<number> => (await show(linkToken)).data?.version ?? 0;
const complete = async (linkToken: string, input: object, version?: number) =>
  world.page(
    `mutation ($linkToken: String!, $input: CompleteOnboardingFormInput!, $version: Int!) {
      answer: completeOnboardingForm(linkToken: $linkToken, input: $input, version: $version) { ${fields} } }`,
    { linkToken, input, version: version ?? (await versionOf(linkToken)) },
  );
const sign = async (linkToken: string, name: string, version?: number) =>
  act(
    'signOnboarding',
    linkToken,
    `, signatoryName: ${JSON.stringify(name)}, version: ${version ?? (await versionOf(linkToken))}`,
  );

const sent = {
  bankAccount: { iban: 'DK5000400440116243', swift: 'NDEADKKK' },
  productCodes: ['CARD'],
  webshop: { url: 'https://shop.example' },
  company: { organizationNumber: '25313763', contactPerson: { firstName: 'Freja', email: 'freja@shop.example' } },
  quote: {
    documentNo: 'Q1',
    currency: 'DKK',
    signon: 0,
    subscription: 0,
    paymentOptions: [
      {
        itemNo: '1',
        paymentType: 'CARD',
        paymentMethods: [
          {
            paymentMethodProvider: 'PROVIDER_CODE_1',
            optional: false,
            selected: true,
            fees: [{ paymentActionType: 'CHARGE', feeType: 'AMT', unitPrice: 125, priceVAT: 0, itemType: 'TRANS' }],
          },
        ],
      },
    ],
  },
};

test('opening the link shows what is to be signed, never the admin user or a whole IBAN, and changes nothing', async () => {
  const { id, token } = await world.created(sent, { adminUser: { language: 'DA_DK' } });
  const [first, second] = [await show(token), await show(token)];
  expect(first.data).toMatchObject({
    onboardingId: id,
    status: 'INITIATED',
    language: 'DA_DK',
    canComplete: true,
    canSign: false,
    signatureTriesLeft: 5,
    productCodes: ['CARD'],
    bankAccount: { iban: 'DK50**********6243', swift: 'NDEADKKK' },
    quote: { documentNo: 'Q1', paymentOptions: [{ paymentMethods: [{ fees: [{ unitPrice: '125' }] }] }] },
  });
  expect(second.data).toEqual(first.data);
  expect(JSON.stringify(first.data)).not.toContain('admin@shop.example');
  expect(await world.events(id)).toHaveLength(1);
});

test('completing the form adds to the application what was filled in and keeps the rest', async () => {
  const { id, token } = await world.created(sent);
  const { data } = await complete(token, {
    acceptedTerms: true,
    invoiceEmail: 'bills@shop.example',
    contactPerson: { firstName: 'Aja' },
    bankAccount: { iban: 'SE45 5000 0000 0583 9825 7466' },
  });
  expect(data).toMatchObject({
    status: 'AWAITING_SIGNATURE',
    canComplete: false,
    canSign: true,
    company: { invoiceEmail: 'bills@shop.example', contactPerson: { firstName: 'Aja', email: 'freja@shop.example' } },
    bankAccount: { iban: 'SE45****************7466', swift: 'NDEADKKK' },
  });
  expect((await complete(token, { acceptedTerms: true })).data.status).toBe('AWAITING_SIGNATURE');
  expect(await world.events(id)).toHaveLength(2);
});

test.each<[object, string, string]>([
  [{ acceptedTerms: false }, 'invalidInput', 'input.acceptedTerms'],
  [{ acceptedTerms: true, invoiceEmail: 'nobody' }, 'invalidInput', 'input.invoiceEmail'],
  [{ acceptedTerms: true, contactPerson: { phone: 'x' } }, 'invalidInput', 'input.contactPerson.phone'],
  [{ acceptedTerms: true, bankAccount: { iban: 'DK00' } }, 'bankAccountInvalid', 'input.bankAccount.iban'],
])('the form %j is refused, and changes nothing', async (input, code, field) => {
  const { id, token } = await world.created(sent);
  expect(await complete(token, input)).toMatchObject({ code, field });
  expect(await world.events(id)).toHaveLength(1);
});

test('signing needs a name, happens once, and forgets the admin user', async () => {
  const { id, token } = await world.created(sent);
  await complete(token, { acceptedTerms: true });
  expect((await sign(token, '  ')).field).toBe('signatoryName');
  expect((await sign(token, ' Freja Holm ')).data).toMatchObject({
    status: 'PROCESSING',
    signedBy: 'Freja Holm',
    canSign: false,
    canComplete: false,
  });
  expect((await sign(token, 'Somebody Else')).data.signedBy).toBe('Freja Holm');
  const stored = await world.stores.connection.collection('onboarding_applications').findOne({ _id: id as never });
  expect(stored?.['adminUserSealed']).toBeNull();
});

test('only what was shown is completed and signed: what the partner changed since is looked at first', async () => {
  const { id, token } = await world.created(sent);
  const update = async (changes: object) => {
    const source =
      'mutation ($id: ID!, $application: JSONObject!) { answer: updateOnboarding(id: $id, application: $application) { status } }';
    expect((await world.run(source, { variables: { id, application: application(changes) } })).code).toBeNull();
  };
  const opened = await versionOf(token);
  const bankAccount = { iban: 'SE4550000000058398257466', swift: 'DABADKKK' };
  await update({ ...sent, bankAccount });
  const untouched = { acceptedTerms: true, bankAccount: { swift: 'NDEADKKK' } };
  expect((await complete(token, untouched, opened)).code).toBe('conflict');
  expect((await show(token)).data).toMatchObject({ status: 'INITIATED', bankAccount: { swift: 'DABADKKK' } });
  const shown = (await complete(token, { acceptedTerms: true })).data.version;
  await update({ ...sent, quote: { ...sent.quote, documentNo: 'Q2', subscription: 9_900 } });
  await complete(token, { acceptedTerms: true });
  expect((await sign(token, 'Freja Holm', shown)).code).toBe('conflict');
  expect((await show(token)).data).toMatchObject({ status: 'AWAITING_SIGNATURE', signedBy: null });
  const twice = await versionOf(token);
  for (let time = 1; time <= 2; time += 1)
    expect((await sign(token, 'Freja Holm', twice)).data).toMatchObject({ signedBy: 'Freja Holm' });
});

test('a failed signature counts down, and the merchant may give up', async () => {
  const { token } = await world.created(sent);
  await complete(token, { acceptedTerms: true });
  expect((await act('failOnboardingSignature', token)).data).toMatchObject({
    status: 'SIGNATURE_FAILED',
    signatureTriesLeft: 4,
    canComplete: true,
  });
  expect((await act('abandonOnboardingByLink', token)).data).toMatchObject({
    status: 'ABANDONED',
    reason: 'Abandoned by the merchant.',
    ending: 'BY_MERCHANT',
    canComplete: false,
  });
});

test('a link lives for 14 days, and an unknown one opens nothing', async () => {
  const { token } = await world.created(sent);
  expect((await show('unknown')).data).toBeNull();
  expect((await act('failOnboardingSignature', 'unknown')).code).toBe('notFound');
  world.clock.advance(14 * dayMs - 1);
  expect((await show(token)).data).not.toBeNull();
  world.clock.advance(1);
  expect((await show(token)).data).toBeNull();
  for (const answer of [complete(token, { acceptedTerms: true }), act('abandonOnboardingByLink', token)])
    expect((await answer).code).toBe('notFound');
});

test('only the pages hold the scope', async () => {
  const { token } = await world.created(sent);
  const source = 'query ($linkToken: String!) { answer: signingPage(linkToken: $linkToken) { status } }';
  for (const caller of [world.alpha, world.staff])
    expect((await world.run(source, { variables: { linkToken: token }, caller })).code).toBe('forbidden');
});
