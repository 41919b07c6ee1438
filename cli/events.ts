// `pay events tail` and `pay events resend`: the events of one merchant's tokens or operations, resumed by cursor, and one callback sent again.
import { requestToken } from './access-token';
import { callGraph } from './call';
import type { Credentials } from './credentials';
import { CommandFailure, exitCodes } from './failure';
import { type Conversation, converse, type LiveEnding } from './live';
import type { CommandLine } from './terminal';

export const eventKinds = ['tokens', 'operations'] as const;
type EventKind = (typeof eventKinds)[number];

export interface TailOptions {
  merchantId: string;
  of: EventKind;
  /** Cursor of the last item already seen; without it the tail is live from now. */
  after?: string;
  /** Ends after that many items. */
  count?: number;
  /** Ends, instead of coming back, when the connection is lost. */
  once: boolean;
}

interface Item {
  eventId: string;
  sequence: number;
  cursor: string;
  occurredAt: string;
  type: string;
}

interface EventsStream {
  field: string;
  query: string;
  /** What an item is about, in one line; null for a gap. */
  subject(item: Item): string | null;
}

const common = 'eventId sequence cursor occurredAt type';
const streams: Readonly<Record<EventKind, EventsStream>> = {
  tokens: {
    field: 'tokenEvents',
    query: `subscription TailTokenEvents($merchantId: ID!, $after: String) {
  tokenEvents(merchantId: $merchantId, after: $after) { ${common} virtualAccount { virtualAccountId state } }
}`,
    subject: (item) => {
      const { virtualAccount } = item as Item & { virtualAccount?: { virtualAccountId: string; state: string } | null };
      return virtualAccount ? `${virtualAccount.virtualAccountId} ${virtualAccount.state}` : null;
    },
  },
  operations: {
    field: 'operationEvents',
    query: `subscription TailOperationEvents($merchantId: ID!, $after: String) {
  operationEvents(merchantId: $merchantId, after: $after) {
    ${common} operationType operationResult
    operation { operationId orderId operationAmount operationCurrency } payment { paymentId state }
  }
}`,
    subject: (item) => operationText(item as OperationItem),
  },
};

interface OperationItem extends Item {
  /** As they were at that moment; null in a gap. */
  operationType?: string | null;
  operationResult?: string | null;
  operation?: {
    operationId: string;
    orderId: string | null;
    operationAmount: string;
    operationCurrency: string;
  } | null;
}

function operationText({ operationType, operationResult, operation }: OperationItem): string | null {
  if (!operationType || !operation) return null;
  const { operationId, orderId, operationAmount, operationCurrency } = operation;
  const order = orderId ? `order ${orderId}  ` : '';
  return `${operationType} ${operationResult} ${operationAmount} ${operationCurrency}  ${order}${operationId}`;
}

const resendMutation = `mutation RedeliverCallback($callbackId: ID!) {
  redeliverCallback(callbackId: $callbackId) { callbackId eventId }
}`;

const waitMsMax = 5_000;
const failuresMax = 20;
/** Close codes of graphql-transport-ws after which the same request cannot succeed: bad message, too many, and the like. */
const hopeless = new Set([4400, 4406, 4409, 4429]);

/** Prints items until `count` of them came, resuming from the last cursor whenever the connection is lost. */
export async function tail(credentials: Credentials, options: TailOptions, terminal: CommandLine): Promise<void> {
  const stream = streams[options.of];
  let after = options.after;
  let left = options.count ?? Number.POSITIVE_INFINITY;
  let wasConnected = false;
  for (let failures = 0; ; ) {
    const ending = await listen(credentials, {
      query: stream.query,
      variables: { merchantId: options.merchantId, after },
      isReturning: wasConnected,
      onConnected: () => {
        wasConnected = true;
        terminal.remark(after ? `connected, resuming after ${after}` : 'connected, live from now');
      },
      onItem: (data, stop) => {
        const item = data[stream.field] as Item;
        after = item.cursor;
        left -= 1;
        failures = 0;
        terminal.print(line(item, stream), item);
        if (item.type === 'GAP')
          terminal.remark('GAP: events before this cursor are no longer kept; read the state anew');
        if (left <= 0) stop();
      },
    });
    if (ending.how === 'stopped') return;
    failures += 1;
    const why = whyComingBack(ending, options.once || failures > failuresMax);
    terminal.remark(`${why}; ${after ? 'resuming' : 'no cursor yet: live from now again'}`);
    await new Promise((resolve) => setTimeout(resolve, Math.min(waitMsMax, 100 * 2 ** failures)));
  }
}

/** One connection with an access token of its own; who comes back waits for a platform that restarts, who comes first is told. */
async function listen(
  credentials: Credentials,
  {
    isReturning,
    ...rest
  }: Pick<Conversation, 'query' | 'variables' | 'onConnected' | 'onItem'> & { isReturning: boolean },
): Promise<LiveEnding> {
  try {
    const { accessToken } = await requestToken(credentials, { graph: 'viewer' });
    return await converse({ ...rest, url: credentials.urls.subscriptions, accessToken });
  } catch (error) {
    if (!isReturning || !(error instanceof CommandFailure) || error.exitCode !== exitCodes.unreachable) throw error;
    return { how: 'closed', code: 1006, reason: error.message };
  }
}

/** Sends one callback again, with the ids it has always had. */
export async function resend(credentials: Credentials, callbackId: string, terminal: CommandLine): Promise<void> {
  const { accessToken } = await requestToken(credentials, { graph: 'admin' });
  const data = await callGraph(credentials.urls.graph, accessToken, {
    query: resendMutation,
    variables: { callbackId },
  });
  const callback = data['redeliverCallback'] as { callbackId: string; eventId: string };
  terminal.print(`callback ${callback.callbackId} (event ${callback.eventId}) is being sent again`, callback);
}

/** What to say of an ending after which it is worth coming back; ends the command after any other, and after the last. */
function whyComingBack(ending: Exclude<LiveEnding, { how: 'stopped' }>, isLast: boolean): string {
  if (ending.how === 'refused') {
    if (!ending.isPassing) throw new CommandFailure(exitCodes.refused, `The graph refused: ${ending.reason}`);
    if (isLast) throw new CommandFailure(exitCodes.unreachable, `The graph cannot serve now: ${ending.reason}`);
    return ending.reason;
  }
  const why = `${ending.reason} (${ending.code})`;
  if (hopeless.has(ending.code)) {
    throw new CommandFailure(exitCodes.refused, `The graph closed the connection: ${why}`);
  }
  if (isLast) throw new CommandFailure(exitCodes.unreachable, `The connection was lost: ${why}`);
  return why;
}

function line(item: Item, { subject }: EventsStream): string {
  return `${item.occurredAt}  ${item.type.padEnd(26)}  #${item.sequence}  ${subject(item) ?? '-'}  after=${item.cursor}`;
}
