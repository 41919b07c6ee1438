// The built-in connector of alternative methods: the payer decides on a page of the sandbox, and the outcome is asked for afterwards (hosted checkout, build with an alternative method).
import { randomInt } from 'node:crypto';
import type { Clock } from '../../shared/clock';
import { newId } from '../../shared/ids';
import type { AcquirerAnswer } from '../connectors/acquirer';
import type { AlternativeMethod, MethodVisit, VisitStatus } from '../connectors/alternative-method';
import type { MethodVisitRepository } from './alternative-method.repository';

const statuses: Readonly<Record<'PASS' | 'FAIL' | 'CANCEL', VisitStatus>> = {
  PASS: 'PAID',
  FAIL: 'DECLINED',
  CANCEL: 'CANCELLED',
};

/** How long a bank takes to carry out a direct debit, on the one clock. */
const debitMs = 24 * 3_600_000;
/** The account whose bank returns the debit: an IBAN or wallet data that ends so. */
const returnedEnding = '0002';

export function createSandboxMethods(deps: {
  visits: MethodVisitRepository;
  clock: Clock;
  /** Origin of the method's page. */
  origin: string;
}): AlternativeMethod {
  const { visits, clock, origin } = deps;
  return {
    async start(visit) {
      const visitId = newId();
      const endToEndId = `${visit.method}-${randomInt(10 ** 9, 10 ** 10)}`;
      await visits.insert(
        { visitId, ...visit, status: 'OPEN', instrumentInfo: 'p***@example.com', endToEndId },
        clock.now(),
      );
      return { visitId, url: `${origin}/method/${visitId}` };
    },
    ask: (visitId) => visits.find(visitId),
    withdraw: (visitId) => visits.withdraw(visitId),
    answer: (visitId, answer) => visits.answer(visitId, statuses[answer]),
    async register({ kind, secret }) {
      const fate = secret.endsWith(returnedEnding) ? 'returned' : 'good';
      const info =
        kind === 'WALLET' ? 'wallet' : `${secret.slice(0, 4)}${'*'.repeat(secret.length - 8)}${secret.slice(-4)}`;
      return { reference: `${kind}:${fate}:${newId()}`, circuit: kind, info };
    },
    async debit({ callId, reference, kind: what, captureNow: _collected, ...order }) {
      const [kind, fate] = reference.split(':');
      const at = clock.now();
      // The steps of an invoice are answered at once; a bank takes a day.
      const isSlow = what === 'debit' && kind === 'SEPA_DIRECT_DEBIT';
      const made = await visits.insertDebit(
        { visitId: callId, ...order, status: fate === 'returned' ? 'DECLINED' : 'PAID' },
        { createdAt: at, readyAt: isSlow ? new Date(at.getTime() + debitMs) : null },
      );
      return told(made, at);
    },
    async askDebit(callId) {
      const found = await visits.findDebit(callId);
      return found && told(found, clock.now());
    },
    refund: async ({ visitId, callId, amountMinor }) => ({
      isDone: await visits.refund(visitId, { callId, amountMinor }),
    }),
  };
}

function told({ visit, readyAt }: { visit: MethodVisit; readyAt: Date | null }, now: Date): AcquirerAnswer {
  const { endToEndId } = visit;
  const waitMs = readyAt ? readyAt.getTime() - now.getTime() : 0;
  if (waitMs > 0) return { result: 'PENDING', endToEndId, additionalData: {}, askAgainAfterMs: waitMs };
  const isPaid = visit.status === 'PAID';
  return isPaid
    ? { result: 'APPROVED', endToEndId, additionalData: {} }
    : { result: 'DECLINED', endToEndId, additionalData: { responseReason: 'debit_returned' } };
}
