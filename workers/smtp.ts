// Mails by SMTP: one message to one address, and what the mail server's answer means (docs/operations.md, Mail).
import { createTransport } from 'nodemailer';
import type { MailMessage, MailOutcome, SendMail } from '../subgraphs/onboarding';

export interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  url: string;
  /** The sender, for example `Payments <payments@example.com>`. */
  from: string;
}

const connectMsMax = 5_000;
const answerMsMax = 10_000;
const failureLengthMax = 200;

/** Outside this machine a mail goes over TLS only: its link lets whoever reads it sign. */
export function createSmtp({ url, from }: SmtpOptions): SendMail {
  const { protocol, hostname, port, username, password } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'smtps:';
  const isOwnMachine = ['localhost', '127.0.0.1', '::1'].includes(host);
  const transport = createTransport({
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isOwnMachine,
    auth: username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined,
    connectionTimeout: connectMsMax,
    greetingTimeout: connectMsMax,
    socketTimeout: answerMsMax,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ mailId, to, subject, text, html }: MailMessage): Promise<MailOutcome> => {
    const message = {
      from,
      to: { name: '', address: to },
      subject,
      text,
      html,
      messageId: `<${mailId}@${domainOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    };
    try {
      await transport.sendMail(message);
      return { sent: true };
    } catch (error) {
      return failureOf(error);
    }
  };
}

/** A refusal of the recipient or of the message itself is for good; of the login, of the sender or of the moment it is not. */
function failureOf(error: unknown): MailOutcome {
  const {
    message = 'unknown',
    command = '',
    responseCode = 0,
  } = error as Partial<Record<'message' | 'command', string>> & {
    responseCode?: number;
  };
  const permanent = responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command);
  return { sent: false, permanent, failure: message.replace(/\s+/g, ' ').slice(0, failureLengthMax) };
}

function domainOf(from: string): string {
  return /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}
