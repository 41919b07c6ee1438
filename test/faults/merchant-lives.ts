// Lives of the administration interface: merchants that are made, changed and deleted; applications that are made, signed and approved; reports that are read; access tokens that come and go.
import type { Db } from 'mongodb';
import { administrationOf, merchantBody, merchantsPath } from '../support/administration';
import { onboardingPath, smallApplication } from '../support/onboarding';
import type { World } from '../support/world';
import type { Attempts } from './attempts';
import { createAsking } from './lives';
import type { Random } from './random';

export interface MerchantLife {
  merchantId: string;
  isDeleted: boolean;
}

/** A function that lives one merchant and adds it to `lives`. */
export function merchantLives(world: World, attempts: Attempts, lives: MerchantLife[]) {
  const { ask, dare, tell } = createAsking(world.urls.rest, attempts);
  const headers = { Authorization: administrationOf(world, 'alpha').authorization };
  return async (random: Random): Promise<void> => {
    const body = merchantBody();
    const path = `${merchantsPath}/${body.merchantId}`;
    const made =
      random.next() < 0.5
        ? await ask('POST', merchantsPath, { headers, body })
        : await dare('POST', merchantsPath, { headers, body });
    if (!made) return;
    const life: MerchantLife = { merchantId: body.merchantId, isDeleted: false };
    lives.push(life);
    await ask('PUT', path, { headers, body: { ...body, name: 'Nordlys Butik' } });
    if (random.next() < 0.5) return;
    life.isDeleted = true;
    await tell('DELETE', `${path}?userId=back`, { headers });
  };
}

/** A function that lives one application up to its approval. */
export function applicationLives(world: World, attempts: Attempts, webhookUrl: string) {
  const { ask, tell } = createAsking(world.urls.rest, attempts);
  const headers = { Authorization: world.credentials.tenants.alpha.partner.secretApiKey };
  const lever = (id: string, event: string) =>
    tell('POST', `/sandbox/onboarding/${id}/events`, {
      headers: { 'X-Sandbox-Key': world.credentials.sandboxKey },
      body: { event },
    });
  const webhook = { eventName: 'onboarding.approved', url: webhookUrl, authorization: 'secret12' };
  const application = smallApplication({ notifications: { webhooks: [webhook] } });
  return async (): Promise<void> => {
    const body = { application, adminUser: { email: 'admin@shop.example' } };
    const { id } = (await ask('POST', onboardingPath, { headers, body })).body;
    await ask('POST', `${onboardingPath}/${id}`, { headers, body: { application } });
    for (const event of ['OPEN', 'SIGN', 'APPROVE']) await lever(id, event);
    await ask('GET', `${onboardingPath}/${id}`, { headers });
  };
}

/** `attempts` of documented addresses, `others` of the authorization server. A function that gets an access token, uses it, reads a report, and revokes the token. */
export function readerLives(world: World, attempts: Attempts, others: Attempts) {
  const { tokenization, reporting, merchantNumber } = world.credentials.tenants.alpha;
  const { tell } = createAsking(world.urls.rest, attempts);
  const authorization = createAsking(world.urls.auth, others);
  const basic = Buffer.from(`${tokenization.clientId}:${tokenization.clientSecret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' };
  const today = new Date().toISOString().slice(0, 10);
  return async (): Promise<void> => {
    const { body } =
      (await authorization.tell('POST', '/token', { headers, body: 'grant_type=client_credentials' })) ?? {};
    if (!body) return;
    await tell('GET', `/report/v1/balances?fromDate=${today}&toDate=${today}&merchantNumber=${merchantNumber}`, {
      headers: { Authorization: reporting.merchantApiKey },
    });
    await authorization.tell('POST', '/revoke', { headers, body: `token=${body.access_token}` });
  };
}

/** Merchants that were acknowledged and are not there once, or not as they were left. */
export async function merchantFaults(database: Db, lives: readonly MerchantLife[]): Promise<string[]> {
  const merchants = await database.collection('merchants').find().toArray();
  return lives.flatMap(({ merchantId, isDeleted }) => {
    const made = merchants.filter((merchant) => merchant['merchantId'] === merchantId);
    const isRight = made.length === 1 && Boolean(made[0]?.['deletion']) === isDeleted;
    return isRight ? [] : [`${merchantId}: ${made.length} times, and ${isDeleted ? '' : 'not '}to be deleted`];
  });
}
