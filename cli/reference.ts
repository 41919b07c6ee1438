// The link of `pay reference`: the API reference with the sandbox credentials of one tenant filled in, carried behind the `#`, which no server is told.
import { requestToken } from './access-token';
import { type Credentials, tenantOf } from './credentials';

/** The APIs of the reference, each an OpenAPI file. */
export const referenceApis = [
  'checkout',
  'payments',
  'tokenization',
  'administration',
  'partner',
  'reporting',
  'sandbox',
];

/** What the reference fills in for one API: a value for each security scheme of its file, and for parameters by name. */
export interface FilledIn {
  schemes: Record<string, string | undefined>;
  parameters?: Record<string, string | undefined>;
}

/** By the name of the API (its OpenAPI file); access tokens are fresh and end when they say. */
export async function filledInFor(credentials: Credentials, name: string): Promise<Record<string, FilledIn>> {
  const { tokenization, checkout, admin, partner, reporting } = tenantOf(credentials, name);
  const tokenOf = async (client: 'tokenization' | 'payments') =>
    (await requestToken(credentials, { tenant: name, client })).accessToken;
  const consumer = admin && Buffer.from(`${admin.consumerKey}:${admin.consumerSecret}`).toString('base64');
  const identifiers = {
    'X-Acquirer-ID': tokenization.acquirerId,
    'X-Provider-ID': tokenization.providerId,
    'X-PSP-ID': tokenization.pspId,
  };
  return {
    tokenization: { schemes: { accessToken: await tokenOf('tokenization') }, parameters: identifiers },
    payments: { schemes: { accessToken: await tokenOf('payments') } },
    checkout: { schemes: { apiKey: checkout?.implicit.apiKey } },
    administration: { schemes: { consumer } },
    partner: { schemes: { secretKey: partner?.secretApiKey } },
    reporting: { schemes: { secretKey: reporting?.merchantApiKey } },
    sandbox: { schemes: { sandboxKey: credentials.sandboxKey } },
  };
}

/** Opens the reference of the API and fills it in, also when it is opened without the link later. */
export function referenceLink({ urls }: Credentials, api: string, filledIn: Record<string, FilledIn>): string {
  const carried = Buffer.from(JSON.stringify(filledIn)).toString('base64url');
  return `${urls.rest}/docs?api=${api}#credentials=${carried}`;
}
