// Every filter of the operations query alone and in pairs, as query strings over the stored operations of this benchmark.

/** One value of each filter: some rare, some that half of all operations have. */
export function filterValues(operationId: string): Record<string, string> {
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString();
  return {
    channel: 'BACKOFFICE',
    channelDetail: 'POST_OPERATION',
    customField: 'field-17',
    fromTime: day(60),
    toTime: day(30),
    operationType: 'REFUND',
    operationId,
    orderId: 'order-4711',
    minAmount: '50000',
    maxAmount: '50100',
    contractId: 'contract-170',
    contractType: 'MIT_SCHEDULED',
    status: 'EXECUTED',
    paymentMethod: 'APM',
    installmentQty: '1',
    paymentCircuit: 'AMEX',
    terminalId: 'terminal-alpha-explicit',
  };
}

export interface Query {
  name: string;
  query: string;
}

const printed = (names: readonly string[], values: Record<string, string>): Query => ({
  name: names.join('+'),
  query: new URLSearchParams(names.map((name): [string, string] => [name, values[name] ?? ''])).toString(),
});

export function singleFilters(values: Record<string, string>): Query[] {
  return Object.keys(values).map((name) => printed([name], values));
}

export function pairsOfFilters(values: Record<string, string>): Query[] {
  const names = Object.keys(values);
  return names.flatMap((first, index) => names.slice(index + 1).map((second) => printed([first, second], values)));
}

/** The listing in each order, both ways. */
export function orders(): Query[] {
  const by = ['operationTime', 'operationAmount', 'operationType', 'operationResult', 'orderId', 'paymentCircuit'];
  return by.flatMap((orderBy) =>
    ['ASC', 'DESC'].map((sortIn) => ({ name: `${orderBy} ${sortIn}`, query: `orderBy=${orderBy}&sortIn=${sortIn}` })),
  );
}
