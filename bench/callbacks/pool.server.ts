// Limit: what one node process can POST over an undici pool of 50 connections, signature included, nothing recorded.
import { Pool } from 'undici';
import { readSettings, sayReady, serveBatches } from '../support/server-side';
import { deliver, newBody } from './delivery';

const { sinkPort } = readSettings<{ sinkPort: number }>();
const connections = 50;
const pool = new Pool(`http://127.0.0.1:${sinkPort}`, { connections, pipelining: 1 });
let bodies: string[] = [];

serveBatches({
  async prepare(count) {
    bodies = Array.from({ length: count }, newBody);
  },
  async run() {
    const startedAt = performance.now();
    const sendAll = async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop())
        await deliver(pool, '/pool/notify-update', body);
    };
    await Promise.all(Array.from({ length: connections }, sendAll));
    return (performance.now() - startedAt) / 1_000;
  },
});
sayReady();
