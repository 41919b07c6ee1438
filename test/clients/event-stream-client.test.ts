// What only the client over server-sent events does: it says every filter in its address, and gives up a connection that has fallen silent.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEventStreamClient } from '../../clients/events/event-stream-client';
import { eventually } from '../support/stores';

test.each([
  ['the last event', (count: number) => [`id: place-${count}`, {}] as const],
  [
    'the cursor of the last event, where that has no id',
    (count: number) => ['id: ', { cursor: `place-${count}` }] as const,
  ],
])('a connection that has fallen silent is given up, and the next goes on behind %s', async (_what, eventOf) => {
  const asked: (string | undefined)[] = [];
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers['last-event-id'] as string | undefined);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    // Told in pieces, as a network may; the first connection then says nothing any more.
    const [id, more] = eventOf(asked.length);
    const data = JSON.stringify({ sequence: asked.length, type: 't', ...more });
    const text = `retry: 2000\n\n:\n\n${id}\nevent: t\ndata: ${data}\n\n`;
    for (const piece of [text.slice(0, 30), text.slice(30)]) response.write(piece);
    held.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql/events`;
  const sequences: unknown[] = [];
  const client = createEventStreamClient({ url, silentMsMax: 200, retryMs: 20, retryMsMax: 100 });
  client.subscribe(
    { variables: { after: null } },
    {
      next({ data }) {
        const event = data?.['events'] as { sequence: number } | undefined;
        if (event) sequences.push(event.sequence);
      },
      error: (error) => sequences.push(error),
      complete: () => sequences.push('complete'),
    },
  );
  // How many connections the first event takes is the machine's: a busy one is silent for longer than is waited for.
  await eventually(() => sequences.length >= 2);
  await client.close();
  for (const response of held) response.destroy();
  await new Promise((resolve) => server.close(resolve));
  const [first = 0, second] = sequences.map(Number);
  expect(second).toBeGreaterThan(first);
  expect(asked.slice(0, first + 1)).toEqual([...Array.from({ length: first }, () => undefined), `place-${first}`]);
});

test.each([
  [{ types: [] }, 'types='],
  [{ types: 'operation.done' }, 'types=operation.done'],
  [{ types: ['a.b', 'c.d'], merchantIds: null, results: undefined }, 'types=a.b&types=c.d'],
  [{ strange: 'x' }, 'strange=x'],
])('the filter %j is asked for as %s', async (filter, expected) => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(400).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql/events`;
  const client = createEventStreamClient({ url });
  await new Promise((resolve) => {
    client.subscribe({ variables: { filter } }, { next: resolve, error: resolve, complete: () => resolve(null) });
  });
  await client.close();
  await new Promise((resolve) => server.close(resolve));
  expect(asked).toEqual([`/graphql/events?${expected}`]);
});
