// A schema holds the syntax tree that it was made of: as much again as itself, for as long as the process lives, which nobody who executes it asks for.
import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

/** The same schema, which has let go of it. */
export function withoutSyntax(schema: GraphQLSchema): GraphQLSchema {
  forget(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    forget(type);
    if (isEnumType(type)) type.getValues().forEach(forget);
    else if (isInputObjectType(type)) Object.values(type.getFields()).forEach(forget);
    else if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) [field, ...field.args].forEach(forget);
    }
  }
  for (const directive of schema.getDirectives()) [directive, ...directive.args].forEach(forget);
  return schema;
}

function forget(part: { astNode?: unknown; extensionASTNodes?: readonly unknown[] }): void {
  part.astNode = undefined;
  if (part.extensionASTNodes) part.extensionASTNodes = [];
}
