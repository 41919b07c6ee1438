// Reads orders as the rules do, at one moment, and tells a refusal by its code and path.
import { type CheckoutRequest, parseCheckoutRequest } from '../../subgraphs/payments/checkout/order-rules';
import { DomainError } from '../../subgraphs/shared/errors';

const now = new Date('2026-11-21T10:00:00Z');
const rules = { kind: 'BUILD', isOlderPath: false, now } as const;
export const parse = (
  order: unknown,
  session: unknown = {},
  more: Partial<Parameters<typeof parseCheckoutRequest>[2]> = {},
): CheckoutRequest => parseCheckoutRequest(order, session, { ...rules, ...more });

export function refusal(run: () => unknown): [string, string | undefined] | null {
  try {
    run();
    return null;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return [error.code, error.details.field];
  }
}
