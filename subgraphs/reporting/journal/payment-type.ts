// Which kind of payment an operation was, in the words of quotes and reports (onboarding interface, paymentType; C, payment actions).

import type { PaymentTypeWord } from '../../shared/vocabulary/payment-type';

const typesByCircuit: Readonly<Record<string, PaymentTypeWord>> = {
  INVOICE: 'INVOICE',
  INSTALLMENT: 'INSTALLMENT',
  MYBANK: 'A2A',
  BANCONTACT: 'A2A',
  BANK_REDIRECT: 'A2A',
  SEPA_DIRECT_DEBIT: 'A2A',
};

/** CARD, INVOICE, INSTALLMENT, A2A; every other alternative method is a WALLET. */
export function paymentTypeOf(method: string, circuit: string | null): PaymentTypeWord {
  return method === 'CARD' ? 'CARD' : (typesByCircuit[circuit ?? ''] ?? 'WALLET');
}
