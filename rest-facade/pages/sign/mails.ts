// The sandbox's mail outbox for a person: every mail that would have been sent, with its link (docs/sandbox.md, Mails). It does not exist in production.
import type { Asset } from '../assets';
import { html, type Markup } from '../html';
import { document, icons } from '../layout';
import type { PageReply, PageRequest, PageRoute } from '../page-route';
import type { Execute } from '../page-server';
import { runOperation } from '../run-operation';
import { scriptlessHeaders } from '../security-headers';
import { voiceOf } from '../strings';

interface KeptMail {
  mailId: string;
  at: string;
  to: string;
  subject: string;
  text: string;
  link: string;
}

const shownMax = 50;

export function mailRoute({ execute, styles }: { execute: Execute; styles: readonly Asset[] }): PageRoute {
  return {
    method: 'GET',
    pattern: /^\/mails\/?$/,
    name: '/mails',
    serve: ({ context }: PageRequest) => show({ execute, styles }, context),
  };
}

async function show(
  { execute, styles }: { execute: Execute; styles: readonly Asset[] },
  context: PageRequest['context'],
): Promise<PageReply> {
  const operation = 'GetSandboxMails';
  const mails = await runOperation<KeptMail[]>(execute, { operation, variables: { first: shownMax }, context });
  const foot = html`<p class="secure">${icons.flask}<span>Only in the sandbox: nothing is sent. The newest ${shownMax} are shown; reload for new ones.</span></p>`;
  const body = html`<div class="sheet lone"><main class="work"><h1>Mails</h1>${mails.length > 0 ? mails.map(mailView) : empty}</main></div>`;
  const title = mails.length > 0 ? `Mails (${mails.length})` : 'Mails';
  return {
    status: 200,
    headers: scriptlessHeaders(),
    body: document({ voice: voiceOf('en'), title, styles, isTest: true, foot, body }),
  };
}

const empty = html`<p class="lead">Nothing was sent yet. Create an onboarding application with <code>sendActivationEmail</code>, and its mail appears here.</p>`;

function mailView({ at, to, subject, text, link }: KeptMail): Markup {
  const sentAt = voiceOf('en').time(new Date(at));
  return html`<article class="mail"><h2>${icons.mail}<span>${subject}</span></h2><p class="soft">To ${to}, ${sentAt}</p><p class="mail-text">${text.trim()}</p><a class="button" href="${link}">Open the link</a></article>`;
}
