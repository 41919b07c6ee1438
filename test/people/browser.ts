// A browser as far as a sign-in needs one: cookies by path, redirects one by one, and the headers that pages of an origin send.
import { withoutUndefined } from '../../subgraphs/shared/present-members';
import { type Answer, type CallOptions, send } from '../support/client';

interface Cookie {
  value: string;
  path: string;
  attributes: string[];
}

/** Back at a page of ours. */
export const isBack = ({ pathname }: URL) => !/^\/(sign-in|sandbox)/.test(pathname);

export class Browser {
  readonly cookies = new Map<string, Cookie>();
  /** Addresses in the order of their visits. */
  readonly visited: string[] = [];

  constructor(readonly origin: string) {}

  /** One request; what it sets is kept. */
  async call(method: string, address: string, options: CallOptions = {}): Promise<Answer> {
    const url = new URL(address, this.origin);
    this.visited.push(url.href);
    const cookie = [...this.cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
    const headers = { ...withoutUndefined({ cookie: cookie || undefined }), ...options.headers };
    const answer = await send(url.origin, {
      method,
      path: `${url.pathname}${url.search}`,
      options: { ...options, headers },
    });
    for (const line of answer.headers['set-cookie'] ?? []) this.keep(line);
    return answer;
  }

  /** Goes where it is sent, until something is shown or `until` says where to stop; the last answer and its address. */
  async open(address: string, until: (next: URL) => boolean = () => false): Promise<{ answer: Answer; at: URL }> {
    let at = new URL(address, this.origin);
    for (let hops = 0; hops < 12; hops += 1) {
      const look = () => this.call('GET', at.href, { headers: { accept: 'text/html' } });
      // Only what was not begun is begun again.
      const isBeginning = at.pathname === '/sign-in';
      const answer = isBeginning ? await unlessTooBusy(look) : await look();
      const { location } = answer.headers;
      if (location === undefined) return { answer, at };
      at = new URL(location, at);
      if (until(at)) return { answer, at };
    }
    throw new Error(`no end of redirects at ${at.pathname}`);
  }

  /** Asks the graph as a page of this origin does. */
  async ask(query: string, variables: object = {}, headers: Record<string, string> = {}): Promise<Answer> {
    const own = { origin: this.origin, 'x-requested-with': 'dashboard' };
    return this.call('POST', '/graphql', { headers: { ...own, ...headers }, body: { query, variables } });
  }

  /** Value of the session's cookie. */
  get session(): string | undefined {
    return this.cookies.get('session')?.value;
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const equals = pair.indexOf('=');
    const [name, value] = [pair.slice(0, equals), pair.slice(equals + 1)];
    const path = attributes.find((one) => /^path=/i.test(one))?.slice('path='.length) ?? '/';
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, { value, path, attributes });
  }
}

/** On a machine that is out of breath a provider may be too late: a person presses again. */
async function unlessTooBusy(look: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await look();
    if (answer.status !== 503 || tries >= 5) return answer;
  }
}
