// The program as a whole under the launcher: addresses that answer, and a second start with the credentials of the first. Its processes are restarted by the
// proofs (embedded), and in test/app/database-users.test.ts (split).
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWorld } from '../support/world';
import { answersEverywhere } from './steady-load';

test('a start answers on every address, and a second one in the same DATA_DIR is ready with the same credentials, on the data of the first', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'program-'));
  const path = join(dataDir, 'sandbox-credentials.json');
  const first = await startWorld({
    databases: 'own',
    topology: 'embedded',
    env: { DATA_DIR: dataDir, PROCESSES: '1' },
  });
  await answersEverywhere(first);
  const written = readFileSync(path, 'utf8');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(await first.stop()).toBe(0);
  const second = await startWorld({
    databases: 'own',
    topology: 'embedded',
    env: { DATA_DIR: dataDir, PROCESSES: '1' },
  });
  expect(readFileSync(path, 'utf8')).toBe(written);
  expect(await second.stop()).toBe(0);
  rmSync(dataDir, { recursive: true, force: true });
});
