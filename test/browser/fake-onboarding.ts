// The graph as the signing page sees it, in memory: applications that follow the arrows, with the refusals that a form can meet.
import type { Execute } from '../../pages/page-server';
import type { CompletedForm, SigningPage } from '../../pages/sign/signing-page';
import { DomainError } from '../../subgraphs/shared/errors';

export interface FakeOnboarding {
  execute: Execute;
  pages: Map<string, SigningPage>;
  /** Operations that were run, in order, with their variables. */
  asked: { operation: string; variables: Record<string, unknown> }[];
  mails: Record<string, string>[];
  refuseNext(error: DomainError): void;
  /** A link to a new application; the token. */
  add(change?: Partial<SigningPage>): string;
  /** As a partner does it meanwhile; how the application stands then. */
  change(token: string, change: Partial<SigningPage>): SigningPage;
}

const company = {
  organizationNumber: '12345674',
  vatNumber: 'DK12345674',
  invoiceEmail: null,
  companyName: 'Nordlys Papir & Blæk ApS',
  companyAddress: 'Havnegade 12, 2. th.',
  zipCode: '1058',
  city: 'København K',
  contactPerson: { firstName: 'Aase', lastName: 'Lund', phone: null, email: 'aase@nordlys.example' },
};

function emptyPage(onboardingId: string): SigningPage {
  const fee = (
    ...[paymentActionType, feeType, unitPrice, itemType = 'TRANS']: [string, string, string, ('TRANS' | 'SUB')?]
  ) => ({ paymentActionType, feeType, unitPrice, itemType });
  const method = (paymentMethodProvider: string, selected: boolean, fees = [fee('CHARGE', 'AMT', '125')]) => ({
    paymentMethodProvider,
    selected,
    fees,
    paymentMethodVariant1: null,
    paymentMethodVariant2: null,
    paymentMethodVariant3: null,
  });
  return {
    onboardingId,
    version: 1,
    status: 'INITIATED',
    language: 'EN_US',
    expiresAt: '2026-12-05T12:00:00.000Z',
    reason: null,
    ending: null,
    signatureTriesLeft: 5,
    canComplete: true,
    canSign: false,
    signedBy: null,
    country: 'DNK',
    currency: 'DKK',
    company,
    productCodes: ['CARD', 'INVOICE', 'METHOD_CODE_1'],
    webshop: { url: 'https://nordlys.example', name: 'Nordlys' },
    bankAccount: { iban: 'DK50**********1234', swift: 'NDEADKKK' },
    quote: {
      documentNo: 'Q-2026-117',
      currency: 'DKK',
      signon: '99900',
      subscription: '14900',
      paymentOptions: [
        {
          paymentType: 'CARD',
          paymentMethods: [
            method('PROVIDER_CODE_1', true, [
              fee('CHARGE', 'AMT', '125'),
              fee('CHARGE', 'QTY', '150'),
              fee('REFUND', 'QTY', '200'),
              fee('CHARGE', 'QTY', '4900', 'SUB'),
            ]),
            {
              ...method('PROVIDER_CODE_1', true, [fee('CHARGE', 'AMT', '290')]),
              paymentMethodVariant1: 'CREDIT',
              paymentMethodVariant2: 'CORPORATE',
              paymentMethodVariant3: 'NON-EEA',
            },
            method('PROVIDER_CODE_2', false),
          ],
        },
        {
          paymentType: 'INVOICE',
          paymentMethods: [method('PROVIDER_CODE_3', true, [fee('FEE_CODE_1', 'QTY', '900')])],
        },
      ],
    },
  };
}

/** What follows from the status, as the graph tells it. */
function withStatus(page: SigningPage): SigningPage {
  const { status } = page;
  return {
    ...page,
    canComplete: status === 'INITIATED' || status === 'SIGNATURE_FAILED',
    canSign: status === 'AWAITING_SIGNATURE',
  };
}

function withVersion(page: SigningPage, change: Partial<SigningPage>): SigningPage {
  return withStatus({ ...page, ...change, version: page.version + 1 });
}

type Act = (page: SigningPage, variables: Record<string, unknown>) => Partial<SigningPage>;

const acts: Readonly<Record<string, Act>> = {
  GetSigningPage: () => ({}),
  CompleteOnboardingForm: (page, variables) => {
    const input = variables['input'] as CompletedForm;
    refuseBad(input);
    if (!page.canComplete) return {};
    const contactPerson = {
      firstName: null,
      lastName: null,
      phone: null,
      email: null,
      ...page.company.contactPerson,
      ...input.contactPerson,
    };
    const invoiceEmail = input.invoiceEmail ?? page.company.invoiceEmail;
    return { status: 'AWAITING_SIGNATURE', company: { ...page.company, contactPerson, invoiceEmail } };
  },
  SignOnboarding: (page, { signatoryName }) =>
    page.canSign ? { status: 'PROCESSING', signedBy: String(signatoryName) } : {},
  FailOnboardingSignature: (page) => {
    if (!page.canSign) return {};
    const signatureTriesLeft = page.signatureTriesLeft - 1;
    return { status: signatureTriesLeft > 0 ? 'SIGNATURE_FAILED' : 'ABANDONED', signatureTriesLeft };
  },
  AbandonOnboardingByLink: (page) =>
    page.canSign || page.canComplete
      ? { status: 'ABANDONED', reason: 'Abandoned by the merchant.', ending: 'BY_MERCHANT' }
      : {},
};

/** Names the field as the graph does. */
function refuseBad({ contactPerson, invoiceEmail, bankAccount }: CompletedForm): void {
  const values = { ...contactPerson, invoiceEmail, ...bankAccount };
  const bad = Object.entries(values).find(([, value]) => value?.includes('wrong'));
  if (bad) throw new DomainError('invalidInput', 'The field is wrong.', { field: `input.part.${bad[0]}` });
}

export function createFakeOnboarding(): FakeOnboarding {
  const pages = new Map<string, SigningPage>();
  const asked: FakeOnboarding['asked'] = [];
  const mails: FakeOnboarding['mails'] = [];
  let refusal: DomainError | null = null;
  return {
    pages,
    asked,
    mails,
    refuseNext: (error) => {
      refusal = error;
    },
    add(change = {}) {
      const number = 1_001 + pages.size;
      const token = `token_${String(number).padStart(37, 'x')}`;
      pages.set(token, withStatus({ ...emptyPage(String(number)), ...change }));
      return token;
    },
    change(token, change) {
      const next = withVersion(pageOf(token), change);
      pages.set(token, next);
      return next;
    },
    async execute(operation, variables) {
      asked.push({ operation, variables });
      const thrown = refusal;
      refusal = null;
      try {
        if (thrown) throw thrown;
        return { data: { result: structuredClone(run(operation, variables)) } };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return { errors: [error as never] };
      }
    },
  };

  function run(operation: string, variables: Record<string, unknown>): unknown {
    if (operation === 'GetSandboxMails') return mails;
    const act = acts[operation];
    if (!act) throw new Error(`the fake knows no ${operation}`);
    const token = String(variables['linkToken']);
    if (!pages.has(token) && operation === 'GetSigningPage') return null;
    const page = pageOf(token);
    const change = act(page, variables);
    if (Object.keys(change).length === 0) return page;
    if ('version' in variables && variables['version'] !== page.version) throw new DomainError('conflict');
    const next = withVersion(page, change);
    pages.set(token, next);
    return next;
  }

  function pageOf(token: string): SigningPage {
    const page = pages.get(token);
    if (!page) throw new DomainError('notFound');
    return page;
  }
}
