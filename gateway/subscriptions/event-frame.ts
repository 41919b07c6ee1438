// One `next` message of graphql-transport-ws as a ready WebSocket text frame (RFC 6455 section 5.2): built once, written to any number of sockets.

/** Frame of `{"id":<id>,"type":"next","payload":<payload>}`; `payload` is JSON text. Servers do not mask. */
export function nextFrame(id: string, payload: string): Buffer {
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
