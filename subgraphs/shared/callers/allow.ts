// `@allow` in the schema: which rights open a field, any one being enough, and whether a person must have signed in a moment ago. Read from the printed contract and laid around the resolvers: the one place where rights are enforced.
import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type ObjectTypeDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import { Directive } from 'type-graphql';
import type { Clock } from '../clock';
import { DomainError } from '../errors';
import type { RequestContext } from './context';
import { may, neededWords, type Rule } from './rights';

/** States who may: `@Allow('payments:read')` above a query, a mutation, a subscription or a field. */
export function Allow(...anyOf: [Rule, ...Rule[]]): MethodDecorator & PropertyDecorator {
  return Directive(`@allow(any: ${JSON.stringify(anyOf)})`) as MethodDecorator & PropertyDecorator;
}

/** The same for acts of money, keys and secrets: a person does them only within minutes of a sign-in. Programs are not asked. */
export function AllowFresh(...anyOf: [Rule, ...Rule[]]): MethodDecorator & PropertyDecorator {
  return Directive(`@allow(any: ${JSON.stringify(anyOf)}, freshSignIn: true)`) as MethodDecorator & PropertyDecorator;
}

/** For what is everybody's by its rule, while only a surface of ours ever asks it: it stands in no contract of callers (audience.ts). */
export function Internal(): MethodDecorator {
  return Directive('@tag(name: "internal")') as MethodDecorator;
}

export const allowDefinition =
  '"""The rights that open the field, any one of them; `public` is everybody\'s. `freshSignIn`: a person must have signed in within the last ten minutes, else `freshSignInNeeded`."""\ndirective @allow(any: [String!]!, freshSignIn: Boolean) on FIELD_DEFINITION';

const rootTypes: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

/** Rules by type and field. */
export type RulesByType = ReadonlyMap<string, ReadonlyMap<string, readonly Rule[]>>;

/** What the contract states. */
export function rulesOf(typeDefs: DocumentNode): RulesByType {
  const rules = new Map<string, ReadonlyMap<string, readonly Rule[]>>();
  for (const definition of typeDefs.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.OBJECT_TYPE_EXTENSION) continue;
    const own = fieldRules(definition as ObjectTypeDefinitionNode);
    if (own.size > 0) rules.set(definition.name.value, new Map([...(rules.get(definition.name.value) ?? []), ...own]));
  }
  return rules;
}

function fieldRules({ fields = [] }: ObjectTypeDefinitionNode): Map<string, readonly Rule[]> {
  const rules = new Map<string, readonly Rule[]>();
  for (const field of fields) {
    const rule = ruleOf(field.directives ?? []);
    if (rule) rules.set(field.name.value, rule);
  }
  return rules;
}

/** What `@allow` among them says; null without it. */
export function ruleOf(directives: readonly DirectiveNode[]): readonly Rule[] | null {
  const directive = directives.find((each) => each.name.value === 'allow');
  return directive ? wordsOf(directive) : null;
}

/** Throws when a root field states no rule: a field that nobody thought about is not served. */
export function assertRuled(typeDefs: DocumentNode): void {
  const rules = rulesOf(typeDefs);
  for (const definition of typeDefs.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || !rootTypes.has(definition.name.value)) continue;
    const type = definition.name.value;
    for (const { name } of definition.fields ?? [])
      if (!rules.get(type)?.get(name.value)?.length)
        throw new Error(`${type}.${name.value} does not state who may: put @Allow(...) above it`);
  }
}

function wordsOf({ arguments: given = [] }: DirectiveNode): readonly Rule[] {
  const any = given.find(({ name }) => name.value === 'any');
  return any ? (valueFromASTUntyped(any.value) as Rule[]) : [];
}

/** Throws `unauthenticated` without any credential, `forbidden` without one of the rights. */
export function assertAllowed({ caller }: Pick<RequestContext, 'caller'>, rule: readonly Rule[]): void {
  if (caller.kind === 'anonymous' && !rule.includes('public')) throw new DomainError('unauthenticated');
  if (may(caller, ...rule)) return;
  throw new DomainError('forbidden', neededWords(rule));
}

type GuardedResolver = (root: unknown, args: unknown, context: RequestContext, info: { fieldName: string }) => unknown;
type ResolverEntry = GuardedResolver | { resolve?: GuardedResolver; subscribe?: GuardedResolver } | undefined;

/** The resolvers with every rule of the contract in front of what it opens. */
export function guarded(
  resolvers: Record<string, Record<string, unknown>>,
  typeDefs: DocumentNode,
  clock: Pick<Clock, 'now'>,
): Record<string, Record<string, unknown>> {
  const all = { ...resolvers };
  const fresh = freshFieldsOf(typeDefs);
  for (const [type, rules] of rulesOf(typeDefs)) {
    const fields = { ...all[type] };
    for (const [field, rule] of rules) {
      const asks = fresh.has(`${type}.${field}`) ? clock : null;
      const entry = guardedEntry(fields[field] as ResolverEntry, rule, asks);
      fields[field] = type === 'Mutation' ? readingAnew(entry) : entry;
    }
    all[type] = fields;
  }
  return all;
}

/** `Type.field` of whatever a person may do only after a sign-in of a moment ago. */
export function freshFieldsOf(typeDefs: DocumentNode): ReadonlySet<string> {
  const found = new Set<string>();
  for (const definition of typeDefs.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    for (const { name, directives = [] } of definition.fields ?? [])
      if (asksFreshSignIn(directives)) found.add(`${definition.name.value}.${name.value}`);
  }
  return found;
}

/** Whether `@allow` among them says so. */
export function asksFreshSignIn(directives: readonly DirectiveNode[]): boolean {
  const directive = directives.find((each) => each.name.value === 'allow');
  const asked = directive?.arguments?.find(({ name }) => name.value === 'freshSignIn')?.value;
  return asked?.kind === Kind.BOOLEAN && asked.value;
}

/** `fresh`: the clock that a person's sign-in is held to; null where none is asked for. */
function guardedEntry(entry: ResolverEntry, rule: readonly Rule[], fresh: Pick<Clock, 'now'> | null): ResolverEntry {
  if (typeof entry === 'object') {
    const { resolve = property, subscribe } = entry;
    const guardedSubscribe = subscribe ? { subscribe: guard(subscribe, rule, fresh) } : {};
    return { ...entry, resolve: guard(resolve, rule, fresh), ...guardedSubscribe };
  }
  return guard(entry ?? property, rule, fresh);
}

function guard(resolve: GuardedResolver, rule: readonly Rule[], fresh: Pick<Clock, 'now'> | null): GuardedResolver {
  return (root, args, context, info) => {
    assertAllowed(context, rule);
    if (fresh) assertFreshSignIn(context, fresh.now());
    return resolve(root, args, context, info);
  };
}

/** Mutations of one request are done one after the other: what the one before has read for its answer is not how things stand now. */
function readingAnew(entry: ResolverEntry): ResolverEntry {
  if (typeof entry !== 'function') return entry;
  return (root, args, context, info) => {
    context.loaders.clear();
    return entry(root, args, context, info);
  };
}

const property: GuardedResolver = (root, _args, _context, { fieldName }) =>
  (root as Record<string, unknown> | null | undefined)?.[fieldName];

/** How long a sign-in counts as fresh, on the one clock: an unattended screen moves no money, and shows no key or secret. */
const freshSignInMs = 10 * 60_000;

/** Until when a sign-in counts as fresh; null when the provider has not said when that was. */
export function freshUntil(authTime: Date | null | undefined): Date | null {
  return authTime ? new Date(authTime.getTime() + freshSignInMs) : null;
}

/** Refuses a person with `freshSignInNeeded`; programs are not asked. */
export function assertFreshSignIn({ caller }: Pick<RequestContext, 'caller'>, now: Date): void {
  if (caller.kind !== 'person') return;
  const until = freshUntil(caller.authTime);
  if (!until || until <= now) throw new DomainError('freshSignInNeeded');
}
