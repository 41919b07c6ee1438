// Whom a limit by address counts: the connection, or the client behind proxies that are ours; nobody else's word is taken.
import type { IncomingMessage } from 'node:http';
import { createAddressOf } from '../../subgraphs/shared/callers/caller-address';
import { readConfig } from '../../subgraphs/shared/config';

const from = (remoteAddress: string | undefined, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as never as IncomingMessage;

test.each([
  ['nobody is trusted', '', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['nobody is trusted, IPv4 over IPv6', '', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['a stranger says who he is', '10.0.0.0/8', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['a proxy says it', '10.0.0.1', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a proxy, IPv4 over IPv6', '10.0.0.1', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['a proxy of a network', '192.0.2.0/24,10.0.0.0/8', '10.20.30.40', '198.51.100.1', '198.51.100.1'],
  ['two proxies', '10.0.0.0/8', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['the client wrote a hop before', '10.0.0.0/8', '10.0.0.1', '127.0.0.1, 198.51.100.1', '198.51.100.1'],
  ['the client wrote a proxy of ours', '10.0.0.0/8', '10.0.0.1', '10.9.9.9, 198.51.100.1', '198.51.100.1'],
  ['a proxy says nothing', '10.0.0.1', '10.0.0.1', undefined, '10.0.0.1'],
  ['a proxy says what is no address', '10.0.0.1', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['IPv6', 'fd00::/8', 'fd00::1', '2001:DB8::7', '2001:db8::7'],
  ['a connection that has gone', '10.0.0.1', undefined, '198.51.100.1', ''],
])('%s', (_name, trusted, remote, forwarded, expected) => {
  expect(createAddressOf(trusted)(from(remote, forwarded))).toBe(expected);
});

test.each(['proxy.example', '10.0.0.0/99', 'loopback', '10.0.0.1,,', '0x0a000001', '10.0.0.0/x'])(
  'a configuration that trusts %s does not start',
  (list) => {
    expect(() => readConfig({ TRUSTED_PROXIES: list })).toThrow('TRUSTED_PROXIES');
  },
);

test.each(['', '10.0.0.1', '10.0.0.0/8, fd00::/8'])('a configuration may trust "%s"', (list) => {
  expect(readConfig({ TRUSTED_PROXIES: list }).TRUSTED_PROXIES).toBe(list);
});
