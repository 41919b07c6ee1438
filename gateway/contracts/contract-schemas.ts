// A contract is the graph composed again with what is not for its audience made `@inaccessible`: federation's own way from tags to what callers see.
import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import { type ConstDirectiveNode, type DefinitionNode, type GraphQLSchema, Kind } from 'graphql';
import { asksFreshSignIn, ruleOf } from '../../subgraphs/shared/callers/allow';
import { type Audience, audienceOf, type CallerContract, contracts } from '../../subgraphs/shared/callers/audience';
import {
  audiencesOf,
  isDefinedHere,
  rankOf,
  type TaggableField,
  type TypedPart,
  tagOf,
  withDirective,
  withFields,
} from './audience-tags';

const inaccessible: ConstDirectiveNode = {
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: 'inaccessible' },
};

/** The schema of each contract, of parts that `taggedParts` made. */
export function contractSchemas(parts: readonly TypedPart[]): Record<CallerContract, GraphQLSchema> {
  const found = audiencesOf(parts);
  return Object.fromEntries(
    contracts.map((contract) => [contract, composed(parts.map((part) => narrowed(part, contract, found)))]),
  ) as Record<CallerContract, GraphQLSchema>;
}

/** The supergraph of a contract for a gateway that is not ours: with addresses, and without subscriptions, which ours serves out of the log. */
export function supergraphFor(
  parts: readonly TypedPart[],
  contract: CallerContract,
  urls: Readonly<Record<string, string>>,
): string {
  const found = audiencesOf(parts);
  const asked = parts.map((part) => withoutSubscriptions(narrowed(part, contract, found)));
  return composeParts(asked, urls).supergraphSdl;
}

function withoutSubscriptions({ name, typeDefs }: TypedPart): TypedPart {
  const kept = typeDefs.definitions.filter(
    (definition) => !(isType(definition) && definition.name.value === 'Subscription'),
  );
  return { name, typeDefs: { kind: Kind.DOCUMENT, definitions: kept } };
}

/** Composes; throws one Error with everything that is wrong. */
export function composeParts(parts: readonly TypedPart[], urls: Readonly<Record<string, string>> = {}) {
  const result = composeServices(parts.map(({ name, typeDefs }) => ({ name, typeDefs, url: urls[name] ?? '' })));
  if (!result.errors) return result;
  throw new Error(`the subgraphs do not compose:\n${result.errors.map(({ message }) => `  ${message}`).join('\n')}`);
}

/** What callers see of a supergraph. */
export function apiSchemaOf(supergraphSdl: string): GraphQLSchema {
  return Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema();
}

function composed(parts: readonly TypedPart[]): GraphQLSchema {
  return apiSchemaOf(composeParts(parts).supergraphSdl);
}

function narrowed(
  { name, typeDefs }: TypedPart,
  contract: CallerContract,
  found: ReadonlyMap<string, Audience>,
): TypedPart {
  const isShown = (audience: Audience | null | undefined) => !!audience && rankOf(audience) <= rankOf(contract);
  const { definitions } = withFields(typeDefs, <Field extends TaggableField>(field: Field) => {
    if (!isDefinedHere(field)) return field;
    return isShown(tagOf(field)) ? withRights(field, contract) : withDirective(field, inaccessible);
  });
  const shown = definitions.map((definition) =>
    isType(definition) && !isShown(found.get(definition.name.value))
      ? withDirective(definition, inaccessible)
      : definition,
  );
  return { name, typeDefs: { kind: Kind.DOCUMENT, definitions: shown } };
}

/** Directives do not come through composition, so what `@allow` says stands among the words: the rights that callers of this contract can have. */
function withRights<Field extends TaggableField>(field: Field, contract: CallerContract): Field {
  const { directives = [] } = field;
  const theirs = (ruleOf(directives) ?? []).filter(
    (rule) => rule !== 'public' && rankOf(audienceOf([rule])) <= rankOf(contract),
  );
  if (theirs.length === 0) return field;
  const rights = theirs.map((rule) => `\`${rule}\``).join(' or ');
  const value = `${field.description?.value ?? ''}\nNeeds ${rights}${asksFreshSignIn(directives) ? ', and of a person a fresh sign-in' : ''}.`;
  return { ...field, description: { kind: Kind.STRING, value: value.trim(), block: true } };
}

function isType(definition: DefinitionNode) {
  return (
    definition.kind === Kind.OBJECT_TYPE_DEFINITION ||
    definition.kind === Kind.INTERFACE_TYPE_DEFINITION ||
    definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION ||
    definition.kind === Kind.UNION_TYPE_DEFINITION ||
    definition.kind === Kind.ENUM_TYPE_DEFINITION ||
    definition.kind === Kind.SCALAR_TYPE_DEFINITION
  );
}
