// `npm run -s keys:make`: fresh keys for an installation in containers, one NAME=value a line; printed once, kept nowhere.
import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { familyVariables } from '../../app/keyring';
import { databaseGrants } from '../../app/role-database';
import { newInternalKey, publicHalf } from '../../gateway/subgraphs/internal-keys';
import { internalSenderNames } from '../../gateway/subgraphs/internal-senders';
import { auditPublicKey } from '../../subgraphs/access';

const random = (name: string) => [name, randomBytes(32).toString('base64')];
const auditKey = randomBytes(32).toString('base64');
const senders = internalSenderNames.map((name) => [name, newInternalKey()] as const);
const passwords = Object.keys(databaseGrants).map((role) => [role, randomBytes(24).toString('base64url')] as const);
const nameOf = (role: string) => role.toUpperCase().replace(/\W/g, '_');
const lines = [
  ...[...familyVariables.map(({ current }) => current), 'CURSOR_KEY', 'SANDBOX_SEED', 'SANDBOX_KEY'].map(random),
  ...passwords.map(([role, password]) => [`MONGODB_PASSWORD_${nameOf(role)}`, password]),
  ['MONGODB_PASSWORDS', JSON.stringify(Object.fromEntries(passwords))],
  ['MONGODB_ROOT_PASSWORD', randomBytes(24).toString('base64url')],
  ['MONGODB_KEYFILE', randomBytes(96).toString('base64url').replace(/[-_]/g, 'x')],
  ['AUDIT_KEY', auditKey],
  ['AUDIT_PUBLIC_KEYS', auditPublicKey(auditKey)],
  ...senders.map(([name, key]) => [`INTERNAL_PRIVATE_KEY_${name.toUpperCase().replace('-', '_')}`, key]),
  ['INTERNAL_PUBLIC_KEYS', JSON.stringify(Object.fromEntries(senders.map(([name, key]) => [name, publicHalf(key)])))],
];
process.stdout.write(`${lines.map(([name, value]) => `${name}=${value}`).join('\n')}\n`);
