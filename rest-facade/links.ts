// The Link header of a page: the same request with other parameters (RFC 8288).
import type { QueryValues } from './checks/query';

/** The header, or nothing when there is no other page; `changes` by relation. */
export function linksOf(
  path: string,
  query: QueryValues,
  changes: Readonly<Record<string, QueryValues | null>>,
): { link?: string } {
  const links = Object.entries(changes).flatMap(([relation, change]) => {
    if (change === null) return [];
    const parameters = Object.entries({ ...query, ...change }).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    return `<${path}?${new URLSearchParams(parameters)}>; rel="${relation}"`;
  });
  return links.length > 0 ? { link: links.join(', ') } : {};
}
