// One event of a subscription as it is sent: built once, written to any number of connections. A `next` message of graphql-transport-ws as a ready WebSocket
// text frame (RFC 6455 section 5.2), or an event of a stream of server-sent events.

/** Stands for the streams of server-sent events, which give their one subscription no id. */
export const streamId = Symbol('stream');
/** What the client calls its subscription. */
export type SubscriptionId = string | typeof streamId;

/** One event as JSON text, printed once for both. */
export interface Payload {
  /** As a result of GraphQL. */
  text: string;
  /** What is shown of the event alone, with errors of its parts among its members. */
  shown: string;
}

/** `name` is under which the event is told. */
export function printPayload(name: string, item: object | null, errors: readonly object[] = []): Payload {
  if (errors.length > 0) return payloadOfResult({ [name]: item }, errors);
  const shown = JSON.stringify(item);
  return { text: `{"data":{"${name}":${shown}}}`, shown };
}

/** The same of a result as it is. */
export function payloadOfResult(data: Record<string, unknown> | null, errors?: readonly object[]): Payload {
  const [shown = null] = Object.values(data ?? {});
  return {
    text: JSON.stringify({ data, errors }),
    shown: JSON.stringify(errors ? { ...(shown as object | null), errors } : shown),
  };
}

/** `cursor` is the place behind it. */
export interface FramedEvent {
  type: string;
  cursor: string;
}

export function eventFrame(id: SubscriptionId, { text, shown }: Payload, { type, cursor }: FramedEvent): Buffer {
  if (id !== streamId) return nextFrame(id, text);
  return Buffer.from(`id: ${cursor}\nevent: ${type}\ndata: ${shown}\n\n`);
}

/** Frames of many events behind one another, in pieces of about so many bytes: a write costs more than what is in it. */
export function* bundledFrames(
  id: SubscriptionId,
  events: readonly (FramedEvent & { payload: Payload | null })[],
  bytesMax: number,
): Generator<Buffer> {
  let frames: Buffer[] = [];
  let bytes = 0;
  for (const event of events) {
    if (event.payload === null) continue;
    const frame = eventFrame(id, event.payload, event);
    if (bytes > 0 && bytes + frame.length > bytesMax) {
      yield Buffer.concat(frames, bytes);
      [frames, bytes] = [[], 0];
    }
    frames.push(frame);
    bytes += frame.length;
  }
  if (bytes > 0) yield Buffer.concat(frames, bytes);
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
