// The one search of the graph.
import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { firstArgument } from '../../shared/graph/page.type';
import { pageSize } from '../../shared/lists/page';
import { searchTextMax } from '../../shared/search';
import { type Searched, search } from './search.service';
import { foundOf, SearchHitType } from './search.type';

@Resolver(() => SearchHitType)
export class SearchResolver {
  constructor(private readonly searched: readonly Searched[]) {}

  @Allow('payments:read', 'merchants:read', 'tokens:read', 'onboarding:read', 'callbacks:read')
  @Query(() => [SearchHitType], {
    description:
      'What the text names, of all that the caller may see: payments, operations, merchants, tokenized cards, applications and callbacks, what it names exactly first.',
  })
  async search(
    @Ctx() context: RequestContext,
    @Arg('text', () => String, {
      description: `An id, an order number, a contract, a card's last four digits with its expiry (1111 12/28), a payer's e-mail, an event's id, a merchant's number or the beginning of its name; up to ${searchTextMax} characters.`,
    })
    text: string,
    @Arg('first', () => Int, firstArgument) first?: number | null,
  ): Promise<SearchHitType[]> {
    const hits = await search(this.searched, context, text, pageSize(first));
    return hits.map((hit) => ({ matchedBy: hit.matchedBy, found: foundOf(hit) }));
  }
}
