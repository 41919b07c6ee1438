// The rules that several variables have in common.
import { z } from 'zod';
import { isOrigin, isOriginList } from './config-values';

export const port = (fallback: number) => z.coerce.number().int().min(0).max(65535).default(fallback);
export const positive = (fallback: number) => z.coerce.number().positive().default(fallback);
export const origin = () => z.string().default('').refine(isOrigin, 'expected an origin such as https://pay.example');
/** None, one or several, comma separated. */
export const originList = () =>
  z.string().default('').refine(isOriginList, 'expected origins such as https://tools.example, comma separated');
export const name = (fallback: string) =>
  z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]{0,39}$/, 'expected letters and digits')
    .default(fallback);
/** A list of upper-case words, comma separated. */
export const wordList = (fallback: string) =>
  z
    .string()
    .regex(/^[A-Z0-9_]{1,32}(,[A-Z0-9_]{1,32})*$/, 'expected upper-case names, comma separated')
    .default(fallback);
export const anyText = z.string().default('');
export const count = (fallback: number, max = Number.MAX_SAFE_INTEGER) =>
  z.coerce.number().int().min(1).max(max).default(fallback);

/** The key-encryption key of one family, and the one before it. */
export function vaultVariables<Family extends string>(family: Family, what: string) {
  return {
    [`VAULT_KEY_${family}`]: anyText.describe(
      `Key-encryption key of ${what}: 32 bytes, base64; the sandbox makes one in DATA_DIR`,
    ),
    [`VAULT_KEY_${family}_PREVIOUS`]: anyText.describe(
      'The other key of a roll-over: the next one at first, then the former until `vault:rewrap` has run',
    ),
  } as Record<`VAULT_KEY_${Family}` | `VAULT_KEY_${Family}_PREVIOUS`, typeof anyText>;
}
