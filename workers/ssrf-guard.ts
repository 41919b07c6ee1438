// The guard against server-side request forgery (SSRF): judges what a name resolves to, and connects to exactly that: one refused answer refuses the name.
import { lookup as lookupHosts, Resolver } from 'node:dns/promises';
import type { LookupFunction, Socket } from 'node:net';
import { isIPv6 } from 'node:net';
import { buildConnector } from 'undici';
import { isGloballyRoutable, isLoopback } from '../subgraphs/notifications';
import { startDeadline } from '../subgraphs/shared/deadline';

/** All A and AAAA answers; rejects when there is none. */
export type ResolveName = (name: string) => Promise<string[]>;

/** The target is not allowed; one message for all of them, and nothing was connected. */
export class BlockedTarget extends Error {
  override readonly name = 'BlockedTarget';
  constructor() {
    super('the target is not allowed');
  }
}

/** The name has no address, or the DNS did not answer. */
export class NameNotResolved extends Error {
  override readonly name = 'NameNotResolved';
}

/** The connection was not there in time. */
export class ConnectTimeout extends Error {
  override readonly name = 'ConnectTimeout';
}

/** Where a target may be: anywhere in the world; for the sandbox on loopback, or at its own receiver wherever that is. */
export type TargetPlace = 'world' | 'loopback' | 'ownReceiver';

export interface SsrfGuard {
  /** The addresses of a name, all of them allowed; rejects with BlockedTarget or NameNotResolved. */
  addressesOf(name: string, place: TargetPlace): Promise<string[]>;
  /** Connects to judged addresses only, with the original name for SNI and certificate. */
  connector(place: TargetPlace): buildConnector.connector;
}

export interface SsrfGuardOptions {
  resolveName?: ResolveName;
  resolveBySystem?: ResolveName;
  isAllowed?: (address: string) => boolean;
  connectTimeoutMs: number;
}

export function createSsrfGuard(options: SsrfGuardOptions): SsrfGuard {
  const { resolveName = resolveByDns, resolveBySystem = lookUpHosts, isAllowed = isGloballyRoutable } = options;

  async function addressesOf(name: string, place: TargetPlace): Promise<string[]> {
    if (place === 'loopback') return vetted(await lookUpHosts('localhost'), isLoopback);
    // The operator named it, no tenant: any address is right.
    if (place === 'ownReceiver') return vetted(await resolveBySystem(name), () => true);
    return vetted(await resolveName(name), isAllowed);
  }

  function lookupFor(place: TargetPlace): LookupFunction {
    return (name, { all }, callback) => {
      addressesOf(name, place).then(
        (addresses) => {
          const answers = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
          const [first] = answers;
          if (all) callback(null, answers);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: Error) => callback(error, []),
      );
    };
  }

  return {
    addressesOf,
    connector: (place) =>
      bounded(
        options.connectTimeoutMs,
        buildConnector({
          timeout: 0,
          allowH2: false,
          rejectUnauthorized: true,
          lookup: lookupFor(place),
        }),
      ),
  };
}

/** Ends a connect, TLS included, after the limit: the client's own timer is only a second exact. */
function bounded(limitMs: number, connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) => {
    // The connector gives back its socket, which its type does not tell.
    const socket = connect(target, (...outcome) => {
      stopWaiting();
      callback(...outcome);
    }) as unknown as Socket;
    const stopWaiting = startDeadline(limitMs, () => socket.destroy(new ConnectTimeout()));
  };
}

function vetted(addresses: string[], isAllowed: (address: string) => boolean): string[] {
  if (addresses.length === 0) throw new NameNotResolved('the name has no address');
  if (!addresses.every(isAllowed)) throw new BlockedTarget();
  return addresses;
}

async function lookUpHosts(name: string): Promise<string[]> {
  return (await lookupHosts(name, { all: true })).map(({ address }) => address);
}

/** Asks the DNS itself: the system's resolver would hold a thread that cryptography needs while a name server is silent. */
async function resolveByDns(name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  // One family that did not answer (as opposed to having no record) leaves the judgement incomplete.
  const isIncomplete = answers.some((answer) => answer.status === 'rejected' && !hasNoRecord(answer.reason));
  if (isIncomplete || addresses.length === 0) throw new NameNotResolved('the name could not be resolved');
  return addresses;
}

function hasNoRecord(reason: unknown): boolean {
  const { code } = reason as { code?: string };
  return code === 'ENODATA' || code === 'ENOTFOUND';
}
