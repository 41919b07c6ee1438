// One search over all domains: each asked side by side for what the caller may see, and bounded together.
import type { RequestContext } from '../../shared/callers/context';
import { may, type Right } from '../../shared/callers/rights';
import { type Find, readSearchText, type SearchHit, type SearchMatch } from '../../shared/search';

/** Who finds what, and the right that it takes to read it. */
export interface Searched {
  right: Right;
  find: Find;
}

/** Refuses with `invalidInput`. What the caller has no right to is left out, as are things of others. */
export async function search(
  searched: readonly Searched[],
  { caller }: RequestContext,
  text: string,
  size: number,
): Promise<SearchHit[]> {
  const asked = readSearchText(text);
  const found = await Promise.all(
    searched.map(async ({ right, find }) => (may(caller, right) ? find(caller, asked, size) : [])),
  );
  const hits = [...found.flat()].sort((one, other) => rankOf(one) - rankOf(other));
  return inTurn(firstOfEach(hits)).slice(0, size);
}

const ranks: Partial<Record<SearchMatch, number>> = { ID: 0, NAME: 2, ORDER_BEGINNING: 3 };

/** What was named exactly comes before what only begins like it. */
function rankOf({ matchedBy }: SearchHit): number {
  return ranks[matchedBy] ?? 1;
}

/** Of one rank one of each kind after the other, so that many of a kind leave room for few of another. */
function inTurn(hits: readonly SearchHit[]): SearchHit[] {
  const turns = new Map<string, number>();
  const placed = hits.map((hit) => {
    const rank = rankOf(hit);
    const of = `${rank}:${hit.type}`;
    const turn = turns.get(of) ?? 0;
    turns.set(of, turn + 1);
    return { hit, rank, turn };
  });
  return placed.sort((one, other) => one.rank - other.rank || one.turn - other.turn).map(({ hit }) => hit);
}

function firstOfEach(hits: readonly SearchHit[]): SearchHit[] {
  const seen = new Set<string>();
  return hits.filter(({ type, id }) => {
    const key = `${type}:${id}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
