// A subscriber comes back after an absence: how fast the product tells what it missed, with operation, payment and merchant selected, each from another domain.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import type { Benchmark, Case, Sample } from '../support/benchmark';
import { countCpu } from '../support/cpu-count';
import { type Product, startProduct } from '../support/product';
import { storePayments } from './stored-payments';

const stored = Number(process.env['BENCH_EVENTS'] ?? 10_000);
const selection = `eventId cursor type occurredAt operationType operationResult
  operation { operationId operationResult operationAmount merchant { name } } payment { paymentId state orderId } merchant { merchantId name }`;
const owned = `subscription($m: ID!, $after: String) { told: operationEvents(merchantId: $m, after: $after) { ${selection} } }`;
const whole = `subscription($after: String) { told: events(after: $after) { eventId cursor type occurredAt merchant { merchantId name } ... on OperationEvent {
  operationType operationResult operation { operationId operationResult operationAmount merchant { name } } payment { paymentId state orderId } } } }`;

interface Told {
  cursor: string;
}

export const benchmark: Benchmark = {
  title: `Replay of ${stored.toLocaleString('en')} events to one subscriber, operation, payment and merchant selected`,
  async open() {
    const product = await startProduct({ processes: 1 });
    const url = product.credentials.urls.graph.replace(/^http/, 'ws');
    const authorization = `Bearer ${await product.graphToken()}`;
    const ask = (query: string, variables: object) => ({ url, authorization, query, variables });
    const merchantId = product.credentials.tenants.alpha.merchantId;
    const ofMerchant = follow(ask(owned, { m: merchantId }), 1);
    const ofAll = follow(ask(whole, {}), 1);
    await Promise.all([ofMerchant.standing, ofAll.standing]);
    const [first, firstOfAll] = await Promise.all([ofMerchant.done, ofAll.done, storePayments(product, 1)]);
    const starts = { owned: first.cursor, whole: firstOfAll.cursor };
    await storePayments(product, stored);
    const cases: Case[] = [
      replayCase(
        product,
        'operationEvents',
        () => follow(ask(owned, { m: merchantId, after: starts.owned }), stored).done,
      ),
      replayCase(product, 'events', () => follow(ask(whole, { after: starts.whole }), stored).done),
      replayCase(product, 'events as a stream', () => streamed(product, authorization, starts.whole)),
    ];
    return {
      cases,
      reference: 'operationEvents',
      goals: [
        { metric: 'rate', of: 'operationEvents', atLeast: 5_000 },
        { metric: 'rate', of: 'events', atLeast: 5_000 },
      ],
      facts: ['every role in one process; the stream selects keys only', `selected: ${selection.replace(/\s+/g, ' ')}`],
      close: () => product.stop(),
    };
  },
};

function replayCase({ pids, databasePids }: Product, name: string, replay: () => Promise<unknown>): Case {
  return {
    name,
    kind: 'product',
    pids,
    async measure(): Promise<Sample> {
      const counted = countCpu(pids, databasePids);
      const startedAt = performance.now();
      await replay();
      return { rate: (stored * 1_000) / (performance.now() - startedAt), ...counted(stored) };
    },
  };
}

interface Asked {
  url: string;
  authorization: string;
  query: string;
  variables: object;
}

/** `standing` once events are sure to be told, `done` with the last of so many. */
function follow({ url, authorization, query, variables }: Asked, count: number) {
  const socket = new WebSocket(url, 'graphql-transport-ws');
  const send = (message: object) => socket.send(JSON.stringify(message));
  let left = count;
  let stand: () => void = () => undefined;
  const standing = new Promise<void>((resolve) => {
    stand = resolve;
  });
  const done = new Promise<Told>((resolve, reject) => {
    socket.on('open', () => send({ type: 'connection_init', payload: { authorization } }));
    socket.on('error', reject);
    socket.on('close', (code, reason) => reject(new Error(`closed with ${code} ${reason}`)));
    socket.on('message', (data) => {
      const { type, id, payload } = JSON.parse(String(data)) as {
        type: string;
        id?: string;
        payload?: { data: { told: Told } };
      };
      if (type === 'connection_ack') {
        send({ id: '1', type: 'subscribe', payload: { query, variables } });
        send({ id: 'standing', type: 'subscribe', payload: { query: '{ __typename }' } });
      }
      if (type === 'complete' && id === 'standing') stand();
      if (type === 'error') reject(new Error(String(data)));
      if (type !== 'next' || id !== '1' || !payload) return;
      left -= 1;
      if (left > 0) return;
      resolve(payload.data.told);
      socket.close();
    });
  });
  return { standing, done };
}

async function streamed(product: Product, authorization: string, after: string): Promise<void> {
  const url = `${product.credentials.urls.graph}/events?after=${encodeURIComponent(after)}`;
  const asked = get(url, { headers: { authorization } });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the stream answered ${response.statusCode}`);
  let left = stored;
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    left -= chunk.split('\nevent: ').length - 1;
    if (left <= 0) break;
  }
  asked.destroy();
}
