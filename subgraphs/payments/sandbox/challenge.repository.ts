// Challenges of the simulated issuer at rest (EMV 3-D Secure; docs/sandbox.md, section 5).
import type { Connection } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { maybeText, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import { type Challenge, challengeStatuses } from '../connectors/three-ds';

/** What only the simulated issuer knows. */
export interface HeldChallenge extends Challenge {
  /** The issuer refuses whatever its holder does. */
  alwaysFails: boolean;
}

type StoredChallenge = Omit<HeldChallenge, 'challengeId' | 'amountMinor'> & {
  _id: string;
  environment: Environment;
  amount: string;
  version: number;
};

const schema = storedSchema<StoredChallenge>('sandbox_challenges', {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: storedText,
  sessionId: storedText,
  merchantName: storedText,
  amount: storedText,
  currency: storedText,
  maskedCard: storedText,
  scheme: storedText,
  language: maybeText,
  status: there(String, { enum: challengeStatuses }),
  triesLeft: there(Number),
  resends: there(Number),
  expiresAt: there(Date),
  returnUrl: storedText,
  alwaysFails: there(Boolean),
  version: there(Number),
});
schema.index({ sessionId: 1 });

export type ChallengeRepository = ReturnType<typeof createChallengeRepository>;

export function createChallengeRepository(connection: Connection, environment: Environment) {
  const records = collectionOf<StoredChallenge>(connection, 'sandbox_challenges');
  return {
    async insert({ challengeId, amountMinor, ...rest }: HeldChallenge): Promise<void> {
      const document = { _id: challengeId, environment, amount: String(amountMinor), ...rest, version: 1 };
      await reading(records.insertOne(document));
    },
    async find(challengeId: string): Promise<{ challenge: HeldChallenge; version: number } | null> {
      const found = await reading(records.findOne({ _id: challengeId, environment }));
      if (!found) return null;
      const { _id, environment: _environment, amount, version, ...rest } = found;
      return { challenge: { challengeId: _id, amountMinor: BigInt(amount), ...rest }, version };
    },
    /** False when somebody else answered meanwhile. */
    async change(
      challengeId: string,
      version: number,
      change: Partial<Pick<Challenge, 'status' | 'triesLeft' | 'resends'>>,
    ): Promise<boolean> {
      const { matchedCount } = await reading(
        records.updateOne({ _id: challengeId, environment, version }, { $set: { ...change, version: version + 1 } }),
      );
      return matchedCount === 1;
    },
    ensureIndexes: (): Promise<void> => prepareCollection(connection, schema),
  };
}
