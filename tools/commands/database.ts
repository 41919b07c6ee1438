// `npm run database:users`: makes the database's users by role, or brings them up to date; run as a user of MongoDB that may make users.
import { parseArgs } from 'node:util';
import { type Db, MongoClient } from 'mongodb';
import { failureSentence, StartFailure } from '../../app/failure';
import { databaseGrants, databaseOf, privilegesOf, userNameOf } from '../../app/role-database';
import { readConfig } from '../../subgraphs/shared/config';

const { positionals } = parseArgs({ allowPositionals: true });

async function main(): Promise<void> {
  if (positionals[0] !== 'users') throw new StartFailure('Unknown command: expected users.');
  const { MONGODB_URI, MONGODB_PASSWORDS } = readConfig(process.env);
  if (!MONGODB_URI || !MONGODB_PASSWORDS)
    throw new StartFailure(
      'Set MONGODB_URI to the address of a user that may make users, and MONGODB_PASSWORDS to those of npm run keys:make.',
    );
  const passwords = JSON.parse(MONGODB_PASSWORDS) as Record<string, string>;
  const roles = Object.keys(databaseGrants);
  const missing = roles.filter((role) => !passwords[role]);
  if (missing.length > 0) throw new StartFailure(`MONGODB_PASSWORDS has no password for ${missing.join(', ')}.`);
  const name = databaseOf(MONGODB_URI);
  const client = await MongoClient.connect(MONGODB_URI, { serverSelectionTimeoutMS: 10_000 });
  try {
    for (const role of roles) {
      const isNew = await keepUser(client.db(name), role, passwords[role] ?? '');
      process.stdout.write(`${userNameOf(role)} ${isNew ? 'made' : 'up to date'}\n`);
    }
  } finally {
    await client.close();
  }
}

/** Role and user of the same name; what is there is set to what the table says, the password too. True when the user is new. */
async function keepUser(database: Db, role: string, password: string): Promise<boolean> {
  const name = userNameOf(role);
  const rights = { privileges: privilegesOf(role, database.databaseName), roles: [] };
  await database
    .command({ createRole: name, ...rights })
    .catch(unlessThere(() => database.command({ updateRole: name, ...rights })));
  const user = { pwd: password, roles: [{ role: name, db: database.databaseName }] };
  let isNew = true;
  await database.command({ createUser: name, ...user }).catch(
    unlessThere(() => {
      isNew = false;
      return database.command({ updateUser: name, ...user });
    }),
  );
  return isNew;
}

const alreadyThere: ReadonlySet<unknown> = new Set([51002, 51003]);

function unlessThere(otherwise: () => Promise<unknown>) {
  return (error: { code?: unknown }) => {
    if (!alreadyThere.has(error.code)) throw error;
    return otherwise();
  };
}

main().catch((error: unknown) => {
  process.stderr.write(`${failureSentence(error, 'DATA_DIR/logs')}\n`);
  process.exitCode = 1;
});
