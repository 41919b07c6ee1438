// API keys in the graph: one mutation makes a key of any kind, and one ends it (decision register 2.2-B, 2.3-A).
import DataLoader from 'dataloader';
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow, AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../../shared/callers/reason';
import { PageArgs } from '../../shared/graph/page.type';
import type { ResolveReference } from '../../shared/graph/subgraph';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { idAt, readSlice } from '../../shared/lists/list-order';
import { type Connection, connection } from '../../shared/lists/page';
import { requestLoader } from '../../shared/store/loaders';
import type { ApiKey, ApiKeyKind, ApiKeyMode } from './api-key';
import type { ApiKeyRepository } from './api-key.repository';
import type { IssuedApiKey } from './api-key.service';
import {
  AccessMerchant,
  ApiKeyConnectionType,
  ApiKeyKinds,
  ApiKeyModes,
  ApiKeyType,
  IssuedApiKeyType,
} from './api-key.type';
import type { KeyUse, KeyUseRepository } from './key-use.repository';
import { createKey, type NewKeyDeps } from './new-key.service';

export interface ApiKeyResolverDeps extends NewKeyDeps {
  idempotent: Idempotent;
  keys: ApiKeyRepository;
  uses: Pick<KeyUseRepository, 'find'>;
}

@Resolver(() => ApiKeyType)
export class ApiKeyResolver {
  constructor(private readonly deps: ApiKeyResolverDeps) {}

  @Allow('keys:read')
  @Query(() => ApiKeyConnectionType, { description: 'By keyId, revoked ones too.' })
  async apiKeys(
    @Ctx() context: RequestContext,
    @Arg('terminalId', () => ID, { nullable: true, description: 'Keys of this terminal only; absent: of all.' })
    terminalId: string | null | undefined,
    @Arg('merchantId', () => ID, { nullable: true, description: 'Keys of this merchant only; absent: of all.' })
    merchantId: string | null | undefined,
    @Arg('kind', () => ApiKeyKinds, { nullable: true, description: 'Keys of this kind only; absent: of all kinds.' })
    kind: ApiKeyKind | null | undefined,
    @Args(() => PageArgs) asked: PageArgs,
  ): Promise<Connection<object>> {
    const chosen = {
      terminalId: terminalId ?? null,
      merchantId: merchantId ?? null,
      kind: kind ?? null,
    };
    const slice = readSlice(asked, idAt);
    const page = await this.deps.keys.list(context.caller, chosen, slice);
    return connection({ ...page, items: page.items.map(view) }, slice, ({ keyId }) => [keyId]);
  }

  @AllowFresh('keys:write')
  @Mutation(() => IssuedApiKeyType, {
    description:
      'Two keys of a holder and kind can be active, so that they are changed without a gap. CHECKOUT names a terminal of the merchant; CONSUMER and PARTNER speak for the account that the merchant belongs to.',
  })
  async createApiKey(
    @Ctx() context: RequestContext,
    @Arg('merchantId', () => ID, { description: 'The merchant that the key is for, or whose account it is for.' })
    merchantId: string,
    @Arg('label', () => String, { description: 'What people will call the key.' }) label: string,
    @Arg('kind', () => ApiKeyKinds, { defaultValue: 'checkout', description: 'What the key may be used for.' })
    kind: ApiKeyKind,
    @Arg('mode', () => ApiKeyModes, {
      defaultValue: 'live',
      description: 'Whether the key moves real things or is one for tests.',
    })
    mode: ApiKeyMode,
    @Arg('terminalId', () => ID, {
      nullable: true,
      description: 'The terminal that a CHECKOUT key is for; absent for other kinds.',
    })
    terminalId?: string | null,
  ): Promise<object> {
    const input = { merchantId, label, kind, mode, terminalId: terminalId ?? null };
    const issued = await this.deps.idempotent<IssuedApiKey>(context, 'createApiKey', (complete) =>
      createKey(this.deps, context, input, complete),
    );
    return { keyId: issued.key.keyId, ...shown(issued), key: view(issued.key) };
  }

  @AllowFresh('keys:write')
  @Mutation(() => ApiKeyType, { description: 'It works nowhere after a second.' })
  async revokeApiKey(
    @Ctx() context: RequestContext,
    @Arg('keyId', () => ID, { description: 'The visible first half of the key that is to end.' }) keyId: string,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<object> {
    const why = reasonOfAct(context, reason);
    return view(
      await this.deps.idempotent<ApiKey>(context, 'revokeApiKey', (complete) =>
        this.deps.apiKeys.revoke(context, keyId, { reason: why, complete }),
      ),
    );
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description: 'When it was last used, UTC, to the hour: its beginning; null until it is used.',
  })
  async lastUsedAt(@Ctx() context: RequestContext, @Root() { keyId }: ApiKey): Promise<Date | null> {
    const read = (keyIds: readonly string[]) => this.deps.uses.find(context.caller.environment, keyIds);
    const use = await requestLoader<KeyUse>(context, 'uses of keys', read, (each) => each.keyId).load(keyId);
    return use?.lastUsedAt ?? null;
  }
}

@Resolver(() => AccessMerchant)
export class MerchantApiKeysResolver {
  constructor(private readonly deps: Pick<ApiKeyResolverDeps, 'keys'>) {}

  @Allow('keys:read')
  @FieldResolver(() => [ApiKeyType], {
    nullable: true,
    description: 'The active keys of the merchant and of its terminals, by keyId; those of its account are in apiKeys.',
  })
  async apiKeys(@Ctx() context: RequestContext, @Root() { merchantId }: AccessMerchant): Promise<object[]> {
    return (await activeKeysLoader(context, this.deps.keys).load(merchantId)).map(view);
  }
}

/** A merchant met by its key: what is shown of it here is filtered by the caller's account. */
export const merchantAsItCame: ResolveReference = ({ merchantId }) => ({ merchantId });

/** The active keys of each merchant: one query for all merchants of a request. */
function activeKeysLoader({ caller, loaders }: RequestContext, keys: ApiKeyRepository): DataLoader<string, ApiKey[]> {
  const name = 'Merchant.apiKeys';
  const known = loaders.get(name);
  if (known) return known as DataLoader<string, ApiKey[]>;
  const loader = new DataLoader<string, ApiKey[]>(async (merchantIds) => {
    const found = await keys.listActive(caller, merchantIds);
    return merchantIds.map((merchantId) => found.filter((key) => key.merchantId === merchantId));
  });
  loaders.set(name, loader);
  return loader;
}

/** A consumer sends its halves apart, everybody else the whole. */
function shown({ key: { kind, keyId }, secret }: IssuedApiKey) {
  return kind === 'consumer'
    ? { apiKey: null, consumerKey: keyId, consumerSecret: secret }
    : { apiKey: `${keyId}.${secret}`, consumerKey: null, consumerSecret: null };
}

function view({ keyId, kind, mode, holderId, merchantId, label, status, createdAt, revokedAt }: ApiKey) {
  const terminalId = kind === 'checkout' ? holderId : null;
  return { keyId, kind, mode, terminalId, merchantId, label, status, createdAt, revokedAt };
}
