// A payment with its whole life, as the drawer asks for it.
import type { PaymentLifeQuery } from './queries';

export type ShownPayment = NonNullable<PaymentLifeQuery['payment']>;
