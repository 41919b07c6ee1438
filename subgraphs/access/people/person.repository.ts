// People in MongoDB: one document for each, found by its id or by who the provider says it is.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, clientScopes, type Environment, environments, tenantFilter } from '../../shared/callers/caller';
import { alongKey, type Slice } from '../../shared/lists/list-order';
import { listPage } from '../../shared/lists/list-page';
import { nameOrder } from '../../shared/lists/name-order';
import type { Page } from '../../shared/lists/page';
import { collectionOf } from '../../shared/store/collection-of';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { maybeText, storedPart, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import { densities, type Person, type Preferences, personStatuses, themes } from './person';

const collection = 'people';

type StoredPerson = Omit<Person, 'personId'> & { _id: string };

const schema = storedSchema<StoredPerson>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: maybeText,
  issuer: storedText,
  subject: storedText,
  name: storedText,
  email: maybeText,
  scopes: there([{ type: String, enum: clientScopes }]),
  status: there(String, { enum: personStatuses }),
  sessionGeneration: there(Number),
  preferences: there(
    storedPart<Preferences>({
      theme: there(String, { enum: themes }),
      density: there(String, { enum: densities }),
      locale: maybeText,
      timeZone: maybeText,
    }),
  ),
  lastSeenAt: there(Date),
  version: there(Number),
  createdAt: there(Date),
  updatedAt: there(Date),
});
schema.index({ environment: 1, issuer: 1, subject: 1 }, { unique: true });
schema.index({ environment: 1, accountId: 1, _id: 1 });
schema.index({ environment: 1, email: 1 }, { name: 'emails', collation: nameOrder });
schema.index({ environment: 1, name: 1 }, { name: 'names', collation: nameOrder });
schema.index({ environment: 1, accountId: 1, name: 1 }, { name: 'namesOfAccount', collation: nameOrder });

export interface PersonRepository {
  /** For authentication only: no caller is known yet. */
  findForAuthentication(environment: Environment, personIds: readonly string[]): Promise<Person[]>;
  findByIdentity(environment: Environment, identity: Pick<Person, 'issuer' | 'subject'>): Promise<Person | null>;
  find(caller: Caller, personIds: readonly string[]): Promise<Person[]>;
  /** In the order of their first sign-in. */
  list(caller: Caller, slice: Slice<string>): Promise<Page<Person>>;
  insert(person: Person): InsertWrite;
  /** Replaces the state of the person that was read with `versionRead`. */
  replace(person: Person, versionRead: number): UpdateWrite;
  /** That something was asked in its name; changes no version. */
  seen(person: Person, at: Date): UpdateWrite;
  ensureIndexes(): Promise<void>;
}

export function createPersonRepository(connection: Connection): PersonRepository {
  const people: Model<StoredPerson> = connection.model<StoredPerson>('Person', schema);
  const listed = collectionOf<StoredPerson>(connection, collection);
  const byIds = async (filter: object, ids: readonly string[]) =>
    (await reading(people.find({ ...filter, _id: trusted({ $in: [...ids] }) }).lean<StoredPerson[]>())).map(fromStored);

  return {
    findForAuthentication: (environment, personIds) => byIds({ environment }, personIds),
    async findByIdentity(environment, { issuer, subject }) {
      const found = await reading(people.findOne({ environment, issuer, subject }).lean<StoredPerson>());
      return found ? fromStored(found) : null;
    },
    find: (caller, personIds) => byIds(tenantFilter(caller), personIds),
    list: (caller, slice) => listPage(listed, { filter: tenantFilter(caller), ...alongKey('_id', slice) }, fromStored),
    insert: ({ personId, ...rest }) => ({ collection, document: { _id: personId, ...rest } }),
    replace: ({ personId, ...rest }, versionRead) => ({
      collection,
      filter: { _id: personId, environment: rest.environment, version: versionRead },
      update: { $set: rest },
    }),
    seen: ({ personId, environment }, at) => ({
      collection,
      filter: { _id: personId, environment },
      update: { $max: { lastSeenAt: at } },
    }),
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}

function fromStored({ _id, ...rest }: StoredPerson): Person {
  return { ...rest, personId: _id };
}
