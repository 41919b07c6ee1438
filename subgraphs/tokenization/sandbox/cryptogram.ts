// Cryptograms of the sandbox token service: made from a request, checked without being kept (document 1, cryptogram).
import { equalsConstantTime } from '../../shared/ids';
import type { Vault } from '../../shared/vault';

const nonceBytes = 8;
const codeBytes = 12;

/** 8 bytes from the request id and 12 bytes of authentication over them and the token: the same request gets the same one. */
export async function cryptogramOf(vault: Vault, requestId: string, tokenReference: string): Promise<string> {
  const hash = await vault.keyedHash('sandbox-token-service-nonce', requestId);
  return assemble(vault, Buffer.from(hash, 'base64url').subarray(0, nonceBytes), tokenReference);
}

/** Whether this service made the cryptogram for that token. */
export async function isCryptogramOf(vault: Vault, cryptogram: string, tokenReference: string): Promise<boolean> {
  const bytes = Buffer.from(cryptogram, 'base64');
  if (bytes.length !== nonceBytes + codeBytes) return false;
  return equalsConstantTime(await assemble(vault, bytes.subarray(0, nonceBytes), tokenReference), cryptogram);
}

async function assemble(vault: Vault, nonce: Buffer, tokenReference: string): Promise<string> {
  const code = await vault.keyedHash('sandbox-token-service-cryptogram', `${tokenReference}:${nonce.toString('hex')}`);
  return Buffer.concat([nonce, Buffer.from(code, 'base64url').subarray(0, codeBytes)]).toString('base64');
}
