// The one search of the graph.
import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { firstArgument } from '../../shared/graph/page.type';
import { pageSize } from '../../shared/lists/page';
import { type SearchHit, searchTextMax } from '../../shared/search';
import type { EntryQueryRepository } from '../journal/entry-query.repository';
import { entryLoader } from '../journal/entry-query.service';
import { payoutLoader } from '../payouts/payout.reference';
import type { PayoutReads } from '../payouts/payout-query.service';
import { type Searched, search } from './search.service';
import { foundOf, ownOf, SearchHitType } from './search.type';

export interface SearchReads extends PayoutReads {
  entries: EntryQueryRepository;
  /** What every domain finds by a text. */
  searched: readonly Searched[];
}

@Resolver(() => SearchHitType)
export class SearchResolver {
  constructor(private readonly reads: SearchReads) {}

  @Allow(
    ...(['payments:read', 'merchants:read', 'tokens:read', 'onboarding:read', 'callbacks:read'] as const),
    ...(['ledger:read', 'proposals:read', 'jobs:read', 'people:read'] as const),
  )
  @Query(() => [SearchHitType], {
    description:
      'What the text names, of all that the caller may see: payments, operations, merchants, terminals, tokenized cards, applications, callbacks and their endpoints, payouts, ledger entries, proposals, jobs and people, what it names exactly first.',
  })
  async search(
    @Ctx() context: RequestContext,
    @Arg('text', () => String, {
      description: `An id, an order number (to staff its beginning, too), a contract, a card's last four digits with its expiry (1111 12/28), an e-mail of a payer or a person, an event's id, the number of a merchant or of an organization, the reference of a payout, the address or host of an endpoint, or the beginning of the name of a merchant or a person; up to ${searchTextMax} characters.`,
    })
    text: string,
    @Arg('first', () => Int, firstArgument) first?: number | null,
  ): Promise<SearchHitType[]> {
    const hits = await search(this.reads.searched, context, text, pageSize(first));
    const shown = await Promise.all(
      hits.map(async (hit) => ({ matchedBy: hit.matchedBy, found: await this.thingOf(context, hit) })),
    );
    return shown.flatMap(({ matchedBy, found }) => (found ? { matchedBy, found } : []));
  }

  /** Whole where this subgraph has it itself; of all else the key will do. */
  private async thingOf(context: RequestContext, { type, id }: SearchHit): Promise<object | null> {
    switch (type) {
      case 'Payout':
        return ownOf(type, await payoutLoader(context, this.reads).load(id));
      case 'LedgerEntry':
        return ownOf(type, await entryLoader(context, this.reads.entries).load(id));
      default:
        return foundOf({ type, id });
    }
  }
}
