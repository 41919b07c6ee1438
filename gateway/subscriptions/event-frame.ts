// One event of a subscription as it is sent: built once, written to any number of connections. A `next` message of graphql-transport-ws as a ready WebSocket
// text frame (RFC 6455 section 5.2), or an event of a stream of server-sent events.

/** Stands for the streams of server-sent events, which give their one subscription no id. */
export const streamId = Symbol('stream');
/** What the client calls its subscription. */
export type SubscriptionId = string | typeof streamId;

/** `payload` is JSON text, `cursor` the place behind it. */
export function eventFrame(
  id: SubscriptionId,
  payload: string,
  { type, cursor }: { type: string; cursor: string },
): Buffer {
  return id === streamId ? streamedEvent(payload, type, cursor) : nextFrame(id, payload);
}

/** What is shown of the event, and errors of its parts beside it. */
function streamedEvent(payload: string, type: string, cursor: string): Buffer {
  const { data, errors } = JSON.parse(payload) as { data: Record<string, object | null> | null; errors?: unknown };
  const [shown = null] = Object.values(data ?? {});
  const text = JSON.stringify(errors ? { ...shown, errors } : shown);
  return Buffer.from(`id: ${cursor}\nevent: ${type}\ndata: ${text}\n\n`);
}

/** Frame of `{"id":<id>,"type":"next","payload":<payload>}`; `payload` is JSON text. Servers do not mask. */
function nextFrame(id: string, payload: string): Buffer {
  return textFrame(`{"id":${JSON.stringify(id)},"type":"next","payload":${payload}}`);
}

function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerBytes = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame[0] = 0x81;
  if (headerBytes === 2) {
    frame[1] = length;
  } else if (headerBytes === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerBytes);
  return frame;
}
