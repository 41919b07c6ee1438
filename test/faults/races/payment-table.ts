// What the races on one payment share: the world with its processes and cards, and what is said and left of a payment.
import type { Money, Outcome } from '../../../subgraphs/payments/money/money';
import type { Instrument } from '../../../subgraphs/payments/payment/instrument';
import type { Payment } from '../../../subgraphs/payments/payment/payment';
import { contextOf, eventsOf, type MoneyWorld, present } from '../../payments/money-world';
import type { Random } from '../random';
import type { Round } from './race';

export const authorized = 'AUTHORIZATION AUTHORIZED';

export interface Table {
  random: Random;
  world: MoneyWorld;
  processes: readonly Money[];
  cards: Record<'approved' | 'declined' | 'silent', Instrument>;
}

export const said = ({ operation }: Outcome) => `${operation.type} ${operation.result}`;
export const alpha = ({ world }: Table) => contextOf(world.alpha);

/** What is left of the payment. That books and sums agree is looked at afterwards, for all payments at once. */
export async function left({ world }: Table, payment: Payment): Promise<Omit<Round, 'counts'>> {
  const { state } = await present(world, payment);
  const events = await eventsOf(world, payment);
  return {
    state,
    events: events.map(([, kind, type, result]) => (kind === 'payment.expired' ? 'EXPIRED' : `${type} ${result}`)),
  };
}
