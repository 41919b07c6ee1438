// A mail of ours: what it says is decided by its kind, language and link; the link stays sealed until it is sent (onboarding interface, sendActivationEmail).
import type { Environment } from '../../shared/callers/caller';
import type { Sealed } from '../../shared/crypto/vault';
import type { PortalLanguage } from '../applications/application';

/**
 * WAITING: due at `dueAt`. SENT: a mail server took it. FAILED: given up, a person must look. REPLACED: never sent, because a newer link took the
 * place of its own, and whoever asked for that one told the merchant of it.
 * KEPT: of the sandbox, where nothing is sent and anybody may read it.
 */
export const mailStatuses = ['WAITING', 'SENT', 'FAILED', 'REPLACED', 'KEPT'] as const;
type MailStatus = (typeof mailStatuses)[number];

export const mailKinds = ['activation'] as const;

export interface Mail {
  mailId: string;
  environment: Environment;
  accountId: string;
  to: string;
  language: PortalLanguage;
  kind: (typeof mailKinds)[number];
  /** null once it was sent or given up: nobody needs it any more. */
  link: Sealed | null;
  companyName: string | null;
  status: MailStatus;
  tries: number;
  /** On the one clock. */
  dueAt: Date;
  createdAt: Date;
  endedAt: Date | null;
  /** What the mail server said last, in a few words. */
  lastFailure: string | null;
}

/** One mail as a mail server takes it. */
export interface MailMessage {
  /** The same on every try, so that one that arrives twice can be told. */
  mailId: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** How a mail server took it; `permanent`: no later try would be better, for example because there is no such mailbox. */
export type MailOutcome = { sent: true } | { sent: false; permanent: boolean; failure: string };

export type SendMail = (message: MailMessage) => Promise<MailOutcome>;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Wait after each failed try; after the last the mail is given up. The link lives longer than all of them. */
export const mailWaitsMs = [
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  2 * hourMs,
  6 * hourMs,
  12 * hourMs,
  24 * hourMs,
  24 * hourMs,
] as const;

/** How long a try may take before another process takes the mail again. */
export const mailTakenMs = 2 * minuteMs;

/** What became of a try: a mail server was asked, or nobody, because the link opens nothing any more. */
export type MailTry = MailOutcome | { sent: false; isReplaced: true };

export const linkReplaced: MailTry = { sent: false, isReplaced: true };

export const linkIsOver: MailOutcome = {
  sent: false,
  permanent: true,
  failure: 'The link ended before it could be sent.',
};

export interface MailDecision extends Pick<Mail, 'dueAt' | 'endedAt' | 'lastFailure'> {
  status: Exclude<MailStatus, 'KEPT'>;
}

/** What follows from a try; `tries` counts it. */
export function decideMail(outcome: MailTry, tries: number, now: Date): MailDecision {
  if (outcome.sent) return { status: 'SENT', dueAt: now, endedAt: now, lastFailure: null };
  if ('isReplaced' in outcome)
    return { status: 'REPLACED', dueAt: now, endedAt: now, lastFailure: 'A newer link replaced it.' };
  const lastFailure = outcome.failure;
  const waitMs = outcome.permanent ? undefined : mailWaitsMs[tries - 1];
  if (waitMs === undefined) return { status: 'FAILED', dueAt: now, endedAt: now, lastFailure };
  return { status: 'WAITING', dueAt: new Date(now.getTime() + waitMs), endedAt: null, lastFailure };
}
