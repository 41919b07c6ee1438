// New RSA keys: shown as JWK as often as one likes, whatever the garbage collector does meanwhile (in a process of its own, which a frozen one is ended by).
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** Makes `keys` keys by `make` and shows each `shows` times, which fills the young generation over and over; prints how many had a modulus. */
function show(make: string, { keys, shows }: Record<'keys' | 'shows', number>): number {
  const script = `
    const crypto = require('node:crypto');
    const { newRsaKey, newRsaKeySync } = require('./subgraphs/shared/crypto/rsa-key.ts');
    (async () => {
      let shown = 0;
      for (let key = 0; key < ${keys}; key += 1) {
        const privateKey = ${make};
        for (let time = 0; time < ${shows}; time += 1)
          if (privateKey.export({ format: 'jwk' }).n && crypto.createPublicKey(privateKey).export({ format: 'jwk' }).n) shown += 1;
      }
      console.log(shown);
    })();`;
  const args = ['--require', join(root, 'bench/support/typescript.cjs'), '-e', script];
  return Number(execFileSync(process.execPath, args, { cwd: root, timeout: 60_000, killSignal: 'SIGKILL' }));
}

it.each(['await newRsaKey(512)', 'newRsaKeySync(512)'])('%s', (make) => {
  expect(show(make, { keys: 40, shows: 150 })).toBe(40 * 150);
});
