// Mails: writing one beside what it tells about, sending those that are due, and in the sandbox reading them (onboarding interface, sendActivationEmail).
import type { Environment } from '../../shared/callers/caller';
import type { Clock } from '../../shared/clock';
import type { Vault } from '../../shared/crypto/vault';
import { DomainError } from '../../shared/errors';
import { sha256 } from '../../shared/ids';
import { inParallel, taken } from '../../shared/store/in-parallel';
import type { InsertWrite } from '../../shared/store/unit-of-work';
import type { ApplicationRepository } from '../applications/application.repository';
import { isLinkAlive } from '../applications/moves';
import type { MailDraft } from '../ports';
import { decideMail, linkIsOver, linkReplaced, type Mail, type MailMessage, type MailTry, type SendMail } from './mail';
import type { MailRepository } from './mail.repository';
import { activationMail } from './mail-text';

export interface MailServiceDeps {
  environment: Environment;
  isSandbox: boolean;
  mails: MailRepository;
  applications: Pick<ApplicationRepository, 'findByLink'>;
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
  /** Not sent: a newer link took the place of theirs. */
  replaced: number;
  failed: number;
  /** What waits after the round, and what was ever given up. */
  waiting: number;
  givenUp: number;
}

const namesInRound = { SENT: 'sent', WAITING: 'retried', REPLACED: 'replaced', FAILED: 'failed' } as const;

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
  const round = { sent: 0, retried: 0, replaced: 0, failed: 0 };
  const until = performance.now() + roundMsMax;
  const due = taken(perRoundMax, async () =>
    stopping?.aborted || performance.now() >= until ? null : mails.takeDue(environment, clock.now()),
  );
  await inParallel(due, sentAtOnce, async (mail) => {
    const outcome = await sendOpened(deps, mail, send);
    const decision = decideMail(outcome, mail.tries, clock.now());
    await mails.record(mail, decision);
    round[namesInRound[decision.status]] += 1;
  });
  const { waiting, failed: givenUp } = await mails.count(environment);
  return { ...round, waiting, givenUp };
}

/** The outbox of the sandbox, newest first; empty in production, whatever is stored. */
export async function listKeptMails(deps: MailServiceDeps, limit: number): Promise<KeptMail[]> {
  if (!deps.isSandbox) return [];
  const kept = await deps.mails.list(deps.environment, limit);
  const shown = kept.map(async (mail) => {
    const link = await linkOf(deps, mail);
    return { ...messageOf(mail, link), at: mail.createdAt, language: mail.language, link };
  });
  return (await Promise.all(shown.map((each) => each.catch(nullWhenDestroyed)))).filter((mail) => mail !== null);
}

/** A link whose account's data was destroyed leads nowhere, and so does one that was replaced since: its mail would come after the good one. */
async function sendOpened(deps: MailServiceDeps, mail: Mail, send: SendMail): Promise<MailTry> {
  const link = await linkOf(deps, mail).catch(nullWhenDestroyed);
  if (link === null) return linkIsOver;
  const token = link.slice(link.lastIndexOf('/') + 1);
  const application = await deps.applications.findByLink(deps.environment, sha256(token));
  if (!application) return linkReplaced;
  return isLinkAlive(application, deps.clock.now()) ? send(messageOf(mail, link)) : linkIsOver;
}

function nullWhenDestroyed(error: unknown): null {
  if (error instanceof DomainError) return null;
  throw error;
}

function messageOf({ mailId, to, language, companyName }: Mail, link: string): MailMessage {
  return { mailId, to, ...activationMail(language, { companyName, link }) };
}

async function linkOf({ vault }: MailServiceDeps, { accountId, link, mailId }: Mail): Promise<string> {
  if (!link) throw new Error(`mail ${mailId} has no link any more`);
  return vault.open({ owner: accountId, field: 'mail.link' }, link);
}
