// What the demo shop shows behind the counter: calls of its server, events of the field script, notifications as they arrive.

export interface ShownExchange {
  title: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
  status: number;
  answer: unknown;
}

const linesMax = 200;

export function addExchange({ title, method, path, headers, body, status, answer }: ShownExchange): void {
  const entry = document.createElement('details');
  entry.className = 'entry';
  const summary = document.createElement('summary');
  summary.append(
    `${title} `,
    element('code', `${method} ${path.split('?')[0]}`),
    ' ',
    element('span', String(status), 'status-chip'),
  );
  const sent = body === null ? '' : `\n\n${JSON.stringify(body, null, 2)}`;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const request = element('pre', `${method} ${path}\n${lines.join('\n')}${sent}`);
  const response = element('pre', `${status}\n\n${JSON.stringify(answer, null, 2)}`);
  for (const block of [request, response]) block.tabIndex = 0;
  entry.append(summary, request, response);
  for (const older of document.querySelectorAll<HTMLDetailsElement>('#exchange details')) older.open = false;
  entry.open = true;
  append('exchange', entry);
}

/** Shows an exchange, and keeps it for the order's page: the payer may be elsewhere in between. */
export function keepExchange(orderId: string, exchange: ShownExchange): void {
  addExchange(exchange);
  const kept = { orderId, exchanges: [...keptExchanges(orderId), exchange] };
  sessionStorage.setItem(keptName, JSON.stringify(kept));
}

const keptName = 'exchanges';

/** Of the order that was begun last in this tab; none of any other. */
export function keptExchanges(orderId: string): ShownExchange[] {
  const kept = JSON.parse(sessionStorage.getItem(keptName) ?? '{}') as {
    orderId?: string;
    exchanges?: ShownExchange[];
  };
  return kept.orderId === orderId ? (kept.exchanges ?? []) : [];
}

function addNotification(body: unknown): void {
  const { operation = {} } = (body ?? {}) as { operation?: { operationType?: string; operationResult?: string } };
  const entry = document.createElement('details');
  entry.className = 'entry';
  const summary = document.createElement('summary');
  summary.append(`${operation.operationType ?? ''} `, element('span', operation.operationResult ?? '', 'status-chip'));
  const text = element('pre', JSON.stringify(body, null, 2));
  text.tabIndex = 0;
  entry.append(summary, text);
  append('received', entry);
}

export function addLine(list: 'events', text: string): void {
  const time = new Date().toTimeString().slice(0, 8);
  append(list, element('code', `${time} ${text}`));
}

function append(list: string, content: HTMLElement): void {
  const place = document.getElementById(list);
  if (!place) return;
  const item = document.createElement('li');
  item.append(content);
  place.prepend(item);
  while (place.children.length > linesMax) place.lastElementChild?.remove();
  const empty = place.parentElement?.querySelector<HTMLElement>('.empty');
  if (empty) empty.hidden = true;
}

function element(name: string, text: string, className = ''): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** Tabs by arrow keys, copy buttons that say what they did. */
export function startCounter(): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')];
  const choose = (chosen: HTMLElement) => {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = !isChosen;
    }
  };
  tabs.forEach((tab, index) => {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', ({ key }) => {
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
      const next = tabs[(index + step + tabs.length) % tabs.length];
      if (step === 0 || !next) return;
      choose(next);
      next.focus();
    });
  });
  for (const button of document.querySelectorAll<HTMLButtonElement>('.copy'))
    button.addEventListener('click', () => {
      void navigator.clipboard?.writeText(button.dataset['copy'] ?? '').then(() => {
        button.firstChild?.replaceWith('Copied');
      });
    });
}

/** Looks for notifications until one is final, a minute at most. */
export function watchNotifications(
  orderId: string,
  ask: <Answer>(path: string, body: object) => Promise<Answer>,
): void {
  const status = document.getElementById('received-status');
  let seen = 0;
  let looksLeft = 30;
  const read = async () => {
    const { received } = await ask<{ received: { receivedAt: string; body: unknown }[] }>('notifications', { orderId });
    for (const { body } of received.slice(seen)) addNotification(body);
    // A receiver that cannot answer for the moment arrives as an empty list: what was shown stays shown.
    seen = Math.max(seen, received.length);
    return seen === 0 ? 'Waiting for the notification…' : `Notifications received: ${seen}`;
  };
  const look = async () => {
    const text = await read().catch(() => 'The notifications could not be read.');
    if (status) status.textContent = text;
    looksLeft -= 1;
    if (looksLeft > 0) setTimeout(() => void look(), seen === 0 ? 1_000 : 4_000);
  };
  void look();
}
