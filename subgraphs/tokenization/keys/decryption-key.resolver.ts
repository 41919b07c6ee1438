// Our decryption keys in the graph: public to read, rolled over and retired by staff (tokenization interface, kid supports key rollover).
import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { Allow, AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../../shared/callers/reason';
import type { DecryptionKeyService } from './decryption-key.service';
import { DecryptionKeyType, printDecryptionKey } from './decryption-key.type';

@Resolver()
export class DecryptionKeyResolver {
  constructor(private readonly service: DecryptionKeyService) {}

  @Allow('public')
  @Query(() => [DecryptionKeyType], {
    description: 'Public keys that card data may be sealed to, the current one first.',
  })
  async decryptionKeys(): Promise<DecryptionKeyType[]> {
    return (await this.service.published()).map(printDecryptionKey);
  }

  @AllowFresh('jwe-keys:write')
  @Mutation(() => [DecryptionKeyType], {
    description: 'Makes a new current key; the former one still opens until it is retired.',
  })
  async rollDecryptionKey(
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<DecryptionKeyType[]> {
    return (await this.service.roll(context, reasonOfAct(context, reason))).map(printDecryptionKey);
  }

  @AllowFresh('jwe-keys:write')
  @Mutation(() => [DecryptionKeyType], { description: 'Ends a key that was rolled over: it opens nothing any more.' })
  async retireDecryptionKey(
    @Ctx() context: RequestContext,
    @Arg('kid', () => ID, { description: 'The id of the key that card data is no longer sealed to.' }) kid: string,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<DecryptionKeyType[]> {
    return (await this.service.retire(context, kid, reasonOfAct(context, reason))).map(printDecryptionKey);
  }
}
