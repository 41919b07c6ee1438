// The sandbox credentials file as the command line reads it: addresses, sandbox key, graph clients and tenants.
import { readFileSync } from 'node:fs';
import type { JWK } from 'jose';
import { z } from 'zod';
import { CommandFailure, exitCodes } from './failure';

const key = z.string().min(1);
const client = z.object({ clientId: key, clientSecret: key });

const credentialsSchema = z.object({
  urls: z.object({
    rest: z.url(),
    auth: z.url(),
    graph: z.url(),
    subscriptions: z.string().min(1),
    metrics: z.url().optional(),
    pay: z.url().optional(),
    shop: z.url().optional(),
    acs: z.url().optional(),
  }),
  sandboxKey: z.string().min(1),
  graph: z.object({ admin: client, viewer: client, operator: client.optional() }),
  tenants: z.record(
    z.string(),
    z.object({
      merchantId: key,
      merchantNumber: z.number(),
      tokenization: client.extend({
        privateJwk: z.record(z.string(), z.unknown()),
        acquirerId: key.optional(),
        providerId: key.optional(),
        pspId: key.optional(),
      }),
      payments: client.optional(),
      checkout: z.object({ implicit: z.object({ apiKey: key }), explicit: z.object({ apiKey: key }) }).optional(),
      admin: z.object({ consumerKey: key, consumerSecret: key }).optional(),
      partner: z.object({ secretApiKey: key }).optional(),
      reporting: z.object({ merchantApiKey: key, partnerApiKey: key }).optional(),
    }),
  ),
});

export type Credentials = z.infer<typeof credentialsSchema>;
export type Tenant = Credentials['tenants'][string];

/** Reads and checks the file that `npm start` writes; `path` is shown in the refusal, its content never. */
export function readCredentials(path: string): Credentials {
  const result = credentialsSchema.safeParse(readJson(path));
  if (result.success) return result.data;
  const places = result.error.issues.map((issue) => issue.path.join('.') || '(the whole file)');
  throw new CommandFailure(
    exitCodes.input,
    `${path} is not a credentials file of this program: look at ${places.join(', ')}.`,
  );
}

/** The tenant of that name; refuses with the names that exist. */
export function tenantOf(credentials: Credentials, name: string): Tenant {
  const tenant = credentials.tenants[name];
  if (tenant) return tenant;
  const known = Object.keys(credentials.tenants).join(', ');
  throw new CommandFailure(exitCodes.input, `There is no tenant "${name}": the credentials file has ${known}.`);
}

/** A private key from a JSON file: a JWK, or the first member of a JWK set. */
export function readPrivateJwk(path: string): JWK {
  const content = readJson(path) as { kty?: unknown; keys?: unknown[] };
  const jwk = (content.keys?.[0] ?? content) as JWK;
  if (jwk.kty === 'RSA' && typeof jwk.d === 'string') return jwk;
  throw new CommandFailure(exitCodes.input, `${path} holds no private RSA key as a JWK.`);
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      exitCodes.input,
      `${path} cannot be read (${code}): is "npm start" running, and is this the folder it runs in?`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure(exitCodes.input, `${path} is not JSON.`);
  }
}
