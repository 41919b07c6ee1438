// What is no key, although it has the form of one: too short, not random, or used twice (NIST SP 800-57 part 1, 5.2: a key has one purpose).

const keyBytes = 32;
/** Of 32 random bytes fewer than this many differ about once in 10^24 keys. */
const distinctBytesMin = 12;

/** What is wrong with keys in base64, by the names of their variables: one sentence each, never a value. */
export function keyFaults(keys: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(keys).map(([name, value]) => ({ name, key: Buffer.from(value, 'base64') }));
  const faults = entries.flatMap(({ name, key }) => {
    const fault = faultOf(key);
    return fault ? [`${name} ${fault}`] : [];
  });
  for (const [index, { name, key }] of entries.entries()) {
    const twin = entries.slice(0, index).find((other) => other.key.equals(key));
    if (twin) faults.push(`${name} is the same as ${twin.name}`);
  }
  return faults;
}

function faultOf(key: Buffer): string | null {
  if (key.length !== keyBytes) return `has ${key.length} bytes; expected ${keyBytes}, base64`;
  const half = keyBytes / 2;
  if (key.subarray(0, half).equals(key.subarray(half))) return 'is a shorter key written twice';
  return new Set(key).size < distinctBytesMin ? 'is not random: make it with openssl rand -base64 32' : null;
}
