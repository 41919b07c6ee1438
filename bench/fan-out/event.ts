// The event that the comparison cases send, shaped and sized like the product's.

const subscription =
  'subscription Events($merchantId: ID!) { tokenEvents(merchantId: $merchantId) { eventId sequence cursor occurredAt type virtualAccount { virtualAccountId state } } }';

export const channel = 'bench-fan-out';

export interface TokenEvent {
  eventId: string;
  sequence: number;
  cursor: string;
  occurredAt: string;
  type: string;
  virtualAccount: { virtualAccountId: string; state: string };
}

export function newEvent(sequence: number): TokenEvent {
  return {
    eventId: '0192f3c0-1111-7abc-8def-000000000001',
    sequence,
    cursor: 'MTIzNDU2Nzg5MC4wMTIzNDU2Nzg5YWJjZGVmMDEyMzQ1Njc4OWFiY2RlZg',
    occurredAt: new Date().toISOString(),
    type: sequence % 2 === 0 ? 'virtualAccount.resumed' : 'virtualAccount.suspended',
    virtualAccount: { virtualAccountId: '0192f3c0-2222-7abc-8def-000000000002', state: 'ACTIVE' },
  };
}

/** Messages of a graphql-transport-ws client. */
export function clientMessages(merchantId: string, authorization: string): string[] {
  return [
    JSON.stringify({ type: 'connection_init', payload: { authorization } }),
    JSON.stringify({ id: '1', type: 'subscribe', payload: { query: subscription, variables: { merchantId } } }),
  ];
}
