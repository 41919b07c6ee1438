// Cryptograms of the sandbox token service: made from a request (tokenization interface, cryptogram).
import type { Vault } from '../../shared/crypto/vault';

const nonceBytes = 8;
const codeBytes = 12;

/** 8 bytes from the request id and 12 bytes of authentication over them and the token: the same request gets the same one. */
export async function cryptogramOf(vault: Vault, requestId: string, tokenReference: string): Promise<string> {
  const hash = await vault.keyedHash('sandbox-token-service-nonce', requestId);
  return assemble(vault, Buffer.from(hash, 'base64url').subarray(0, nonceBytes), tokenReference);
}

async function assemble(vault: Vault, nonce: Buffer, tokenReference: string): Promise<string> {
  const code = await vault.keyedHash('sandbox-token-service-cryptogram', `${tokenReference}:${nonce.toString('hex')}`);
  return Buffer.concat([nonce, Buffer.from(code, 'base64url').subarray(0, codeBytes)]).toString('base64');
}
