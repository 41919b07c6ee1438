// A client of the subscription protocol, spoken by hand.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { newId } from '../../subgraphs/shared/ids';
import { eventually } from '../support/stores';

interface Message {
  type: string;
  id?: string;
  payload?: { data?: Record<string, Record<string, unknown>>; errors?: { extensions: { code: string } }[] } & {
    extensions?: { code: string };
  }[];
}

/** A client that speaks the protocol by hand, so that every message can be looked at. */
export class Client {
  readonly messages: Message[] = [];
  closed: { code: number; reason: string } | null = null;

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data) => this.messages.push(JSON.parse(String(data))));
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
  }

  static async open(url: string, who?: string, headers: Record<string, string> = {}): Promise<Client> {
    const socket = new WebSocket(url, 'graphql-transport-ws', { headers });
    const client = new Client(socket);
    await once(socket, 'open');
    client.send({ type: 'connection_init', payload: who ? { authorization: `Bearer ${who}` } : {} });
    if (who) await eventually(() => client.closed ?? client.messages.some(({ type }) => type === 'connection_ack'));
    return client;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  /** Subscribes and waits until events after this moment are sure to arrive: a query on the same socket came back. */
  async subscribe(id: string, query: string, variables: object = {}): Promise<void> {
    this.send({ id, type: 'subscribe', payload: { query, variables } });
    await this.settle();
  }

  async settle(): Promise<void> {
    const id = newId();
    this.send({ id, type: 'subscribe', payload: { query: '{ __typename }' } });
    await eventually(
      () => this.closed ?? this.messages.some((message) => message.type === 'complete' && message.id === id),
    );
  }

  of(id: string): Message[] {
    return this.messages.filter((message) => message.id === id);
  }

  items(id: string): Record<string, unknown>[] {
    return this.of(id).flatMap(({ type, payload }) =>
      type === 'next' && payload?.data ? Object.values(payload.data) : [],
    );
  }

  close(): void {
    this.socket.close();
  }
}
