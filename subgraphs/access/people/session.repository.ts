// Sessions of people in MongoDB, by hash; the store forgets them when they are over.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Environment, environments } from '../../shared/callers/caller';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { orNull, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import type { Session } from './session';

const collection = 'person_sessions';

type StoredSignInSession = Omit<Session, 'sessionId'> & { _id: string };

const schema = storedSchema<StoredSignInSession>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  personId: storedText,
  generation: there(Number),
  createdAt: there(Date),
  authTime: orNull(Date),
  idleUntil: there(Date),
  endsAt: there(Date),
  signedOutAt: orNull(Date),
});
// Real time is never ahead of the one clock, so the store never forgets a session that still lives.
schema.index({ endsAt: 1 }, { expireAfterSeconds: 0 });

export interface SessionRepository {
  /** Those that are over too, as long as they are kept. */
  find(environment: Environment, sessionIds: readonly string[]): Promise<Session[]>;
  insert(session: Session): InsertWrite;
  /** Matches only while nobody has ended it. */
  touch(session: Session, idleUntil: Date): UpdateWrite;
  /** Matches only while nobody has ended it. */
  end(session: Session, at: Date): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createSessionRepository(connection: Connection): SessionRepository {
  const sessions: Model<StoredSignInSession> = connection.model<StoredSignInSession>('PersonSession', schema);
  const open = ({ sessionId, environment }: Session) => ({ _id: sessionId, environment, signedOutAt: null });
  return {
    async find(environment, sessionIds) {
      const filter = { environment, _id: trusted({ $in: [...sessionIds] }) };
      const found = await reading(sessions.find(filter).lean<StoredSignInSession[]>());
      return found.map(({ _id, ...rest }) => ({ sessionId: _id, ...rest }));
    },
    insert: ({ sessionId, ...rest }) => ({ collection, document: { _id: sessionId, ...rest } }),
    touch: (session, idleUntil) => ({ collection, filter: open(session), update: { $max: { idleUntil } } }),
    end: (session, at) => ({ collection, filter: open(session), update: { $set: { signedOutAt: at } } }),
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}
