// `npm run databases`: only the two databases, on free ports in DATA_DIR, until it is stopped; for tests and for working on a part.
import { join, resolve } from 'node:path';
import { replaceJsonFile } from '../../app/data-files';
import { failureSentence } from '../../app/failure';
import { planDatabases } from '../../app/launcher/installation';
import { choosePorts } from '../../app/launcher/ports';
import { createProcessLog } from '../../app/launcher/process-log';
import { clearLeftovers, takeDataDir } from '../../app/launcher/single-start';
import { Supervisor } from '../../app/launcher/supervisor';
import { readConfig } from '../../subgraphs/shared/config';

const warn = (line: string) => void process.stderr.write(`${line}\n`);

async function run(): Promise<void> {
  const config = readConfig(process.env);
  const dataDir = resolve(config.DATA_DIR);
  process.once('exit', takeDataDir(dataDir));
  await clearLeftovers(dataDir);
  const log = createProcessLog(join(dataDir, 'logs'), (role, text) => warn(`${role}: ${text}`));
  const ports = await choosePorts(dataDir, '127.0.0.1', { mongod: 0, 'redis-server': 0 });
  const { servers, env } = await planDatabases(config, dataDir, ports, warn);
  const supervisor: Supervisor = new Supervisor({
    changed: () => replaceJsonFile(join(dataDir, 'processes.json'), supervisor.entries()),
    died: (role, how) => warn(`${role} ended unexpectedly (${how})`),
  });
  const stop = () => void supervisor.stop().then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  for (const server of servers) {
    supervisor.start({
      ...server,
      spawn: () => {
        const child = server.spawn();
        log.follow(server.role, [child.stdout, child.stderr]);
        return child;
      },
    });
  }
  await supervisor.allReady(() => undefined);
  process.stdout.write(`export MONGODB_URI='${env.MONGODB_URI}'\nexport REDIS_URL='${env.REDIS_URL}'\nready\n`);
  // Ends with whoever holds the other end of a pipe, so that a killed test run leaves no servers behind.
  if (process.argv.includes('--with-parent')) process.stdin.on('end', stop).on('error', stop).resume();
}

run().catch((error: unknown) => {
  warn(failureSentence(error, 'DATA_DIR/logs'));
  process.exit(1);
});
