// Documents that were agreed on before anybody asks them, known by the SHA-256 of their text: schema/trusted/*.json, made by whoever builds a client.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Text by hash, hexadecimal. */
export type TrustedDocuments = ReadonlyMap<string, string>;

interface TrustedList {
  documents: Record<string, { name: string; text: string }>;
}

/** Reads every list of a folder that may be absent. A hash that is not that of its text is a defect of the build. */
export function readTrustedDocuments(folder: string): TrustedDocuments {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
  return trustedDocuments(files.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as TrustedList));
}

export function trustedDocuments(lists: readonly TrustedList[]): TrustedDocuments {
  const texts = new Map<string, string>();
  for (const { documents } of lists)
    for (const [hash, { name, text }] of Object.entries(documents)) {
      if (hashOfDocument(text) !== hash)
        throw new Error(`the trusted document ${name} has another hash: print it anew`);
      texts.set(hash, text);
    }
  return texts;
}

/** The hash that a document is known by. */
export function hashOfDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
