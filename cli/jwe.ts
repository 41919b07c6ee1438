// `pay jwe seal` and `pay jwe open`: what a caller does with encryptedData (tokenization interface, JWE format), by the library most callers use.
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { callJson } from './call';
import { CommandFailure, exitCodes } from './failure';

const algorithm = 'RSA-OAEP-256';
const encryption = 'A256GCM';

export interface SealedPayload {
  encryptedData: string;
  kid: string;
}

/** Fetches the current key of a key set: the first RSA key with `use: enc`. */
export async function currentKey(jwksUrl: string): Promise<JWK & { kid: string }> {
  const { keys = [] } = (await callJson(jwksUrl)) as { keys?: JWK[] };
  const key = keys.find((candidate) => candidate.kty === 'RSA' && candidate.use === 'enc' && candidate.kid);
  if (key?.kid) return { ...key, kid: key.kid };
  throw new CommandFailure(exitCodes.unreachable, `${jwksUrl} lists no RSA key for encryption.`);
}

/** Seals a JSON object to a public key, with exactly alg, enc and kid in the header. */
export async function seal(payload: string, recipient: JWK & { kid: string }): Promise<SealedPayload> {
  const canonical = JSON.stringify(parseObject(payload));
  const key = await importJWK(recipient, algorithm);
  const encryptedData = await new CompactEncrypt(new TextEncoder().encode(canonical))
    .setProtectedHeader({ alg: algorithm, enc: encryption, kid: recipient.kid })
    .encrypt(key);
  return { encryptedData, kid: recipient.kid };
}

/** Opens a compact JWE, or the JSON answer that carries one as `encryptedData`; returns the payload as JSON text. */
export async function open(input: string, privateJwk: JWK): Promise<string> {
  const compact = compactIn(input.trim());
  const key = await importJWK(privateJwk, algorithm);
  try {
    const { plaintext } = await compactDecrypt(compact, key, {
      keyManagementAlgorithms: [algorithm],
      contentEncryptionAlgorithms: [encryption],
    });
    return JSON.stringify(parseObject(new TextDecoder().decode(plaintext)));
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(exitCodes.input, `The JWE does not open with this key${kidHint(compact, privateJwk)}.`);
  }
}

function compactIn(input: string): string {
  if (!input.startsWith('{')) return input;
  const { encryptedData, errorCode, message } = parseObject(input);
  if (typeof encryptedData === 'string') return encryptedData;
  const said = [errorCode, message].filter((word) => typeof word === 'string').join(', ');
  throw new CommandFailure(
    exitCodes.input,
    said ? `The answer to open is a refusal: ${said}.` : 'The JSON to open has no field encryptedData.',
  );
}

function kidHint(compact: string, privateJwk: JWK): string {
  try {
    const { kid } = decodeProtectedHeader(compact);
    return kid === privateJwk.kid ? '' : `: it was sealed to kid ${kid}, the key is ${privateJwk.kid}`;
  } catch {
    return ': it is not a compact JWE';
  }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // the one refusal below says it
  }
  throw new CommandFailure(exitCodes.input, 'The payload is not a JSON object.');
}
