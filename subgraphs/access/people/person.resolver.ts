// People in the graph: who they are, who of them may sign in, and what each keeps for itself.
import type DataLoader from 'dataloader';
import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Allow, AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import { reasonArgument, reasonOfAct } from '../../shared/callers/reason';
import { may } from '../../shared/callers/rights';
import { PageArgs } from '../../shared/graph/page.type';
import type { ResolveReference } from '../../shared/graph/subgraph';
import type { Idempotent } from '../../shared/idempotency/idempotency';
import { idAt, readSlice } from '../../shared/lists/list-order';
import { connection } from '../../shared/lists/page';
import { requestLoader } from '../../shared/store/loaders';
import { type Person, type PersonStatus, type Preferences, roleWordsOf } from './person';
import type { PersonRepository } from './person.repository';
import {
  deleteView,
  type PersonServiceDeps,
  savePreferences,
  saveView,
  setPersonStatus,
  signOutEverywhere,
} from './person.service';
import {
  AccountStub,
  PersonConnectionType,
  PersonStatuses,
  PersonType,
  PreferencesInput,
  PreferencesType,
  SavedViewInput,
  SavedViewType,
} from './person.type';
import { shownView } from './viewer.resolver';

export interface PersonResolverDeps extends PersonServiceDeps {
  idempotent: Idempotent;
}

@Resolver(() => PersonType)
export class PersonResolver {
  constructor(private readonly deps: PersonResolverDeps) {}

  @Allow('people:read')
  @Query(() => PersonType, {
    nullable: true,
    description: 'One person; null when there is none or the caller may not see it.',
  })
  person(
    @Arg('personId', () => ID, { description: 'Id of the person that is wanted.' }) personId: string,
    @Ctx() context: RequestContext,
  ): Promise<Person | null> {
    return personLoader(this.deps.people, context).load(personId);
  }

  @Allow('people:read')
  @Query(() => PersonConnectionType, {
    description: 'Whoever has signed in, in the order of the first time; to a tenant its own people.',
  })
  async people(@Args(() => PageArgs) asked: PageArgs, @Ctx() context: RequestContext) {
    const slice = readSlice(asked, idAt);
    return connection(await this.deps.people.list(context.caller, slice), slice, ({ personId }) => [personId]);
  }

  @FieldResolver(() => [String], {
    description: 'Roles of staff whose every right it has: viewer, support, operator, administrator; or tenant.',
  })
  roles(@Root() person: Person): string[] {
    return roleWordsOf(person);
  }

  @FieldResolver(() => AccountStub, { nullable: true, description: 'The tenant that it belongs to; null: staff.' })
  account(@Root() { accountId }: Person): AccountStub | null {
    return accountId === null ? null : { accountId };
  }

  @AllowFresh('people:write')
  @Mutation(() => PersonType, {
    description: 'A disabled person has no session within a second, and gets none until enabled again.',
  })
  setPersonStatus(
    @Arg('personId', () => ID, { description: 'Id of the person that is acted on.' }) personId: string,
    @Arg('status', () => PersonStatuses, { description: 'Whether the person may sign in from now on.' })
    status: PersonStatus,
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, reasonArgument) reason?: string | null,
  ): Promise<Person> {
    const why = reasonOfAct(context, reason);
    return this.deps.idempotent<Person>(context, 'setPersonStatus', (complete) =>
      setPersonStatus(this.deps, context, { personId, status, reason: why }, complete),
    );
  }

  @Allow('public')
  @Mutation(() => PersonType, {
    description: "Ends every session of one's own, this one too; or, with people:write, of another person.",
  })
  signOutEverywhere(
    @Arg('personId', () => ID, { nullable: true, description: 'Whose sessions end; absent: those of whoever asks.' })
    personId: string | null,
    @Ctx() context: RequestContext,
    @Arg('reason', () => String, {
      ...reasonArgument,
      description: `${reasonArgument.description} Nobody says why it ends sessions of its own.`,
    })
    reason?: string | null,
  ): Promise<Person> {
    return this.deps.idempotent(context, 'signOutEverywhere', () =>
      signOutEverywhere(this.deps, context, { personId: personId ?? null, reason }),
    );
  }

  @Allow('public')
  @Mutation(() => PreferencesType, { description: 'Keeps how the person who asks wants to see things.' })
  async savePreferences(
    @Arg('input', () => PreferencesInput, { description: 'Settings to change; what is absent stays as it is.' })
    input: PreferencesInput,
    @Ctx() context: RequestContext,
  ): Promise<Preferences> {
    const { theme, density, locale, timeZone } = input;
    const wanted = { theme: theme ?? undefined, density: density ?? undefined, locale, timeZone };
    return (await savePreferences(this.deps, context, wanted)).preferences;
  }

  @Allow('public')
  @Mutation(() => SavedViewType, { description: 'Keeps a view of the person who asks, or changes one.' })
  async saveView(
    @Arg('input', () => SavedViewInput, { description: 'Everything that the call is about, in one object.' })
    input: SavedViewInput,
    @Ctx() context: RequestContext,
  ): Promise<object> {
    const { viewId = null, screen, name, query, isShared } = input;
    return shownView(await saveView(this.deps, context, { viewId, screen, name, query, isShared }), context.caller);
  }

  @Allow('public')
  @Mutation(() => ID, { description: 'Forgets a view of the person who asks.' })
  deleteView(
    @Arg('viewId', () => ID, { description: 'Id of the view that goes.' }) viewId: string,
    @Ctx() context: RequestContext,
  ): Promise<string> {
    return deleteView(this.deps, context, viewId);
  }
}

/** Absent, foreign, and not for this caller's eyes look alike. */
export function personReference(people: PersonRepository): ResolveReference {
  return ({ personId }, context) =>
    typeof personId === 'string' && may(context.caller, 'people:read')
      ? personLoader(people, context).load(personId)
      : null;
}

function personLoader(people: PersonRepository, context: RequestContext): DataLoader<string, Person | null> {
  return requestLoader(
    context,
    'Person',
    (ids) => people.find(context.caller, ids),
    ({ personId }) => personId,
  );
}
