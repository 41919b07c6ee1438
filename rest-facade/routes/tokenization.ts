// The documented paths of the tokenization interface: three inbound operations, our read route beside them, and the key set.
import type { Scope, TokenizationIdentifiers } from '../../subgraphs/shared/callers/caller';
import { DomainError } from '../../subgraphs/shared/errors';
import { withoutAbsent } from '../../subgraphs/shared/present-members';
import { cachedReply } from '../cached-reply';
import { jsonBytesMax } from '../checks/request-body';
import { defineRoute, type Route, type RouteRequest } from '../route-record';

/** 50 per second and 100 at once per client, over all these calls together (decision register 2.1-A, Rates and sizes). */
const rateLimit = { name: 'tokenization', perSecond: 50, burst: 100 };

/** Longest encryptedData, in characters; over it is a matter of size (413), like the body. */
const jweCharactersMax = 8_192;

type HeaderReader = Pick<RouteRequest<unknown>, 'header'>;

function identifiersOf({ header }: HeaderReader): TokenizationIdentifiers {
  return { acquirerId: header('x-acquirer-id'), providerId: header('x-provider-id'), pspId: header('x-psp-id') };
}

const inbound = {
  family: 'tokenization',
  scheme: 'bearer',
  rateLimit,
  owns: ({ caller, header }) => {
    const { acquirerId, providerId, pspId } = identifiersOf({ header });
    return caller.identifiers.some(
      (own) => own.acquirerId === acquirerId && own.providerId === providerId && own.pspId === pspId,
    );
  },
} as const satisfies Partial<Route>;

/** A client with two triples must not get the answer of one under the other. */
const idempotency = {
  subject: (request: HeaderReader) => JSON.stringify(Object.values(identifiersOf(request))),
};

const withBody = { ...inbound, bodyKind: 'json', bodyBytesMax: jsonBytesMax, idempotency } as const;
const anyTokenizationScope: readonly Scope[] = ['mts:token', 'mts:transaction', 'mts:lifecycle'];

interface GraphVirtualAccount {
  virtualAccountId: string;
  state: string;
  par: string | null;
}

const createToken = defineRoute<
  { merchantInfo: { merchantId: string }; accountInfo: { encryptedData: string } },
  { createVirtualAccount: { virtualAccount: GraphVirtualAccount; encryptedData: string } }
>({
  ...withBody,
  method: 'POST',
  path: '/virtual-accounts/token',
  scopes: ['mts:token'],
  sizedField: { path: ['accountInfo', 'encryptedData'], charactersMax: jweCharactersMax },
  action: {
    operation: 'CreateVirtualAccount',
    variables: (request) => ({
      input: {
        identifiers: identifiersOf(request),
        merchantId: request.body.merchantInfo.merchantId,
        encryptedData: request.body.accountInfo.encryptedData,
      },
    }),
    reply: ({ createVirtualAccount: { virtualAccount, encryptedData } }) => ({
      status: 201,
      body: { ...printVirtualAccount(virtualAccount), encryptedData },
    }),
  },
});

const createTransaction = defineRoute<
  {
    merchantInfo: { merchantId: string };
    transactionInfo: { transactionId: string; transactionDateTime: string; amount: string; currencyCode: string };
  },
  { createTransaction: { encryptedData: string } }
>({
  ...withBody,
  method: 'POST',
  path: '/virtual-accounts/{virtualAccountId}/transaction',
  scopes: ['mts:transaction'],
  action: {
    operation: 'CreateTransaction',
    variables: (request) => {
      const { transactionId, transactionDateTime, amount, currencyCode } = request.body.transactionInfo;
      return {
        input: {
          identifiers: identifiersOf(request),
          virtualAccountId: request.params['virtualAccountId'],
          merchantId: request.body.merchantInfo.merchantId,
          transactionId,
          transactionDateTime,
          amount,
          currencyCode,
        },
      };
    },
    reply: ({ createTransaction: { encryptedData } }) => ({ status: 201, body: { encryptedData } }),
  },
});

const updateTokenState = defineRoute<{ tokenState: string; reasonCode: string }>({
  ...withBody,
  method: 'PUT',
  path: '/virtual-accounts/{virtualAccountId}/tokenState',
  scopes: ['mts:lifecycle'],
  action: {
    operation: 'DeleteVirtualAccount',
    variables: (request) => ({
      input: {
        identifiers: identifiersOf(request),
        virtualAccountId: request.params['virtualAccountId'],
        tokenState: request.body.tokenState,
        reasonCode: request.body.reasonCode,
      },
    }),
    reply: () => ({ status: 204 }),
  },
});

const readVirtualAccount = defineRoute<null, { virtualAccount: GraphVirtualAccount | null }>({
  ...inbound,
  bodyKind: 'none',
  bodyBytesMax: 0,
  method: 'GET',
  path: '/virtual-accounts/{virtualAccountId}',
  scopes: anyTokenizationScope,
  action: {
    operation: 'GetVirtualAccount',
    variables: (request) => ({ virtualAccountId: request.params['virtualAccountId'] }),
    reply: ({ virtualAccount }) => {
      if (!virtualAccount) throw new DomainError('notFound');
      return { status: 200, body: printVirtualAccount(virtualAccount) };
    },
  },
});

interface GraphDecryptionKey {
  kid: string;
  kty: string;
  n: string;
  e: string;
  use: string;
  alg: string;
  current: boolean;
}

const readKeySet = defineRoute<null, { decryptionKeys: GraphDecryptionKey[] }>({
  family: 'tokenization',
  scheme: 'none',
  scopes: [],
  rateLimit: null,
  bodyKind: 'none',
  bodyBytesMax: 0,
  method: 'GET',
  path: '/.well-known/jwks.json',
  action: {
    operation: 'GetDecryptionKeys',
    variables: () => ({}),
    reply: ({ decryptionKeys }, request) => {
      const keys = [...decryptionKeys]
        .sort((a, b) => Number(b.current) - Number(a.current))
        .map(({ kid, kty, n, e, use, alg }) => ({ kty, use, alg, kid, n, e }));
      return cachedReply({ keys }, request.header('if-none-match'), keySetHeaders);
    },
  },
});

/** Much shorter than the overlap of two keys, so that nobody seals to a key that has gone. */
const keySetHeaders = { 'cache-control': 'public, max-age=300' };

function printVirtualAccount({ virtualAccountId, state, par }: GraphVirtualAccount): Record<string, string> {
  return { virtualAccountId, virtualAccountState: state, ...withoutAbsent({ par }) };
}

export const tokenizationRoutes: readonly Route[] = [
  createToken,
  createTransaction,
  updateTokenState,
  readVirtualAccount,
  readKeySet,
];
