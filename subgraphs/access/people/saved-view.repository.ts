// Saved views in MongoDB: those of a person, and what colleagues share.
import { type Connection, type Model, trusted } from 'mongoose';
import { type Caller, environments } from '../../shared/callers/caller';
import { prepareCollection } from '../../shared/store/prepare-collection';
import { reading } from '../../shared/store/reading';
import { maybeText, storedSchema, storedText, there } from '../../shared/store/stored-schema';
import type { InsertWrite, UpdateWrite } from '../../shared/store/unit-of-work';
import type { SavedView } from './saved-view';

const collection = 'saved_views';

type StoredView = Omit<SavedView, 'viewId'> & { _id: string };

const schema = storedSchema<StoredView>(collection, {
  _id: storedText,
  environment: there(String, { enum: environments }),
  accountId: maybeText,
  owner: storedText,
  ownerName: storedText,
  screen: storedText,
  name: storedText,
  query: storedText,
  isShared: there(Boolean),
  createdAt: there(Date),
  updatedAt: there(Date),
});
schema.index({ environment: 1, owner: 1, screen: 1, name: 1 });
schema.index({ environment: 1, accountId: 1, isShared: 1, screen: 1, name: 1 });

/** Colleagues' views that a person is shown of one screen. */
const sharedMax = 200;

export interface SavedViewRepository {
  /** The caller's own and what its colleagues share, by name. */
  list(caller: Caller, screen: string | null): Promise<SavedView[]>;
  /** One of the caller's own. */
  findOwn(caller: Caller, viewId: string): Promise<SavedView | null>;
  countOwn(caller: Caller): Promise<number>;
  insert(view: SavedView): InsertWrite;
  replace(view: SavedView): UpdateWrite;
  /** False when there was none of the caller's own. */
  remove(caller: Caller, viewId: string): Promise<boolean>;
  ensureIndexes(): Promise<void>;
}

/** Where it is now: what a person who was moved has left behind stays with the tenant, and is nobody's to change. */
const own = ({ environment, credentialId, accountId }: Caller) => ({ environment, owner: credentialId, accountId });

export function createSavedViewRepository(connection: Connection): SavedViewRepository {
  const views: Model<StoredView> = connection.model<StoredView>('SavedView', schema);
  return {
    async list(caller, screen) {
      const { environment, accountId } = caller;
      const onScreen = screen === null ? {} : { screen };
      const shared = { environment, accountId, isShared: true, owner: trusted({ $ne: caller.credentialId }) };
      const [mine, others] = await reading(
        Promise.all([
          views.find({ ...own(caller), ...onScreen }).lean<StoredView[]>(),
          views
            .find({ ...shared, ...onScreen })
            .sort({ name: 1 })
            .limit(sharedMax)
            .lean<StoredView[]>(),
        ]),
      );
      return [...mine, ...others].map(fromStored).sort((a, b) => a.name.localeCompare(b.name));
    },
    async findOwn(caller, viewId) {
      const found = await reading(views.findOne({ ...own(caller), _id: viewId }).lean<StoredView>());
      return found ? fromStored(found) : null;
    },
    countOwn: (caller) => reading(views.countDocuments(own(caller))),
    insert: ({ viewId, ...rest }) => ({ collection, document: { _id: viewId, ...rest } }),
    replace: ({ viewId, ...rest }) => ({
      collection,
      filter: { _id: viewId, environment: rest.environment, owner: rest.owner, accountId: rest.accountId },
      update: { $set: rest },
    }),
    async remove(caller, viewId) {
      const { deletedCount } = await reading(views.deleteOne({ ...own(caller), _id: viewId }));
      return deletedCount === 1;
    },
    ensureIndexes: () => prepareCollection(connection, schema),
  };
}

function fromStored({ _id, ...rest }: StoredView): SavedView {
  return { ...rest, viewId: _id };
}
