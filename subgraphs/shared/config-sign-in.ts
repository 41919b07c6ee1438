// The variables of people's sign-in, and what of them belongs together: a provider comes with a client, roles and the address that people use.
import { z } from 'zod';
import type { GroupMeaning } from './callers/rights';
import { isOrigin, parseGroupMeanings } from './config-values';

const text = z.string().default('');

export const signInVariables = {
  DASHBOARD_ORIGIN: text
    .refine(isOrigin, 'expected an origin such as https://dashboard.example')
    .describe('Origin under which people reach the dashboard and the graph; HOST and GRAPH_PORT when empty'),
  OIDC_ISSUER: text
    .refine(isIssuer, 'expected an address such as https://login.example/realms/staff')
    .describe(
      'Identity provider that people sign in at (OpenID Connect); empty: in the sandbox a built-in one, in production no sign-in and no dashboard',
    ),
  OIDC_CLIENT_ID: text.describe('Our client at that provider'),
  OIDC_CLIENT_SECRET: text.describe('Its secret'),
  OIDC_SCOPES: z
    .string()
    .regex(/^openid( \S+)*$/, 'expected openid and more, separated by blanks')
    .default('openid profile email')
    .describe('Scopes that are asked for; add what makes your provider tell groups'),
  OIDC_GROUPS_CLAIM: z
    .string()
    .min(1)
    .default('groups')
    .describe('Claim with the groups of a person, with dots for one within another: `realm_access.roles`'),
  OIDC_ROLES: text
    .refine((list) => parseGroupMeanings(list) !== null, 'expected group=role, comma separated, or a JSON object')
    .describe(
      'What each group may do: `group=viewer`, `support`, `operator`, `administrator` or `tenant:<accountId>`, comma separated; a JSON object where names have commas',
    ),
  SESSION_IDLE_MINUTES: z.coerce
    .number()
    .positive()
    .default(30)
    .describe("How long a person's session lives without a request"),
  SESSION_HOURS: z.coerce.number().positive().default(12).describe("How long a person's session lives at most"),
} as const;

type RawSignIn = { [Name in keyof typeof signInVariables]: z.infer<(typeof signInVariables)[Name]> };

export interface SignInConfig {
  OIDC_ROLES: Record<string, GroupMeaning>;
  DASHBOARD_ORIGIN: string;
}

/** Groups of the provider that the sandbox brings (sandbox/identity). */
const sandboxGroups: Record<string, GroupMeaning> = {
  viewers: 'viewer',
  support: 'support',
  operators: 'operator',
  administrators: 'administrator',
  'tenant-alpha': 'tenant:alpha',
};

export function signInOf(raw: RawSignIn & { MODE: string }, graphOrigin: string): SignInConfig {
  const isBuiltIn = raw.MODE === 'sandbox' && raw.OIDC_ISSUER === '';
  return {
    DASHBOARD_ORIGIN: raw.DASHBOARD_ORIGIN || graphOrigin,
    OIDC_ROLES: isBuiltIn ? sandboxGroups : (parseGroupMeanings(raw.OIDC_ROLES) ?? {}),
  };
}

const always = ['OIDC_CLIENT_ID', 'OIDC_ROLES'] as const;
/** Where people are served; other processes know neither. */
const ofTheGateway = ['OIDC_CLIENT_SECRET'] as const;

/** What is missing or does not fit, a line for each; nothing without a provider. Only production asks for https and the dashboard's address. */
export function signInFaults(raw: RawSignIn & { MODE: string; ROLES: string }): string[] {
  if (raw.OIDC_ISSUER === '') return [];
  const isProduction = raw.MODE === 'production';
  const isServed = raw.ROLES.split(',').some((role) => ['all', 'gateway'].includes(role.trim()));
  const needed = [
    ...always,
    ...(isServed ? ofTheGateway : []),
    ...(isProduction ? (['DASHBOARD_ORIGIN'] as const) : []),
  ];
  const missing = needed.filter((name) => raw[name] === '').map((name) => `${name}: expected with OIDC_ISSUER`);
  const open = (['OIDC_ISSUER', 'DASHBOARD_ORIGIN'] as const)
    .filter((name) => isProduction && raw[name] !== '' && !raw[name].startsWith('https://'))
    .map((name) => `${name}: expected https in production`);
  return [...missing, ...open];
}

function isIssuer(address: string): boolean {
  if (address === '') return true;
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, search, hash } = new URL(address);
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && isLocal)) && search === '' && hash === '';
}
