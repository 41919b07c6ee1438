// The sandbox's test cards in the graph, behind GET /sandbox/cards; production has none.
import { Query, Resolver } from 'type-graphql';
import { Allow, Internal } from '../../shared/callers/allow';
import { testCards } from '../../shared/test-cards';
import { TestCardType } from './test-card.type';

@Resolver()
export class TestCardResolver {
  constructor(private readonly isSandbox: boolean) {}

  @Allow('public')
  @Internal()
  @Query(() => [TestCardType], { description: 'Sandbox only: card numbers and what they come to.' })
  testCards(): TestCardType[] {
    return this.isSandbox ? [...testCards] : [];
  }
}
