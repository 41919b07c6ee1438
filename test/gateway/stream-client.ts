// A client of server-sent events over a plain socket, so that every byte can be looked at and a reader can stop reading.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { eventually } from '../support/stores';

export interface StreamedEvent {
  id: string | null;
  event: string | null;
  data: Record<string, unknown> | null;
}

export class StreamClient {
  private text = '';
  isClosed = false;

  private constructor(
    readonly asked: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.text += chunk;
    });
    response.on('close', () => {
      this.isClosed = true;
    });
    response.on('error', () => undefined);
  }

  /** `url`: of the world's WebSockets. */
  static async open(
    url: string,
    who: string | null,
    {
      search = '',
      headers = {},
      method = 'GET',
    }: { search?: string; headers?: Record<string, string>; method?: string } = {},
  ): Promise<StreamClient> {
    const authorization = who === null ? {} : { authorization: `Bearer ${who}` };
    const asked = request(`${url.replace(/^ws/, 'http')}/events${search}`, {
      method,
      headers: { ...authorization, ...headers },
    });
    asked.end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return new StreamClient(asked, response);
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get raw(): string {
    return this.text;
  }

  /** The whole of an answer that ends. */
  async body(): Promise<Record<string, unknown>> {
    await eventually(() => this.isClosed);
    return JSON.parse(this.text) as Record<string, unknown>;
  }

  /** What has come, without comments and hints. */
  events(): StreamedEvent[] {
    const blocks = this.text.split('\n\n').slice(0, -1);
    return blocks.flatMap((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? null;
      const data = field('data');
      return data === null ? [] : [{ id: field('id'), event: field('event'), data: JSON.parse(data) }];
    });
  }

  close(): void {
    this.asked.destroy();
  }
}
