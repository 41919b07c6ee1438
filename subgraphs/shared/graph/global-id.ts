// Global ids: the type of an entity and its key in one opaque word, so that a client can ask for anything that it has seen.

export interface GlobalId {
  typeName: string;
  key: string;
}

export function printGlobalId({ typeName, key }: GlobalId): string {
  return Buffer.from(`${typeName}:${key}`).toString('base64url');
}

/** Null for what is no such id, or is one written in another way. */
export function parseGlobalId(id: string): GlobalId | null {
  const [, typeName, key] = /^([A-Za-z]+):(.+)$/s.exec(Buffer.from(id, 'base64url').toString('utf8')) ?? [];
  if (!typeName || !key) return null;
  return printGlobalId({ typeName, key }) === id ? { typeName, key } : null;
}
