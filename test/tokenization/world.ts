// A world for tokenization: stores, the domains wired in memory, one tenant with its client and keys, and the calls a caller makes.
import { createPublicKey, type KeyObject, randomBytes, randomInt } from 'node:crypto';
import type { Connection } from 'mongoose';
import { createMerchants, type Merchants, type MerchantsDeps } from '../../subgraphs/merchants';
import {
  type Caller,
  type ClientScope,
  systemCaller,
  type TokenizationIdentifiers,
} from '../../subgraphs/shared/callers/caller';
import { manualClock } from '../../subgraphs/shared/clock';
import type { RecipientKey } from '../../subgraphs/shared/crypto/jwe';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { createIdempotent } from '../../subgraphs/shared/idempotency/idempotency';
import { newId } from '../../subgraphs/shared/ids';
import { luhnDigit } from '../../subgraphs/shared/luhn';
import { type Committer, createCommitter } from '../../subgraphs/shared/store/committer';
import { createTokenization, type Tokenization, type TokenizationDeps } from '../../subgraphs/tokenization';
import { openTracedStores, type TracedStores } from '../slots/traced-stores';
import { nextRsaKey } from '../support/rsa-keys';
import { keyringFor } from '../support/vault';

const threads = { CRYPTO_THREADS: 1, PROCESSES: 1 };

export const start = new Date('2026-11-21T10:00:00Z');

export interface Tenant {
  caller: Caller;
  identifiers: TokenizationIdentifiers;
  merchantId: string;
  /** Opens results. */
  privateKey: KeyObject;
  recipient: RecipientKey;
}

/** What one process of the platform stands on. */
export interface Ground {
  connection: Connection;
  clock: ReturnType<typeof manualClock>;
  /** Key-encryption key, base64. */
  vaultKey: string;
  /** Who has a key to seal results to, by credential. */
  recipients: Map<string, RecipientKey>;
  replace?: Partial<TokenizationDeps>;
}

export interface Domains {
  merchants: Merchants;
  tokenization: Tokenization;
  committer: Committer;
  ensureIndexes(): Promise<void>;
}

export interface World extends Domains {
  stores: TracedStores;
  clock: ReturnType<typeof manualClock>;
  alpha: Tenant;
  beta: Tenant;
  staff: Caller;
  recipients: Map<string, RecipientKey>;
  ground: Ground;
  close(): Promise<void>;
}

export async function openWorld(replace: Partial<TokenizationDeps> = {}): Promise<World> {
  const stores = await openTracedStores();
  const clock = manualClock(start);
  const recipients = new Map<string, RecipientKey>();
  const vaultKey = randomBytes(32).toString('base64');
  const ground: Ground = { connection: stores.product, clock, vaultKey, recipients, replace };
  const domains = await openDomains(ground);
  await domains.ensureIndexes();
  const alpha = await seedTenant(domains.merchants, recipients, 'alpha');
  const beta = await seedTenant(domains.merchants, recipients, 'beta');
  const staff: Caller = { ...systemCaller('sandbox', 'staff'), kind: 'client', scopes: ['graph:admin', 'graph:read'] };
  return {
    ...domains,
    stores,
    clock,
    alpha,
    beta,
    staff,
    recipients,
    ground,
    async close() {
      await domains.committer.drain();
      await domains.tokenization.close();
      await stores.close();
    },
  };
}

/** The domains as one process wires them; another process on the same stores has another connection. */
export async function openDomains({ connection, clock, vaultKey, recipients, replace }: Ground): Promise<Domains> {
  const vault = createVault(connection, keyringFor({ current: vaultKey, previous: '' }));
  const committer = createCommitter(connection);
  const idempotent = createIdempotent({ connection, clock, vault });
  const config = { environment: 'sandbox' as const, isSandbox: true, ...threads, TOKEN_SERVICE_LATENCY_MS: 0 };
  const audit: MerchantsDeps['audit'] = (_context, change) => ({
    collection: 'audit',
    document: { _id: newId(), ...change },
  });
  const shared = { connection, inTransaction: committer.inTransaction, idempotent, clock, vault, config, audit };
  const merchants = createMerchants(shared);
  const tokenization = createTokenization({
    ...shared,
    readAgreement: merchants.readAgreement,
    recipientKey: async (caller) => recipients.get(caller.credentialId) ?? null,
    ...replace,
  });
  // Without the index of the keys: their day ends on the clock of this world, and MongoDB would delete them by its own.
  const ensureIndexes = async () => {
    await Promise.all([merchants, tokenization].map((owner) => owner.ensureIndexes()));
  };
  return { merchants, tokenization, committer, ensureIndexes };
}

async function seedTenant(merchants: Merchants, recipients: World['recipients'], name: string): Promise<Tenant> {
  const identifiers = { acquirerId: `acquirer-${name}`, providerId: `provider-${name}`, pspId: `psp-${name}` };
  const merchantId = `merchant-${name}-1`;
  await merchants.seedTenant({
    accountId: name,
    name,
    merchantId,
    merchantNumber: name === 'alpha' ? 1 : 2,
    identifiers,
  });
  const { privateKey, recipient } = newRecipient(`${name}-1`);
  recipients.set(`client-${name}`, recipient);
  const caller = tokenizationCaller(name, identifiers);
  return { caller, identifiers, merchantId, privateKey, recipient };
}

function tokenizationCaller(name: string, identifiers: TokenizationIdentifiers, scopes?: ClientScope[]): Caller {
  return {
    kind: 'client',
    credentialId: `client-${name}`,
    environment: 'sandbox',
    accountId: name,
    identifiers: [identifiers],
    scopes: scopes ?? ['mts:token', 'mts:transaction', 'mts:lifecycle'],
  };
}

export function newRecipient(kid: string): { privateKey: KeyObject; recipient: RecipientKey } {
  const privateKey = nextRsaKey();
  const { n, e } = createPublicKey(privateKey).export({ format: 'jwk' }) as { n: string; e: string };
  return { privateKey, recipient: { kty: 'RSA', kid, n, e } };
}

/** A fresh Luhn-valid VISA number. */
export function newCard(leading = '4'): string {
  const digits = `${leading}${Array.from({ length: 15 - leading.length }, () => randomInt(10)).join('')}`;
  return `${digits}${luhnDigit(digits)}`;
}
