// Whose an access token is: asked of this subgraph by a gateway that is not ours, which signs the answer into its calls.
import { Arg, Query, Resolver } from 'type-graphql';
import { Allow, Internal } from '../../shared/callers/allow';
import type { Caller } from '../../shared/callers/caller';
import { DomainError } from '../../shared/errors';
import type { AccessTokenService } from './access-token.service';
import { TokenHolderType } from './caller.type';

@Resolver()
export class CallerResolver {
  constructor(private readonly tokens: Pick<AccessTokenService, 'authenticateHeader'>) {}

  @Allow('public')
  @Internal()
  @Query(() => TokenHolderType, {
    nullable: true,
    description: 'Whose an access token is; null when it does not work. For gateways, before they sign a call.',
  })
  async tokenHolder(
    @Arg('authorization', () => String, { description: 'The Authorization header, as it came.' }) authorization: string,
  ): Promise<Caller | null> {
    try {
      return await this.tokens.authenticateHeader(authorization);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'unauthenticated') return null;
      throw error;
    }
  }
}
