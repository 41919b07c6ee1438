// The operations that the explorer opens with; the tests check the same files against the schema.
import merchantOverview from './examples/MerchantOverview.graphql?raw';
import merchantPayments from './examples/MerchantPayments.graphql?raw';
import operationEvents from './examples/OperationEvents.graphql?raw';
import operationLife from './examples/OperationLife.graphql?raw';
import recentCallbacks from './examples/RecentCallbacks.graphql?raw';
import redeliver from './examples/Redeliver.graphql?raw';
import tokenEvents from './examples/TokenEvents.graphql?raw';
import virtualAccountLife from './examples/VirtualAccountLife.graphql?raw';
import type { Example } from './open-ids';

const variables = (values: object) => JSON.stringify(values, null, 2);

export const examples: readonly Example[] = [
  { query: merchantOverview, variables: variables({ first: 5 }) },
  { query: merchantPayments, variables: variables({ merchantId: '', first: 5 }) },
  { query: operationLife, variables: variables({ operationId: '' }) },
  { query: operationEvents, variables: variables({ merchantId: '', after: null }) },
  { query: virtualAccountLife, variables: variables({ virtualAccountId: '' }) },
  { query: tokenEvents, variables: variables({ merchantId: '', after: null }) },
  { query: recentCallbacks, variables: variables({ first: 10 }) },
  {
    query: redeliver,
    variables: variables({ callbackId: '', reason: 'The receiver is mended' }),
    right: 'callbacks:write',
  },
];
