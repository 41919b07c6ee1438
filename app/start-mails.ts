// The sending of mails, beside the janitor: in production with a mail server; the sandbox keeps its mails.
import type { JanitorTask, Running } from '../workers';
import { startSharedJanitor } from '../workers/janitor.worker';
import { createSmtp } from '../workers/smtp';
import { mailsWait } from './mail-choice';
import type { Platform } from './platform';

/** In every process with the role, for each mail is taken by one of them; a mail server that does not answer holds up nothing else. */
export function startMails(platform: Platform): Running {
  const { clock, config, connection, log, metrics } = platform;
  if (!config.isSandbox && config.SMTP_URL)
    return startSharedJanitor({ clock, connection, log, metrics, name: 'mail', tasks: [mailTask(platform)] });
  if (!config.isSandbox) log.warn(mailsWait);
  return { stop: async () => undefined };
}

/** Sends what is due, and says aloud when a mail was given up: somebody waits for its link. */
function mailTask({ config, onboarding, log, metrics }: Platform): JanitorTask {
  const send = createSmtp({ url: config.SMTP_URL, from: config.MAIL_FROM });
  return {
    name: 'send mails',
    everyMs: 1_000,
    async run(stopping) {
      const { sent, retried, replaced, failed, waiting, givenUp } = await onboarding.sendMails(send, stopping);
      for (const [outcome, count] of Object.entries({ sent, retried, replaced, failed }))
        metrics.mails.labels({ outcome }).inc(count);
      metrics.mailsWaiting.set(waiting);
      metrics.mailsGivenUp.set(givenUp);
      if (retried > 0) log.warn({ count: retried }, 'the mail server did not take mails: they are sent later');
      if (failed > 0) log.error({ count: failed }, 'mails were given up: the partner must deliver the link');
    },
  };
}
