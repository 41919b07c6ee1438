// Mails: writing one beside what it tells about, sending those that are due, and in the sandbox reading them (onboarding interface, sendActivationEmail).
import type { Environment } from '../../shared/callers/caller';
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { inParallel, taken } from '../../shared/store/in-parallel';
import type { InsertWrite } from '../../shared/store/unit-of-work';
import type { MailDraft } from '../ports';
import { decideMail, isTooLate, linkIsOver, type Mail, type MailMessage, type SendMail } from './mail';
import type { MailRepository } from './mail.repository';
import { activationMail } from './mail-text';

export interface MailServiceDeps {
  environment: Environment;
  isSandbox: boolean;
  mails: MailRepository;
  vault: Pick<Vault, 'seal' | 'open'>;
  clock: Clock;
}

/** A mail of the sandbox's outbox. */
export interface KeptMail extends MailMessage {
  at: Date;
  language: Mail['language'];
  link: string;
}

/** How one round of sending went. */
export interface MailRound {
  sent: number;
  retried: number;
  failed: number;
  /** What waits after the round, and what was ever given up. */
  waiting: number;
  givenUp: number;
}

const perRoundMax = 1_000;
/** So many are under way at once, each on a connection of its own: mail servers allow a sender no great number of them. */
const sentAtOnce = 5;
/** After that time a round takes no more: a mail server that is slow, or does not answer, is tried no longer at a stretch. */
const roundMsMax = 10_000;

/** The mail as a write of the caller's unit of work: it exists when and only when that is committed. `mailId` is a new UUID. */
export async function mailInsert(
  { isSandbox, mails, vault }: Pick<MailServiceDeps, 'isSandbox' | 'mails' | 'vault'>,
  mailId: string,
  { at, link, ...draft }: MailDraft,
): Promise<InsertWrite> {
  return mails.insertOf({
    mailId,
    ...draft,
    link: await vault.seal({ owner: draft.accountId, field: 'mail.link' }, link),
    status: isSandbox ? 'KEPT' : 'WAITING',
    tries: 0,
    dueAt: at,
    createdAt: at,
    endedAt: null,
    lastFailure: null,
  });
}

/**
 * One round over what is due, beside those of other processes; harmless to repeat. A mail whose sender died is sent again after two minutes, with
 * the same id.
 */
export async function sendMails(deps: MailServiceDeps, send: SendMail, stopping?: AbortSignal): Promise<MailRound> {
  const { environment, mails, clock } = deps;
  const round = { sent: 0, retried: 0, failed: 0 };
  const until = performance.now() + roundMsMax;
  const due = taken(perRoundMax, async () =>
    stopping?.aborted || performance.now() >= until ? null : mails.takeDue(environment, clock.now()),
  );
  await inParallel(due, sentAtOnce, async (mail) => {
    const outcome = isTooLate(mail, clock.now()) ? linkIsOver : await sendOpened(deps, mail, send);
    const decision = decideMail(outcome, mail.tries, clock.now());
    await mails.record(mail, decision);
    round[outcome.sent ? 'sent' : decision.endedAt ? 'failed' : 'retried'] += 1;
  });
  const { waiting, failed: givenUp } = await mails.count(environment);
  return { ...round, waiting, givenUp };
}

/** The outbox of the sandbox, newest first; empty in production, whatever is stored. */
export async function listKeptMails(deps: MailServiceDeps, limit: number): Promise<KeptMail[]> {
  if (!deps.isSandbox) return [];
  const kept = await deps.mails.list(deps.environment, limit);
  const shown = kept.map(async (mail) => ({
    ...(await messageOf(deps, mail)),
    at: mail.createdAt,
    language: mail.language,
    link: await linkOf(deps, mail),
  }));
  return (await Promise.all(shown.map((each) => each.catch(nullWhenDestroyed)))).filter((mail) => mail !== null);
}

/** A link whose account's data was destroyed leads nowhere. */
async function sendOpened(deps: MailServiceDeps, mail: Mail, send: SendMail) {
  const message = await messageOf(deps, mail).catch(nullWhenDestroyed);
  return message ? send(message) : linkIsOver;
}

function nullWhenDestroyed(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}

async function messageOf(deps: MailServiceDeps, mail: Mail): Promise<MailMessage> {
  const { mailId, to, language, companyName } = mail;
  return { mailId, to, ...activationMail(language, { companyName, link: await linkOf(deps, mail) }) };
}

async function linkOf({ vault }: MailServiceDeps, { accountId, link, mailId }: Mail): Promise<string> {
  if (!link) throw new Error(`mail ${mailId} has no link any more`);
  return vault.open({ owner: accountId, field: 'mail.link' }, link);
}
