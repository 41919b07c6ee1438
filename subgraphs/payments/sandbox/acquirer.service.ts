// The built-in sandbox acquirer: every test card comes to what its row says; a call id is booked once, whatever happens to the answer (test cards; payment interface, operationResult).
import { randomInt } from 'node:crypto';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import { newId } from '../../shared/ids';
import { type CardOutcome, testCardOf } from '../../shared/test-cards';
import { type Acquirer, type AcquirerAnswer, type AcquirerOrder, authenticationNeeded } from '../connectors/acquirer';
import { circuitOf } from '../connectors/card-brand';
import type { SandboxAcquirerRepository, SandboxOrder } from './acquirer.repository';

/** How long the pending card stays pending, on the one clock. */
const pendingMs = 3_000;

export interface SandboxAcquirerDeps {
  book: SandboxAcquirerRepository;
  clock: Clock;
}

export function createSandboxAcquirer({ book, clock }: SandboxAcquirerDeps): Acquirer {
  return {
    async register({ card }) {
      const reference = `${outcomeOf(card.number)}:${newId()}`;
      return { reference, circuit: circuitOf(card.number), additionalData: { cardCountry: 'ITA' } };
    },
    async send({ callId, ...order }) {
      const outcome = outcomeBehind(order.reference) ?? (await book.findCard(order.reference))?.outcome;
      if (!outcome) throw new DomainError('unavailable', 'The acquirer does not know the card.');
      const isPending = outcome === 'PENDING_THEN_AUTHORIZED' && order.kind === 'authorize';
      const bookedAt = clock.now();
      const booked = await book.book({
        _id: callId,
        ...order,
        bookedAt,
        refused: false,
        answer: answerTo(order, outcome),
        readyAt: isPending ? new Date(bookedAt.getTime() + pendingMs) : null,
      });
      if (booked.refused) throw new DomainError('unavailable', 'The acquirer does not take the call any more.');
      // The card's issuer is silent, the acquirer is not: one card must not look like an acquirer that is away.
      const isMute = outcome === 'UNKNOWN_THEN_AUTHORIZED' && order.kind === 'authorize';
      if (isMute) return { result: 'PENDING', endToEndId: null, additionalData: {} };
      return told(booked, clock.now());
    },
    async ask(callId) {
      const empty = { answer: null, readyAt: null, bookedAt: clock.now() };
      const booked = await book.book({ _id: callId, refused: true, ...empty });
      return booked.refused ? null : told(booked, clock.now());
    },
  };
}

/** Numbers that are not in the table behave like its first row. */
function outcomeOf(number: string): CardOutcome {
  return testCardOf(number)?.payment ?? 'AUTHORIZED';
}

/** What a card comes to, as its reference says: the number itself is not kept. Null: not such a reference. */
function outcomeBehind(reference: string): CardOutcome | null {
  const [outcome = '', id] = reference.split(':');
  return id !== undefined && Object.hasOwn(refusals, outcome) ? (outcome as CardOutcome) : null;
}

function told({ answer, readyAt }: SandboxOrder, now: Date): AcquirerAnswer {
  if (!answer) throw new Error('an order of the sandbox acquirer has no answer');
  const waitMs = readyAt ? readyAt.getTime() - now.getTime() : 0;
  return waitMs > 0
    ? { result: 'PENDING', endToEndId: answer.endToEndId, additionalData: {}, askAgainAfterMs: waitMs }
    : answer;
}

type CardRefusal = ['DECLINED' | 'DENIED_BY_RISK' | 'FAILED', string];

/** What each kind of card comes to when it is charged with the payer authenticated; null: approved. */
const refusals: Readonly<Record<CardOutcome, CardRefusal | null>> = {
  AUTHORIZED: null,
  CHALLENGE_AUTHORIZED: null,
  CHALLENGE_DECLINED: ['DECLINED', 'do_not_honor'],
  CHALLENGE_FAILED: ['DECLINED', 'authentication_failed'],
  DECLINED: ['DECLINED', 'do_not_honor'],
  DECLINED_INSUFFICIENT_FUNDS: ['DECLINED', 'insufficient_funds'],
  DENIED_BY_RISK: ['DENIED_BY_RISK', 'suspected_fraud'],
  FAILED: ['FAILED', 'technical_failure'],
  PENDING_THEN_AUTHORIZED: null,
  UNKNOWN_THEN_AUTHORIZED: null,
};

type OrderTerms = Pick<AcquirerOrder, 'kind' | 'threeDs' | 'isMerchantInitiated'>;

/** The final answer to an order on a card; what is captured, refunded and undone always succeeds. */
function answerTo({ kind, threeDs, isMerchantInitiated }: OrderTerms, outcome: CardOutcome): AcquirerAnswer {
  if (kind !== 'authorize') return approved();
  const isAuthenticated = threeDs === 'challenge' || threeDs === 'frictionless' || isMerchantInitiated;
  if (outcome.startsWith('CHALLENGE_') && !isAuthenticated) return refused('DECLINED', authenticationNeeded);
  const refusal = refusals[outcome];
  return refusal ? refused(...refusal) : approved();
}

function approved(): AcquirerAnswer {
  return {
    result: 'APPROVED',
    endToEndId: digits(15),
    additionalData: { authorizationCode: digits(6) },
  };
}

function refused(...[result, responseReason]: CardRefusal): AcquirerAnswer {
  return { result, endToEndId: null, additionalData: { responseReason } };
}

function digits(length: number): string {
  return Array.from({ length }, () => randomInt(10)).join('');
}
