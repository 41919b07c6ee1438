// The graph as the pages see it, in memory: visits of payers that follow the flow table, with the outcomes of a few test cards.
import type { Execute } from '../../pages/page-server';
import type { LoadedCheckout, PageOperation } from '../../pages/pay/checkout-page';
import { DomainError } from '../../subgraphs/shared/errors';
import { newId } from '../../subgraphs/shared/ids';
import { passesLuhn } from '../../subgraphs/shared/luhn';
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import {
  emptyChallenge,
  emptyPage,
  emptyVisit,
  type FakeAddresses,
  type FakeChallenge,
  type FakeVisit,
  goodOperation,
} from './fake-records';

export interface FakeCheckout {
  execute: Execute;
  pages: Map<string, LoadedCheckout>;
  challenges: Map<string, FakeChallenge>;
  visits: Map<string, FakeVisit>;
  /** Names of operations that were run, in order. */
  asked: string[];
  /** Makes the next operation refuse so. */
  refuseNext(error: DomainError): void;
  add(change?: Partial<LoadedCheckout>): LoadedCheckout;
  addChallenge(change?: Partial<FakeChallenge>): FakeChallenge;
  addVisit(change?: Partial<FakeVisit>): FakeVisit;
}

/** `now` is the fake's clock. */
export function createFakeCheckout(
  addresses: () => FakeAddresses,
  now = new Date('2026-11-21T12:00:00Z'),
): FakeCheckout {
  const pages = new Map<string, LoadedCheckout>();
  const challenges = new Map<string, FakeChallenge>();
  const visits = new Map<string, FakeVisit>();
  const asked: string[] = [];
  let refusal: DomainError | null = null;
  const fake: FakeCheckout = {
    pages,
    challenges,
    visits,
    asked,
    refuseNext: (error) => {
      refusal = error;
    },
    add(change = {}) {
      const page = { ...emptyPage(newId(), now), ...change };
      pages.set(page.sessionId, page);
      return page;
    },
    addChallenge(change = {}) {
      const challenge = { ...emptyChallenge(newId(), { now, addresses: addresses() }), ...change };
      challenges.set(challenge.challengeId, challenge);
      return challenge;
    },
    addVisit(change = {}) {
      const visit = { ...emptyVisit(newId(), addresses()), ...change };
      visits.set(visit.visitId, visit);
      return visit;
    },
    async execute(operation, variables) {
      asked.push(operation);
      const thrown = refusal;
      refusal = null;
      const handler = handlers[operation];
      if (!handler) throw new Error(`the fake knows no ${operation}`);
      try {
        if (thrown) throw thrown;
        return {
          data: {
            result: structuredClone(
              handler({ fake, variables: variables as Record<string, string>, addresses: addresses() }),
            ),
          },
        };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return { errors: [error as never] };
      }
    },
  };
  return fake;
}

interface Call {
  fake: FakeCheckout;
  variables: Record<string, string>;
  addresses: FakeAddresses;
}

function pageOf({ fake, variables }: Call): LoadedCheckout {
  const page = fake.pages.get(variables['sessionId'] ?? '');
  if (!page) throw new DomainError('notFound');
  return page;
}

function expectState(page: LoadedCheckout, ...states: string[]): void {
  if (!states.includes(page.state)) throw new DomainError('flowStateInvalid');
}

const handlers: Record<string, (call: Call) => unknown> = {
  GetCheckoutPage: ({ fake, variables }) => fake.pages.get(variables['sessionId'] ?? '') ?? null,
  OpenCheckoutPage: (call) => {
    const page = pageOf(call);
    if (page.state === 'PAYMENT_INITIALIZATION') page.state = 'PAYMENT_METHOD_SELECTION';
    return page;
  },
  ChooseCheckoutMethod: (call) => {
    const page = pageOf(call);
    expectState(page, 'PAYMENT_METHOD_SELECTION');
    const method = call.variables['method'] ?? '';
    page.method = method;
    const { fee = null } = page.methods.find((offered) => offered.method === method) ?? {};
    if (page.fee === null && fee !== null)
      Object.assign(page, { fee, amount: String(BigInt(page.amount ?? 0) + BigInt(fee)) });
    if (method === 'CARDS') page.state = 'CARD_DATA_COLLECTION';
    else {
      const visit = call.fake.addVisit({
        sessionId: page.sessionId,
        method,
        returnUrl: `${call.addresses.pay}/return/${page.sessionId}`,
      });
      page.state = 'REDIRECTED_TO_EXTERNAL_DOMAIN';
      page.redirectUrl = `${call.addresses.acs}/method/${visit.visitId}`;
    }
    return page;
  },
  EnterCard: (call) => enterCard(call),
  EnterCardField: (call) => enterField(call),
  PassDeviceCheck: (call) => {
    const page = pageOf(call);
    expectState(page, 'GDI_VERIFICATION');
    page.state = 'READY_FOR_PAYMENT';
    return { state: page.state };
  },
  ConfirmCheckout: (call) => {
    const page = pageOf(call);
    expectState(page, 'CARD_DATA_COLLECTION');
    page.state = 'GDI_VERIFICATION';
    return { state: page.state };
  },
  PayCheckout: (call) => pay(call),
  AbandonCheckout: (call) => end(pageOf(call), { operationType: 'CANCEL', operationResult: 'CANCELED' }),
  ReturnToCheckout: (call) => comeBack(call),
  GetThreeDsChallenge: ({ fake, variables }) => fake.challenges.get(variables['challengeId'] ?? '') ?? null,
  AnswerChallenge: (call) => answerChallenge(call),
  GetAlternativeMethodVisit: ({ fake, variables }) => fake.visits.get(variables['visitId'] ?? '') ?? null,
  AnswerAlternativeMethod: ({ fake, variables }) => {
    const visit = fake.visits.get(variables['visitId'] ?? '');
    if (!visit) throw new DomainError('notFound');
    const statuses: Record<string, string> = { PASS: 'PAID', FAIL: 'DECLINED', CANCEL: 'CANCELLED' };
    visit.status = statuses[variables['answer'] ?? ''] ?? visit.status;
    return visit;
  },
};

const typed = new Map<string, Record<string, string>>();

function enterCard(call: Call): unknown {
  const page = pageOf(call);
  expectState(page, 'CARD_DATA_COLLECTION', 'READY_FOR_PAYMENT');
  const card = call.variables['card'] as unknown as Record<string, string>;
  const errors = [
    ...(passesLuhn(card['number'] ?? '')
      ? []
      : [{ field: 'CARD_NUMBER', code: card['number'] ? 'invalid' : 'required' }]),
    ...(/^(0\d|1[0-2])\/\d\d$/.test(card['expiry'] ?? '') ? [] : [{ field: 'EXPIRATION_DATE', code: 'invalid' }]),
    ...(/^\d{3,4}$/.test(card['cvv'] ?? '') ? [] : [{ field: 'SECURITY_CODE', code: 'invalid' }]),
    ...(card['holder'] ? [] : [{ field: 'CARDHOLDER_NAME', code: 'required' }]),
  ];
  if (card['number'] === '378282246310005') errors.push({ field: 'CARD_NUMBER', code: 'rejectedCard' });
  if (errors.length > 0) return { state: page.state, errors };
  typed.set(page.sessionId, card);
  page.state = 'GDI_VERIFICATION';
  return { state: page.state, errors: [] };
}

function enterField(call: Call): unknown {
  const page = pageOf(call);
  expectState(page, 'CARD_DATA_COLLECTION', 'READY_FOR_PAYMENT', 'GDI_VERIFICATION');
  const { fieldId = '', value = '' } = call.variables;
  const isGood = fieldId !== 'CARD_NUMBER' || passesLuhn(value);
  const entered = new Set(page.cardEntered);
  if (isGood) entered.add(fieldId);
  else entered.delete(fieldId);
  page.cardEntered = [...entered];
  typed.set(page.sessionId, {
    ...typed.get(page.sessionId),
    [fieldId]: value,
    ...withoutUndefined({ number: fieldId === 'CARD_NUMBER' ? value : undefined }),
  });
  const needed = ['CARD_NUMBER', 'EXPIRATION_DATE', 'SECURITY_CODE', 'CARDHOLDER_NAME'];
  const isWhole = needed.every((id) => entered.has(id));
  page.state = isWhole
    ? page.flowVersion === '1'
      ? 'GDI_VERIFICATION'
      : 'CARD_DATA_COLLECTION'
    : 'CARD_DATA_COLLECTION';
  const isAmex = fieldId === 'CARD_NUMBER' && value.startsWith('3');
  const brand = fieldId === 'CARD_NUMBER' ? (isAmex ? 'AMEX' : 'VISA') : null;
  return {
    valid: isGood,
    error: isGood ? null : 'invalid',
    brand,
    state: page.state,
    securityCodeLength: isAmex ? 4 : 3,
  };
}

function pay(call: Call): LoadedCheckout {
  const page = pageOf(call);
  if (page.state === 'PAYMENT_COMPLETE') return page;
  expectState(page, 'READY_FOR_PAYMENT');
  const number = typed.get(page.sessionId)?.['number'] ?? '';
  if (number === '4000002500003155') {
    const challenge = call.fake.addChallenge({
      sessionId: page.sessionId,
      returnUrl: `${call.addresses.pay}/return/${page.sessionId}`,
    });
    page.state = 'REDIRECTED_TO_EXTERNAL_DOMAIN';
    page.redirectUrl = `${call.addresses.acs}/challenge/${challenge.challengeId}`;
    return page;
  }
  const results: Record<string, string> = {
    '4000000000000002': 'DECLINED',
    '4000000000000077': 'PENDING',
    '4000000000000119': 'FAILED',
  };
  return end(page, { operationResult: results[number] ?? 'AUTHORIZED' });
}

function comeBack(call: Call): LoadedCheckout {
  const page = pageOf(call);
  const challenge = [...call.fake.challenges.values()].find(({ sessionId }) => sessionId === page.sessionId);
  const visit = [...call.fake.visits.values()].find(({ sessionId }) => sessionId === page.sessionId);
  const results: Record<string, Partial<PageOperation>> = {
    PASSED: { operationResult: 'AUTHORIZED' },
    FAILED: { operationResult: 'THREEDS_FAILED' },
    TIMED_OUT: { operationResult: 'THREEDS_FAILED' },
    CANCELLED: { operationType: 'CANCEL', operationResult: 'CANCELED' },
    PAID: { operationResult: 'EXECUTED', paymentCircuit: 'PAYPAL', paymentInstrumentInfo: null },
    DECLINED: { operationResult: 'DECLINED' },
  };
  const change = results[challenge?.status ?? visit?.status ?? ''];
  return change && page.state !== 'PAYMENT_COMPLETE' ? end(page, change) : page;
}

function answerChallenge({ fake, variables }: Call): FakeChallenge {
  const challenge = fake.challenges.get(variables['challengeId'] ?? '');
  if (!challenge) throw new DomainError('notFound');
  const answer = variables['answer'] ?? '';
  const words: Record<string, string> = {
    PASS: 'PASSED',
    FAIL: 'FAILED',
    CANCEL: 'CANCELLED',
    TIMEOUT: 'TIMED_OUT',
    [challenge.codeHint]: 'PASSED',
  };
  if (challenge.status !== 'OPEN') return challenge;
  if (answer === 'RESEND') challenge.resends += 1;
  else if (words[answer]) challenge.status = words[answer];
  else challenge.triesLeft -= 1;
  if (challenge.triesLeft === 0) challenge.status = 'FAILED';
  return challenge;
}

function end(page: LoadedCheckout, change: Partial<PageOperation>): LoadedCheckout {
  page.state = 'PAYMENT_COMPLETE';
  page.operation = { ...goodOperation(page), ...change };
  return page;
}
