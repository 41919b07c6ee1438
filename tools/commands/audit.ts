// `pay audit verify`: verifies the audit of the installation in DATA_DIR, or of the one that MONGODB_URI names; reads the database alone.
import 'reflect-metadata';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { failureSentence, StartFailure } from '../../app/failure';
import { keptSecret } from '../../app/launcher/secrets';
import { runningMongoUri } from '../../app/operator-session';
import { auditChainOf, auditPublicKey, readAuditPublicKeys, verifyAudit } from '../../subgraphs/access';
import type { Clock } from '../../subgraphs/shared/clock';
import { type Config, readConfig } from '../../subgraphs/shared/config';
import { type Mongo, openMongo } from '../../subgraphs/shared/store/mongo';
import { platformSettings } from '../../subgraphs/shared/store/platform-settings';

const waitSecondsDefault = '10';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    expect: { type: 'string' },
    wait: { type: 'string', default: waitSecondsDefault },
    json: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const keys = auditKeys(config);
  const mongo = await openMongo(runningMongoUri(config), 'audit verify');
  try {
    const clock = await readClock(mongo);
    const deps = auditChainOf(mongo.connection, config.environment, clock);
    const waitMsMax = Number(values.wait) * 1_000;
    if (!Number.isFinite(waitMsMax)) throw new StartFailure('--wait takes a number of seconds.');
    const verified = await verifyAudit(deps, { keys, waitMsMax, ...expected() });
    const { end, heads, fault } = verified;
    const text = fault
      ? `The audit does not hold: ${fault}.`
      : `The audit holds: ${end.sequence} records, ${heads} signed days. Its end, for --expect another time: ${end.sequence}:${end.hash}`;
    process.stdout.write(`${values.json ? JSON.stringify({ holds: fault === null, ...verified }) : text}\n`);
    process.exitCode = fault ? 1 : 0;
  } finally {
    await mongo.close();
  }
}

/** Those of AUDIT_PUBLIC_KEYS, and the public half of AUDIT_KEY, which the sandbox keeps in DATA_DIR. */
function auditKeys(config: Readonly<Config>) {
  const own = config.AUDIT_KEY || (config.isSandbox ? keptSecret(resolve(config.DATA_DIR), 'AUDIT_KEY') : '');
  const list = [config.AUDIT_PUBLIC_KEYS, ...(own ? [auditPublicKey(own)] : [])].join(',');
  const keys = readAuditPublicKeys(list);
  if (keys.length > 0) return keys;
  throw new StartFailure('No key is known to verify with: set AUDIT_PUBLIC_KEYS (or AUDIT_KEY) to that of the audit.');
}

/** The one clock as the database tells it: the sandbox may have moved it. */
async function readClock({ connection }: Mongo): Promise<Clock> {
  const setting = await platformSettings<{ _id: string; offsetMs: number }>(connection).findOne({ _id: 'clock' });
  const offsetMs = Number(setting?.['offsetMs'] ?? 0);
  return { now: () => new Date(Date.now() + offsetMs), offsetMs: () => offsetMs };
}

function expected() {
  if (values.expect === undefined) return {};
  const [, sequence, hash] = /^(\d{1,15}):([\w-]*)$/.exec(values.expect) ?? [];
  if (sequence === undefined || hash === undefined)
    throw new StartFailure('--expect takes what an earlier verification printed: <number>:<hash>.');
  return { expected: { sequence: Number(sequence), hash } };
}

main().catch((error: unknown) => {
  process.stderr.write(`${failureSentence(error, 'DATA_DIR/logs')}\n`);
  process.exitCode = 2;
});
