// What becomes of mails in this installation, in one sentence for whoever starts it.
import type { Config } from '../subgraphs/shared/config';

export const mailsWait = 'SMTP_URL is not set: mails with verification links wait in the database until it is.';

/** Nothing in the sandbox, whose outbox stands in the table of addresses. */
export function mailChoice({ isSandbox, SMTP_URL }: Pick<Config, 'isSandbox' | 'SMTP_URL'>): string[] {
  if (isSandbox) return [];
  return [`Mail:    ${SMTP_URL ? 'SMTP_URL' : mailsWait}`];
}
