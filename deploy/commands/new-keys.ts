// `npm run -s keys:make`: fresh keys for an installation in containers, one NAME=value a line; printed once, kept nowhere.
import { randomBytes } from 'node:crypto';
import { newInternalKey, publicHalf } from '../../gateway/internal-keys';
import { internalSenderNames } from '../../gateway/internal-senders';
import { auditPublicKey } from '../../subgraphs/access';
import { familyVariables } from '../keyring';

const random = (name: string) => [name, randomBytes(32).toString('base64')];
const auditKey = randomBytes(32).toString('base64');
const senders = internalSenderNames.map((name) => [name, newInternalKey()] as const);
const lines = [
  ...[...familyVariables.map(({ current }) => current), 'CURSOR_KEY', 'SANDBOX_SEED', 'SANDBOX_KEY'].map(random),
  ['AUDIT_KEY', auditKey],
  ['AUDIT_PUBLIC_KEYS', auditPublicKey(auditKey)],
  ...senders.map(([name, key]) => [`INTERNAL_PRIVATE_KEY_${name.toUpperCase().replace('-', '_')}`, key]),
  ['INTERNAL_PUBLIC_KEYS', JSON.stringify(Object.fromEntries(senders.map(([name, key]) => [name, publicHalf(key)])))],
];
process.stdout.write(`${lines.map(([name, value]) => `${name}=${value}`).join('\n')}\n`);
