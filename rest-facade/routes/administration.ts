// The documented paths of the merchant administration: create, modify and delete a merchant.
import { activeFlag, invoicingFlag } from '../inverted-flag';
import { defineRoute, type Route } from '../route-record';
import { administration, bodiless, written } from './numbered-families';

const merchantsPath = '/ms/naa/admin/customer/v1/merchant';

/** As the contract has checked it; createdOn and updatedOn are ours to set, and left out. */
interface MerchantBody {
  merchantId: string;
  name: string;
  active: number;
  createdBy: string;
  updatedBy: string;
  orgNumber?: string;
  vatNumber?: string;
  merchantCategoryCode?: string;
  merchantCity?: string;
  countryCode?: string;
  prefix?: string;
  enableInvoicing?: number;
}

interface Named {
  merchantId: string;
}

const create = defineRoute<MerchantBody, { addMerchant: Named }>({
  ...administration,
  ...written,
  method: 'POST',
  path: merchantsPath,
  action: {
    operation: 'AddMerchant',
    variables: ({ body }) => ({ input: inputOf(body) }),
    reply: ({ addMerchant: { merchantId } }) => ({
      status: 201,
      headers: { location: `${merchantsPath}/${merchantId}` },
      body: { id: merchantId },
    }),
  },
});

const modify = defineRoute<MerchantBody, { replaceMerchant: Named }>({
  ...administration,
  ...written,
  method: 'PUT',
  path: `${merchantsPath}/{merchantId}`,
  action: {
    operation: 'ReplaceMerchant',
    variables: ({ params, body }) => ({ merchantId: params['merchantId'], input: inputOf(body) }),
    reply: ({ replaceMerchant: { merchantId } }) => ({ status: 200, body: { id: merchantId } }),
  },
});

const remove = defineRoute({
  ...administration,
  ...bodiless,
  method: 'DELETE',
  path: `${merchantsPath}/{merchantId}`,
  action: {
    operation: 'DeleteMerchant',
    variables: ({ params, query }) => ({ merchantId: params['merchantId'], userId: query['userId'] }),
    reply: () => ({ status: 202 }),
  },
});

function inputOf(body: MerchantBody): Record<string, unknown> {
  const { merchantId, name, orgNumber, vatNumber, merchantCategoryCode, merchantCity, prefix } = body;
  return {
    merchantId,
    name,
    orgNumber,
    vatNumber,
    merchantCategoryCode,
    merchantCity,
    prefix,
    status: activeFlag.read(body.active),
    invoicing: invoicingFlag.read(body.enableInvoicing ?? 0),
    country: body.countryCode,
    createdBy: body.createdBy,
    updatedBy: body.updatedBy,
  };
}

export const administrationRoutes: readonly Route[] = [create, modify, remove];
