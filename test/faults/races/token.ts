// The race of the tokenization interface: an account is deleted while transactions are made on it.
import { withoutUndefined } from '../../../subgraphs/shared/present-members';
import { createdAccount, eventsOf, remove, transact } from '../../tokenization/calls';
import { openWorld, type World } from '../../tokenization/world';
import { outcomes, type Race } from './race';

export interface TokenRaces {
  world: World;
  races: Race[];
  finish?: undefined;
}

export async function openTokenRaces(): Promise<TokenRaces> {
  const world = await openWorld();
  const events = ['virtualAccount.created', 'virtualAccount.deleted'];
  const transacted = [0, 1, 2, 3, 4].map((count) => ({
    won: { ...withoutUndefined({ transacted: count > 0 ? count : undefined }), deleted: 4 },
    refused: ['notFound', 'tokenServiceRefused'],
    state: 'DELETED',
    events,
  }));
  return {
    world,
    races: [
      {
        name: 'delete against transaction',
        ends: transacted,
        async run() {
          const { id } = await createdAccount(world, world.alpha);
          const calls = Array.from({ length: 8 }, (_, index) => async () => {
            const isDeleting = index % 2 === 0;
            const { code } = await (isDeleting ? remove(world, world.alpha, id) : transact(world, world.alpha, id));
            if (code) throw { code };
            return isDeleting ? 'deleted' : 'transacted';
          });
          const counts = await outcomes(calls);
          const { connection } = world.stores;
          const kept = await connection.collection('card_transactions').countDocuments({ virtualAccountId: id });
          const [account] = await connection
            .collection<{ _id: string; state: string }>('virtual_accounts')
            .find({ _id: id })
            .toArray();
          const late = (await transact(world, world.alpha, id)).code;
          return {
            counts,
            state: account?.state ?? 'gone',
            events: (await eventsOf(world, id)).map(({ type }) => type),
            faults: [
              ...(kept === (counts['transacted'] ?? 0) ? [] : [`${kept} transactions kept`]),
              ...(late === 'notFound' ? [] : [`a transaction afterwards: ${late}`]),
            ],
          };
        },
      },
    ],
  };
}
