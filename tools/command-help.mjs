// What `--help` says about each operator command, and the options that it takes; the partner's command line (`pay`) has help of its own.

/** @type {Record<string, { usage: string, about: string, options?: Record<string, string>, words?: Record<string, string> }>} */
const commands = {
  stop: {
    usage: 'npm run stop',
    about: 'Stops what a start in this folder (DATA_DIR) left running, and says what it stopped.',
  },
  reset: {
    usage: 'npm run reset [-- --yes]',
    about:
      'Deletes the databases, keys and credentials of this installation (DATA_DIR), after asking. Fetched database servers stay.',
    options: { '--yes': 'do not ask' },
  },
  databases: {
    usage: 'npm run databases',
    about: 'Runs MongoDB and Redis alone, on free ports, until it is stopped, and prints their addresses.',
    options: { '--with-parent': 'end when standard input ends' },
  },
  database: {
    usage: 'npm run database:users | database:slots',
    about:
      'Works on the database of MONGODB_URI, which is the address of a user that may. For users MONGODB_PASSWORDS has a password for each role (npm run keys:make).',
    words: {
      users: 'roles and users of MongoDB from the table of role-database: made, or brought up to date',
      slots:
        'documents of a release before get their slots while everything runs; to be run when no process of a release before is left',
    },
  },
  schema: {
    usage: 'npm run schema [-- --check | --release]',
    about: 'Prints the contracts and plans below schema/.',
    options: {
      '--check': 'compare instead of printing; exit code 1 when they differ',
      '--release': 'keep the contracts of callers as those of the version in package.json, too',
    },
  },
  supergraph: {
    usage: 'npm run -s supergraph [-- --contract staff|tenant]',
    about:
      'Prints the supergraph with the addresses of the subgraphs: those of SUBGRAPH_URLS, or of the spread-out installation that runs in DATA_DIR.',
    options: { '--contract <name>': 'what callers of that contract may ask (default: staff)' },
  },
  operator: {
    usage:
      'npm run operator:create | keys:roll | vault:rewrap | vault:rotate | vault:destroy | journal:rebuild | figures:rebuild [-- options]',
    about:
      'What operators do from a shell, on the running installation in DATA_DIR or the one of MONGODB_URI and REDIS_URL.',
    words: {
      create: 'a graph client of internal staff, its secret shown once',
      'roll-keys': 'a new current encryption key',
      'rewrap-vault': 'wraps every data key with the present key of its family',
      'rotate-vault': 'a new data key for every account, or for one',
      'destroy-data': 'destroys the data keys of an account: what they sealed can never be read again',
      'rebuild-journal': 'makes the journal again from the event log and compares it',
      'rebuild-figures': 'makes the figures of metrics again from the event log and compares them',
    },
    options: {
      '--label <name>': 'create: what the client is called',
      '--role <role>': 'create: viewer, support, operator or administrator (default: administrator)',
      '--apply': 'rebuild-journal, rebuild-figures: puts what was rebuilt in place',
      '--account <id>': 'rotate-vault, destroy-data: whose keys',
      '--yes': 'destroy-data: that it is meant',
    },
  },
};

const exitCodes = 'Exit codes: 0 done, 1 failed (one sentence says why), 2 wrong usage.';

/** The text and exit code to end with before anything is prepared; null when the command shall run. */
export function helpFor(name, given) {
  const command = commands[name];
  if (!command) return null;
  if (given.includes('--help') || given.includes('-h')) return { text: printed(command), code: 0 };
  const known = new Set(['--', ...Object.keys(command.options ?? {}).map((option) => option.split(' ')[0])]);
  const wrong = given.find((word) => word.startsWith('-') && !known.has(word.split('=')[0]));
  return wrong ? { text: `${name} has no option ${wrong.split('=')[0]}: --help shows what it takes.`, code: 2 } : null;
}

function printed({ usage, about, words = {}, options = {} }) {
  const rows = Object.entries({ ...words, ...options, '--help': 'this text' });
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`);
  return [`Usage: ${usage}`, '', about, '', ...lines, '', exitCodes].join('\n');
}
