// The connector to a token service provider: what tokenization asks of it and how it can say no (tokenization interface, MTS-1618 and MTS-1619).
import type { AccountData } from './account-data';

/** Where a token belongs. */
interface TokenRequestor {
  acquirerId: string;
  merchantId: string;
}

export interface TokenProvisioning extends TokenRequestor {
  /** Ours, a UUID: the same id is the same provisioning, however often it is sent. */
  requestId: string;
  card: AccountData;
}

export interface ProvisionedToken {
  /** The provider's reference of the token. */
  tokenReference: string;
  /** 16 digits, Luhn valid, from a token range. */
  token: string;
  /** MMYYYY. */
  tokenExpiry: string;
  par: string | null;
}

interface CryptogramRequest {
  /** Ours: the same id gets the same cryptogram. */
  requestId: string;
  tokenReference: string;
}

/**
 * A token service provider. Each call ends with an answer or rejects with a DomainError:
 * `tokenServiceRefused` (it said no), `tokenServiceFailed` (it answered with a failure of its own, or unusably: the outcome is unknown),
 * `unavailable` (no answer: the outcome is unknown).
 */
export interface TokenService {
  /** The same requestor and card get the same token as long as it is live. */
  provision(provisioning: TokenProvisioning): Promise<ProvisionedToken>;
  /** A one-time cryptogram: 20 bytes, 28 Base64 characters. */
  cryptogram(request: CryptogramRequest): Promise<string>;
  /** What became of a provisioning, for when its answer was lost; null: it never happened. */
  findProvisioning(requestId: string): Promise<ProvisionedToken | null>;
  /** The provisioning is not used any more; a token that no provisioning uses is discarded. Repeating it is harmless. */
  release(requestId: string): Promise<void>;
}

/** What the issuer or the network changed on a token, told with the facts of the card. */
export interface CardUpdate {
  /** A new card number; it is hashed and masked, and forgotten. */
  account?: string;
  accountExpiry?: string;
  tokenExpiry?: string;
  par?: string;
}

/** A token service that also plays issuer and network, for the sandbox. */
export interface SimulatedTokenService extends TokenService {
  suspend(tokenReference: string): Promise<void>;
  resume(tokenReference: string): Promise<void>;
  discard(tokenReference: string): Promise<void>;
  replaceCard(tokenReference: string): Promise<CardUpdate>;
  extendExpiry(tokenReference: string, accountExpiry: string): Promise<CardUpdate>;
  assignPar(tokenReference: string): Promise<CardUpdate>;
  ensureIndexes(): Promise<void>;
}
