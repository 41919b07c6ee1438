// What a page is told as if the graph told it, in the page itself: what the graph has told once, again under other ids. Thousands a second, which no proxy before the page would pass on.
import type { Page } from 'playwright-core';

/** All but the last part is kept, so that what belongs together still does. */
const uuid = '/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)[0-9a-f]{12}/g';
const numbered = (count: string) => `'$1' + (${count}).toString(16).padStart(12, '0')`;
/** Told between two frames of the page: not faster than it draws. */
const batch = 500;

/** From the next load on: the last event of an operation is kept, with the connection that it came by. */
export async function listenIn(page: Page): Promise<void> {
  await page.addInitScript(`(() => {
    const Real = WebSocket;
    window.heard = null;
    window.WebSocket = class extends Real {
      constructor(...given) {
        super(...given);
        this.addEventListener('message', ({ data, isTrusted }) => {
          if (isTrusted && data.includes('"OperationEvent"')) window.heard = { socket: this, text: data };
        });
      }
    };
  })()`);
}

/** Tells the page so many events, each as the last that it heard; the ids go on from `from`. As fast as it draws, or so many a second. */
export function tell(page: Page, from: number, events: number, perSecond?: number): Promise<unknown> {
  const [together, next] = perSecond ? [perSecond, 'setTimeout(done, 1000)'] : [batch, 'requestAnimationFrame(done)'];
  return page.evaluate(`(async () => {
    const { socket, text } = window.heard;
    // Before it stands the subscription that they belong to.
    const at = text.indexOf('"payload"');
    const [head, payload] = [text.slice(0, at), text.slice(at)];
    for (let count = ${from}; count < ${from + events};) {
      for (let each = 0; each < ${together}; each += 1, count += 1)
        socket.dispatchEvent(
          new MessageEvent('message', { data: head + payload.replace(${uuid}, ${numbered('count')}) }),
        );
      await new Promise((done) => ${next});
    }
  })()`);
}

/** So many of the graph's pages come at once: how a long list is scrolled is looked at, not how it is fetched. */
const pagesAtOnce = 50;

/** From the next load on: the further pages of that list are its second one, again and again under other ids. */
export async function repeatPages(page: Page, { operation, list }: { operation: string; list: string }): Promise<void> {
  await page.addInitScript(`(() => {
    const real = window.fetch;
    let kept = null;
    let count = 0;
    window.fetch = async (input, init) => {
      const asked = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
      if (asked.operationName !== '${operation}' || !asked.variables.after) return real(input, init);
      if (kept === null) {
        const answer = await (await real(input, init)).json();
        const { edges } = answer.data.${list};
        answer.data.${list}.edges = Array.from({ length: ${pagesAtOnce} }, () => edges).flat();
        kept = JSON.stringify(answer);
      }
      const text = kept.replace(${uuid}, (_all, start) => start + (count += 1).toString(16).padStart(12, '0'));
      return new Response(text, { headers: { 'content-type': 'application/json' } });
    };
  })()`);
}
