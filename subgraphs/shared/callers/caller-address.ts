// From which address a request came: that of the connection, or what proxies of ours say of it (TRUSTED_PROXIES), read from the nearest to the farthest.
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from 'proxy-addr';

/** Empty where the connection has gone already. */
export type AddressOf = (request: IncomingMessage) => string;

/** Addresses and networks, comma separated; null when one of them is neither. */
export function readTrustedProxies(list: string): ((address: string) => boolean) | null {
  const proxies = list.split(',').map((proxy) => proxy.trim());
  if (list.trim() === '') return () => false;
  if (!proxies.every(isAddressOrNetwork)) return null;
  try {
    const trust = proxyAddress.compile(proxies);
    return (address) => trust(address, 0);
  } catch {
    return null;
  }
}

/** The library knows names for groups of networks too; here what is meant is spelled out. */
function isAddressOrNetwork(proxy: string): boolean {
  return isIP(proxy.replace(/\/[^/]*$/, '')) !== 0;
}

/** X-Forwarded-For is believed as far as each hop before it is a proxy of ours; anybody else may write there what he likes. */
export function createAddressOf(trustedProxies: string): AddressOf {
  const isTrusted = readTrustedProxies(trustedProxies);
  if (!isTrusted) throw new Error('TRUSTED_PROXIES lists what is neither an address nor a network');
  const isDirect = trustedProxies.trim() === '';
  return (request) => {
    const own = request.socket.remoteAddress ?? '';
    if (isDirect || own === '') return canonical(own);
    // A hop that is no address cannot be told from another: what stands before it counts.
    const hops = proxyAddress.all(request, isTrusted);
    const firstBad = hops.findIndex((hop) => isIP(hop) === 0);
    return canonical((firstBad === -1 ? hops : hops.slice(0, firstBad)).at(-1) ?? own);
  };
}

/** An IPv4 address has one spelling, however the socket was opened. */
function canonical(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').toLowerCase();
}
