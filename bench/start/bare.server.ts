// Limit: bare node http, ready as soon as it listens.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sayReady } from '../support/server-side';

const server = createServer((_request, response) => response.end('{}'));
server.listen(0, '127.0.0.1', () => sayReady((server.address() as AddressInfo).port));
