// `_entities` of a subgraph: what other subgraphs name by its key, looked up a whole list at once, with a promise for the list and none for each.
import { GraphQLError, type GraphQLResolveInfo, isObjectType } from 'graphql';
import type { RequestContext } from '../callers/context';

/** `{ __typename, <key fields> }` */
export type Representation = Record<string, unknown>;

/** Answers one entity; null when it is absent or belongs to somebody else. */
export type ResolveReference = (
  representation: Representation,
  context: RequestContext,
  info: GraphQLResolveInfo,
) => unknown;

/** Answers many of one type, each in its place. */
export interface ResolveReferences {
  many(
    representations: readonly Representation[],
    context: RequestContext,
    info: GraphQLResolveInfo,
  ): Promise<readonly unknown[]>;
}

/** Reference resolvers by type name. */
export type References = Readonly<Record<string, ResolveReference | ResolveReferences>>;

type Entities = (
  root: unknown,
  args: { representations: readonly Representation[] },
  context: RequestContext,
  info: GraphQLResolveInfo,
) => Promise<unknown[]>;

/** What fails stands in its place as an error, beside what was found. */
export function entitiesOf(references: References): Entities {
  return async (_root, { representations }, context, info) => {
    const entities: unknown[] = new Array(representations.length).fill(null);
    await Promise.all(
      [...placesByType(representations)].map(async ([typeName, places]) => {
        const asked = places.map((place) => representations[place] as Representation);
        const found = await resolved(references, typeName, { asked, context, info });
        places.forEach((place, index) => {
          entities[place] = named(found[index] ?? null, typeName);
        });
      }),
    );
    return entities;
  };
}

function placesByType(representations: readonly Representation[]): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>();
  representations.forEach(({ __typename }, place) => {
    const typeName = String(__typename);
    const places = found.get(typeName);
    if (places) places.push(place);
    else found.set(typeName, [place]);
  });
  return found;
}

interface Asked {
  asked: readonly Representation[];
  context: RequestContext;
  info: GraphQLResolveInfo;
}

async function resolved(
  references: References,
  typeName: string,
  { asked, context, info }: Asked,
): Promise<readonly unknown[]> {
  if (!isObjectType(info.schema.getType(typeName))) throw new GraphQLError(`there is no entity ${typeName} here`);
  const reference = Object.hasOwn(references, typeName) ? references[typeName] : undefined;
  // Nothing but its key is here.
  if (!reference) return asked;
  if (typeof reference === 'function')
    return Promise.all(asked.map(async (each) => reference(each, context, info)).map((each) => each.catch(asError)));
  try {
    return await reference.many(asked, context, info);
  } catch (error) {
    return asked.map(() => asError(error));
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Tells the types of `_Entity` apart; nobody who prints or copies the object sees it. */
function named(entity: unknown, typeName: string): unknown {
  if (typeof entity !== 'object' || entity === null || entity instanceof Error) return entity;
  const present = (entity as Representation)['__typename'];
  if (present === typeName) return entity;
  if (present !== undefined) return { ...entity, __typename: typeName };
  return Object.defineProperty(entity, '__typename', { value: typeName });
}
