// Preloaded with `--profile`: SIGUSR2 starts the CPU profiler of this process, the next SIGUSR2 stops it and writes <dir>/<pid>.cpuprofile.
const { writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { join } = require('node:path');

const intervalMicros = 200;
let session = null;

process.on('SIGUSR2', () => {
  if (session === null) {
    session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.setSamplingInterval', { interval: intervalMicros });
    session.post('Profiler.start');
    return;
  }
  const running = session;
  session = null;
  running.post('Profiler.stop', (error, answer) => {
    if (!error) writeFileSync(join(process.env.NODE_BENCH_PROFILE_DIR, `${process.pid}.cpuprofile`), JSON.stringify(answer.profile));
    running.disconnect();
  });
});
