// What people change: their settings and views, and who of them may sign in. Each loads, decides and saves with its audit record in one unit.
import type { RecordChange } from '../../shared/callers/audit';
import type { Caller } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { reasonChange, reasonOfAct } from '../../shared/callers/reason';
import { may } from '../../shared/callers/rights';
import type { Clock } from '../../shared/clock';
import { DomainError } from '../../shared/errors';
import { newOrderedId } from '../../shared/ids';
import { decideAgain } from '../../shared/store/decide-again';
import type { InTransaction, UpdateWrite } from '../../shared/store/unit-of-work';
import {
  credentialIdOf,
  decidePreferences,
  type Person,
  type PersonStatus,
  type Preferences,
  personChange,
} from './person';
import type { PersonRepository } from './person.repository';
import { decideView, type SavedView, viewsMax, type WantedView } from './saved-view';
import type { SavedViewRepository } from './saved-view.repository';

export interface PersonServiceDeps {
  clock: Clock;
  inTransaction: InTransaction;
  audit: RecordChange;
  people: PersonRepository;
  views: SavedViewRepository;
  /** Called after a change that must be felt at once in this process too. */
  onEnded(): void;
}

type CompletePersonChange<Result> = (result: Result) => UpdateWrite[];

/** The person that calls, or null when a program does. */
export async function personOf({ people }: Pick<PersonServiceDeps, 'people'>, caller: Caller): Promise<Person | null> {
  const personId = personIdOf(caller);
  return personId === null ? null : ((await people.find(caller, [personId]))[0] ?? null);
}

function personIdOf({ kind, credentialId }: Caller): string | null {
  return kind === 'person' ? credentialId.slice('person:'.length) : null;
}

/** Refuses programs with `forbidden`: settings and views are of people. */
async function requirePerson(deps: Pick<PersonServiceDeps, 'people'>, caller: Caller): Promise<Person> {
  const person = await personOf(deps, caller);
  if (!person) throw new DomainError('forbidden', 'only people who signed in have settings and views');
  return person;
}

export function savePreferences(
  deps: PersonServiceDeps,
  { caller }: RequestContext,
  wanted: Partial<Preferences>,
): Promise<Person> {
  return decideAgain(async () => {
    const person = await requirePerson(deps, caller);
    const preferences = decidePreferences(person.preferences, wanted);
    return replace(deps, person, { preferences }, []);
  });
}

/** Disabled, a person has no session within a second and gets none until enabled again. Refuses with `notFound`, or `invalidState` for oneself. */
export function setPersonStatus(
  deps: PersonServiceDeps,
  context: RequestContext,
  { personId, status, reason }: { personId: string; status: PersonStatus; reason: string | null },
  complete: CompletePersonChange<Person>,
): Promise<Person> {
  return decideAgain(async () => {
    const person = await requireOther(deps, context, personId);
    if (credentialIdOf(person) === context.caller.credentialId)
      throw new DomainError('invalidState', 'nobody changes the status of oneself: another person does');
    if (person.status === status) return person;
    const changes = [{ field: 'status', from: person.status, to: status }, ...reasonChange(reason)];
    const action = status === 'DISABLED' ? 'person.disabled' : 'person.enabled';
    const next = { status, sessionGeneration: person.sessionGeneration + 1 };
    const done = await replace(
      deps,
      person,
      next,
      [deps.audit(context, personChange(person, action, changes))],
      complete,
    );
    deps.onEnded();
    return done;
  });
}

/** Ends every session of the caller's own, or, with the right to and saying why, of another person. */
export function signOutEverywhere(
  deps: PersonServiceDeps,
  context: RequestContext,
  { personId, reason }: { personId: string | null; reason: string | null | undefined },
): Promise<Person> {
  return decideAgain(async () => {
    const { caller } = context;
    const isOwn = personId === null || personId === personIdOf(caller);
    if (!isOwn && !may(caller, 'people:write')) throw new DomainError('forbidden', 'needs people:write');
    const why = reasonChange(isOwn ? null : reasonOfAct(context, reason));
    const person = isOwn ? await requirePerson(deps, caller) : await requireOther(deps, context, personId);
    const record = deps.audit(context, personChange(person, 'person.signedOutEverywhere', why));
    const done = await replace(deps, person, { sessionGeneration: person.sessionGeneration + 1 }, [record]);
    deps.onEnded();
    return done;
  });
}

async function requireOther(deps: PersonServiceDeps, { caller }: RequestContext, personId: string): Promise<Person> {
  const [person] = await deps.people.find(caller, [personId]);
  if (!person) throw new DomainError('notFound', 'There is no such person.');
  return person;
}

async function replace(
  { clock, inTransaction, people }: PersonServiceDeps,
  person: Person,
  changed: Partial<Person>,
  inserts: ReturnType<RecordChange>[],
  complete: CompletePersonChange<Person> = () => [],
): Promise<Person> {
  const next: Person = { ...person, ...changed, version: person.version + 1, updatedAt: clock.now() };
  await inTransaction({ updates: [people.replace(next, person.version), ...complete(next)], inserts });
  return next;
}

/** Keeps a view of the caller's own, or changes one. Refuses with `notFound`, `invalidInput`, and `invalidData` beyond the hundredth. */
export async function saveView(
  deps: PersonServiceDeps,
  { caller }: RequestContext,
  wanted: WantedView,
): Promise<SavedView> {
  const person = await requirePerson(deps, caller);
  const { viewId, ...content } = decideView(wanted);
  const now = deps.clock.now();
  const known = viewId === null ? null : await deps.views.findOwn(caller, viewId);
  if (viewId !== null && !known) throw new DomainError('notFound', 'There is no such view of your own.');
  if (known) {
    const next: SavedView = { ...known, ...content, ownerName: person.name, updatedAt: now };
    await deps.inTransaction({ updates: [deps.views.replace(next)] });
    return next;
  }
  if ((await deps.views.countOwn(caller)) >= viewsMax)
    throw new DomainError('invalidData', `a person keeps ${viewsMax} views at most`, { field: 'views' });
  const { environment, accountId } = person;
  const owner = { owner: caller.credentialId, ownerName: person.name };
  const view: SavedView = {
    viewId: newOrderedId(),
    environment,
    accountId,
    ...owner,
    ...content,
    createdAt: now,
    updatedAt: now,
  };
  await deps.inTransaction({ inserts: [deps.views.insert(view)] });
  return view;
}

/** Refuses with `notFound` what is not the caller's own. */
export async function deleteView(deps: PersonServiceDeps, { caller }: RequestContext, viewId: string): Promise<string> {
  await requirePerson(deps, caller);
  if (!(await deps.views.remove(caller, viewId)))
    throw new DomainError('notFound', 'There is no such view of your own.');
  return viewId;
}
