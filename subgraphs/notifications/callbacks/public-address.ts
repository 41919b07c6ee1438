// Which IP addresses the world can route to: the table behind every judgement about a callback address (special-purpose registries of RFC 6890).
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IPv4 ranges that are never a callback target: [network, prefix, what it is]. */
const refusedIpv4 = [
  ['0.0.0.0', 8, 'this network'],
  ['10.0.0.0', 8, 'private use'],
  ['100.64.0.0', 10, 'shared address space'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link-local'],
  ['172.16.0.0', 12, 'private use'],
  ['192.0.0.0', 24, 'protocol assignments'],
  ['192.0.2.0', 24, 'documentation'],
  ['192.88.99.0', 24, 'former 6to4 relay'],
  ['192.168.0.0', 16, 'private use'],
  ['198.18.0.0', 15, 'benchmarking'],
  ['198.51.100.0', 24, 'documentation'],
  ['203.0.113.0', 24, 'documentation'],
  ['224.0.0.0', 4, 'multicast'],
  ['240.0.0.0', 4, 'reserved'],
] as const;

/** The only IPv6 space that is assigned for global unicast; everything outside is refused because it is unknown. */
const assignedIpv6 = ['2000::', 3] as const;

/** Ranges inside 2000::/3 that are special all the same. */
const refusedIpv6 = [
  ['2001::', 23, 'protocol assignments: Teredo, benchmarking, ORCHID'],
  ['2001:db8::', 32, 'documentation'],
  ['2002::', 16, '6to4'],
  ['3fff::', 20, 'documentation'],
] as const;

const refused = new BlockList();
for (const [network, prefix] of refusedIpv4) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of refusedIpv6) refused.addSubnet(network, prefix, 'ipv6');
const assigned = new BlockList();
assigned.addSubnet(...assignedIpv6, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** True when any host on the internet can be reached at that literal; what is no address at all is not. */
export function isGloballyRoutable(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return assigned.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return loopback.check(address, 'ipv4');
  return isIPv6(address) && !address.includes('%') && loopback.check(address, 'ipv6');
}
