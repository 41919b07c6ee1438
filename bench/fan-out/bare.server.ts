// Limit: `ws.send` of one ready string to every socket, for each event that Redis pub/sub brings.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { type WebSocket, WebSocketServer } from 'ws';
import { readSettings, sayReady } from '../support/server-side';
import { channel, newEvent } from './event';

const server = createServer();
const sockets = new Set<WebSocket>();
const webSockets = new WebSocketServer({ server, clientTracking: false, perMessageDeflate: false });
webSockets.on('connection', (ws) => {
  sockets.add(ws);
  ws.on('close', () => sockets.delete(ws));
  ws.on('error', () => ws.terminate());
});

let sequence = 0;
const redis = new Redis(readSettings<{ redisUrl: string }>().redisUrl);
redis.on('message', (_channel, text) => {
  for (let left = Number(text); left > 0; left -= 1) {
    sequence += 1;
    const message = JSON.stringify({ id: '1', type: 'next', payload: { data: { tokenEvents: newEvent(sequence) } } });
    for (const ws of sockets) ws.send(message);
  }
});
void redis.subscribe(channel).then(() => {
  server.listen(0, '127.0.0.1', 4_096, () => sayReady((server.address() as AddressInfo).port));
});
