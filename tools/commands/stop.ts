// `npm run stop`: stops what an `npm start` in this folder left running, launcher first, and says what it stopped.
import { resolve } from 'node:path';
import { failureSentence, StartFailure } from '../../app/failure';
import { clearLeftovers, commandOf, lockHolderOf } from '../../app/launcher/single-start';
import { readConfig } from '../../subgraphs/shared/config';

const stopMsMax = 60_000;

async function stop(): Promise<void> {
  const dataDir = resolve(readConfig(process.env).DATA_DIR);
  const launcher = lockHolderOf(dataDir);
  if (launcher !== undefined) {
    process.kill(launcher, 'SIGTERM');
    const until = Date.now() + stopMsMax;
    while (commandOf(launcher) !== '') {
      if (Date.now() > until)
        throw new StartFailure(
          `The launcher (process ${launcher}) does not end: end it with "kill -9 ${launcher}" and run this again.`,
        );
      await new Promise((done) => setTimeout(done, 50));
    }
  }
  const left = await clearLeftovers(dataDir);
  const stopped = [...(launcher === undefined ? [] : ['launcher']), ...left];
  process.stdout.write(stopped.length > 0 ? `Stopped ${stopped.join(', ')}.\n` : `Nothing runs in ${dataDir}.\n`);
}

stop().catch((error: unknown) => {
  process.stderr.write(`${failureSentence(error, 'DATA_DIR/logs')}\n`);
  process.exit(1);
});
