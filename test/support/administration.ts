// A caller of administration as a test needs it: the consumer key of a tenant, the three documented calls, bodies that are taken (merchant administration).
import { newId } from '../../subgraphs/shared/ids';
import { type Answer, rest } from './client';
import type { World } from './world';

export const merchantsPath = '/ms/naa/admin/customer/v1/merchant';

export interface Administration {
  authorization: string;
  create(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  modify(merchantId: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  remove(merchantId: string, userId?: string, headers?: Record<string, string>): Promise<Answer>;
}

/** Key and secret in one of the two spellings that are taken. */
export function consumerHeader(
  { consumerKey, consumerSecret }: { consumerKey: string; consumerSecret: string },
  scheme: 'Bearer' | 'Basic' = 'Bearer',
): string {
  return `${scheme} ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
}

export function administrationOf(world: World, tenant: 'alpha' | 'beta', scheme?: 'Bearer' | 'Basic'): Administration {
  return administrationWith(world, consumerHeader(world.credentials.tenants[tenant].admin, scheme));
}

/** The same with any value of Authorization. */
export function administrationWith(world: World, authorization: string): Administration {
  const { call } = rest(world.urls.rest);
  const headers = (more: Record<string, string> = {}) => ({ Authorization: authorization, ...more });
  const place = (merchantId: string) => `${merchantsPath}/${encodeURIComponent(merchantId)}`;
  return {
    authorization,
    create: (body, more) => call('POST', merchantsPath, { body, headers: headers(more) }),
    modify: (merchantId, body, more) => call('PUT', place(merchantId), { body, headers: headers(more) }),
    remove(merchantId, userId = 'a test', more) {
      const query = userId === '' ? '' : `?userId=${encodeURIComponent(userId)}`;
      return call('DELETE', `${place(merchantId)}${query}`, { headers: headers(more) });
    },
  };
}

/** A body with every required field and an id of its own, changed as told. */
export function merchantBody(change: Record<string, unknown> = {}): Record<string, unknown> & { merchantId: string } {
  return {
    merchantId: `m-${newId().slice(0, 13)}`,
    name: 'Nordlys',
    active: 0,
    createdBy: 'back office',
    updatedBy: 'back office',
    ...change,
  };
}

/** Every field. */
export function wholeMerchantBody(): ReturnType<typeof merchantBody> {
  return merchantBody({
    orgNumber: '923609016',
    vatNumber: 'NO923609016MVA',
    merchantCategoryCode: '5734',
    merchantCity: 'Oslo',
    countryCode: 'NO',
    prefix: 'NL',
    createdOn: '1999-01-01',
    updatedOn: '1999-01-02',
    enableInvoicing: 1,
  });
}
