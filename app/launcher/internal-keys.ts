// Keys of the calls between the processes of one start: each sender gets its own, each subgraph the public halves; they live as long as the launcher.
import { newInternalKey, publicHalf } from '../../gateway/subgraphs/internal-keys';
import { isInternalSender } from '../../gateway/subgraphs/internal-senders';
import type { Role } from './roles';

/** The roles of the spread-out shape, told with what they sign and whom they answer: each other, and whoever else is `given`. */
export function withInternalKeys(
  roles: readonly Role[],
  given: Readonly<Record<string, readonly string[]>> = {},
): Role[] {
  const privateKeys = new Map<string, string>();
  for (const { env } of roles) {
    const name = env['ROLES'];
    if (isInternalSender(name) && !privateKeys.has(name)) privateKeys.set(name, newInternalKey());
  }
  const publicKeys = Object.fromEntries(
    [...privateKeys].map(([name, key]) => [name, [publicHalf(key), ...(given[name] ?? [])]]),
  );
  return roles.map((role) => {
    const own = privateKeys.get(role.env['ROLES'] ?? '');
    const added: Role['env'] = own
      ? { INTERNAL_PRIVATE_KEY: own }
      : { INTERNAL_PUBLIC_KEYS: role.env['SUBGRAPH_PORT'] ? JSON.stringify(publicKeys) : '' };
    return { ...role, env: { ...role.env, ...added } };
  });
}
