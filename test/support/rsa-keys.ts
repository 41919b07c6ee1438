// RSA keys of tests: the n-th of a file is the n-th of every file of its worker, so that each is made once and a file never gets one twice.
import type { KeyObject } from 'node:crypto';
import { newRsaKeySync } from '../../subgraphs/shared/crypto/rsa-key';

/** By length in bits; outlives the file, whose modules go with it. */
const made: Map<number, KeyObject[]> = Reflect.get(globalThis, 'rsaKeysOfTests') ?? new Map();
Reflect.set(globalThis, 'rsaKeysOfTests', made);
const taken = new Map<number, number>();

/** A private key that this file has not had before. */
export function nextRsaKey(modulusLength = 2048): KeyObject {
  const keys = made.get(modulusLength) ?? [];
  made.set(modulusLength, keys);
  const place = taken.get(modulusLength) ?? 0;
  taken.set(modulusLength, place + 1);
  const key = keys[place] ?? newRsaKeySync(modulusLength);
  keys[place] = key;
  return key;
}
