// Whoever asks, as it may know itself: what draws a dashboard learns here what to draw.
import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { Allow, freshUntil } from '../../shared/callers/allow';
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { rightsOf } from '../../shared/callers/rights';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import type { ClientRepository } from '../clients/client.repository';
import { defaultPreferences, type Person, type Preferences, roleWordsOf } from './person';
import type { PersonRepository } from './person.repository';
import { personOf } from './person.service';
import {
  AccountStub,
  PreferencesType,
  SavedViewType,
  ViewerEnvironments,
  ViewerKinds,
  ViewerType,
} from './person.type';
import type { SavedView } from './saved-view';
import type { SavedViewRepository } from './saved-view.repository';

export interface ViewerResolverDeps {
  people: PersonRepository;
  views: SavedViewRepository;
  clients: Pick<ClientRepository, 'find'>;
  clock: Clock;
}

interface Viewer {
  caller: Caller;
  person: Person | null;
}

@Resolver(() => ViewerType)
export class ViewerResolver {
  constructor(private readonly deps: ViewerResolverDeps) {}

  @Allow('public')
  @Query(() => ViewerType, { description: 'Whoever asks, and what it may do.' })
  async viewer(@Ctx() { caller }: RequestContext): Promise<Viewer> {
    if (caller.kind !== 'person' && caller.kind !== 'client') throw new DomainError('forbidden');
    return { caller, person: await personOf(this.deps, caller) };
  }

  @FieldResolver(() => ID, { description: 'The person or the client.' })
  id(@Root() { caller, person }: Viewer): string {
    return person?.personId ?? caller.credentialId;
  }

  @FieldResolver(() => ViewerKinds, { description: 'Whether a person or a program asks.' })
  kind(@Root() { caller }: Viewer): 'PERSON' | 'CLIENT' {
    return caller.kind === 'person' ? 'PERSON' : 'CLIENT';
  }

  @FieldResolver(() => String, { description: 'What people call it.' })
  async name(@Root() { caller, person }: Viewer): Promise<string> {
    if (person) return person.name;
    const [client] = await this.deps.clients.find(caller, [caller.credentialId]);
    return client?.label ?? caller.credentialId;
  }

  @FieldResolver(() => String, { nullable: true, description: 'Of a person, as the provider told it.' })
  email(@Root() { person }: Viewer): string | null {
    return person?.email ?? null;
  }

  @FieldResolver(() => [String], {
    description: 'Roles of staff whose every right it has: viewer, support, operator, administrator; or tenant.',
  })
  roles(@Root() { caller }: Viewer): string[] {
    return roleWordsOf({ accountId: caller.accountId, scopes: caller.scopes as Person['scopes'] });
  }

  @FieldResolver(() => [String], { description: 'Everything that it may do, in the words of `@allow`.' })
  rights(@Root() { caller }: Viewer): string[] {
    return rightsOf(caller);
  }

  @FieldResolver(() => AccountStub, { nullable: true, description: 'The tenant that it belongs to; null: staff.' })
  account(@Root() { caller: { accountId } }: Viewer): AccountStub | null {
    return accountId === null ? null : { accountId };
  }

  @FieldResolver(() => ViewerEnvironments, { description: 'Whether what it sees is played or real.' })
  environment(@Root() { caller }: Viewer): 'SANDBOX' | 'PRODUCTION' {
    return caller.environment === 'sandbox' ? 'SANDBOX' : 'PRODUCTION';
  }

  @FieldResolver(() => Date, {
    description: 'What the one clock of the platform says, UTC; in the sandbox it can be moved.',
  })
  now(): Date {
    return this.deps.clock.now();
  }

  @FieldResolver(() => PreferencesType, { description: 'How it wants to see things.' })
  preferences(@Root() { person }: Viewer): Preferences {
    return person?.preferences ?? defaultPreferences;
  }

  @FieldResolver(() => [SavedViewType], { description: 'Its own views and those that colleagues share, by name.' })
  async savedViews(
    @Root() { caller }: Viewer,
    @Arg('screen', () => String, { nullable: true, description: 'Views of this screen only; absent: of all.' })
    screen: string | null,
  ): Promise<object[]> {
    if (caller.kind !== 'person') return [];
    return (await this.deps.views.list(caller, screen ?? null)).map((view) => shownView(view, caller));
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description:
      'Until when it may do acts of money and of keys without a new sign-in, UTC; null for programs, which may always.',
  })
  freshUntil(@Root() { caller }: Viewer): Date | null {
    return caller.kind === 'person' ? freshUntil(caller.authTime) : null;
  }
}

export function shownView(view: SavedView, { credentialId }: Caller) {
  return { ...view, isOwn: view.owner === credentialId };
}
