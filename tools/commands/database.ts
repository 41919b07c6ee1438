// `npm run database:users` makes the database's users by role, or brings them up to date; `database:slots` gives slots to what releases before wrote. Both are run as a user of MongoDB that may do so.
import { parseArgs } from 'node:util';
import { type Db, MongoClient } from 'mongodb';
import { failureSentence, StartFailure } from '../../app/failure';
import { databaseGrants, databaseOf, privilegesOf, userNameOf } from '../../app/role-database';
import { readConfig } from '../../subgraphs/shared/config';
import { giveAllSlots } from '../../subgraphs/shared/store/give-slots';

const { positionals } = parseArgs({ allowPositionals: true });

const commands: Record<string, (database: Db, passwords: string | undefined) => Promise<void>> = {
  users: keepUsers,
  slots: giveSlots,
};

async function main(): Promise<void> {
  const command = commands[positionals[0] ?? ''];
  if (!command) throw new StartFailure(`Unknown command: expected ${Object.keys(commands).join(' or ')}.`);
  const { MONGODB_URI, MONGODB_PASSWORDS } = readConfig(process.env);
  if (!MONGODB_URI && command === giveSlots)
    throw new StartFailure('Set MONGODB_URI to the address of a user that may update everything and drop indexes.');
  if (!MONGODB_URI || (command === keepUsers && !MONGODB_PASSWORDS))
    throw new StartFailure(
      'Set MONGODB_URI to the address of a user that may make users, and MONGODB_PASSWORDS to those of npm run keys:make.',
    );
  const client = await MongoClient.connect(MONGODB_URI, { serverSelectionTimeoutMS: 10_000 });
  try {
    await command(client.db(databaseOf(MONGODB_URI)), MONGODB_PASSWORDS);
  } finally {
    await client.close();
  }
}

async function keepUsers(database: Db, given: string | undefined): Promise<void> {
  const passwords = JSON.parse(given ?? '{}') as Record<string, string>;
  const roles = Object.keys(databaseGrants);
  const missing = roles.filter((role) => !passwords[role]);
  if (missing.length > 0) throw new StartFailure(`MONGODB_PASSWORDS has no password for ${missing.join(', ')}.`);
  for (const role of roles) {
    const isNew = await keepUser(database, role, passwords[role] ?? '');
    process.stdout.write(`${userNameOf(role)} ${isNew ? 'made' : 'up to date'}\n`);
  }
}

/** When no process of a release before is left: it would add documents without a slot (docs/scale.md). */
async function giveSlots(database: Db): Promise<void> {
  for (const { name, given, left, dropped } of await giveAllSlots(database)) {
    const without = left > 0 ? `, ${left} were without one when all was done` : '';
    const gone = dropped.length > 0 ? `, ${dropped.join(' and ')} dropped` : '';
    process.stdout.write(`${name}: ${given} given their slots${without}${gone}\n`);
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
