// What the routes of each family of the administration interface have in common: credential, right, rate, and how bodies are taken.
import { rateRules } from '../../subgraphs/shared/callers/rate-limit';
import type { Route } from '../route-record';

/** An application with a long quote fits. */
const bodyBytesMax = 262_144;

/** Members that are null or unknown to the contract are left out before the body is checked; Idempotency-Key counts. */
export const written = {
  bodyKind: 'json',
  bodyBytesMax,
  isTidied: true,
  idempotency: { subject: () => '' },
} as const satisfies Partial<Route>;

export const bodiless = { bodyKind: 'none', bodyBytesMax: 0 } as const satisfies Partial<Route>;

/** The merchant administration: consumer key and secret. */
export const administration = {
  family: 'administration',
  scheme: 'consumer',
  scopes: ['administration'],
  rateLimit: { name: 'administration', ...rateRules.administration },
} as const satisfies Partial<Route>;

/** The onboarding interface: a secret key with partner privileges. */
export const partner = {
  family: 'partner',
  scheme: 'secretKey',
  scopes: ['onboarding'],
  rateLimit: { name: 'partner', ...rateRules.partner },
} as const satisfies Partial<Route>;

/** The reporting interface: the secret key of a partner or of a merchant. */
export const reporting = {
  family: 'reporting',
  scheme: 'secretKey',
  scopes: ['reporting'],
  rateLimit: { name: 'reporting', ...rateRules.reporting },
} as const satisfies Partial<Route>;
