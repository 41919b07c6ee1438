// The sandbox's mail outbox for a person: every mail that would have been sent, with its link (docs/sandbox.md, Mails). It does not exist in production.
import { equalsConstantTime } from '../../subgraphs/shared/ids';
import type { Asset } from '../assets';
import { html, type Markup } from '../html';
import { document, icons } from '../layout';
import type { PageReply, PageRequest, PageRoute } from '../page-route';
import type { Execute } from '../page-server';
import { runPageOperation } from '../run-operation';
import { scriptlessHeaders } from '../security-headers';
import { textsOf } from '../strings';

interface ListedMail {
  mailId: string;
  at: string;
  to: string;
  subject: string;
  text: string;
  link: string;
}

const shownMax = 50;

interface MailDeps {
  execute: Execute;
  styles: readonly Asset[];
  /** Value of X-Sandbox-Key; a browser sends it as the password of Basic (RFC 7617), under any name. */
  sandboxKey: string;
}

export function mailRoute(deps: MailDeps): PageRoute {
  return {
    method: 'GET',
    pattern: /^\/mails\/?$/,
    name: '/mails',
    serve: (request) => (mayLook(request, deps.sandboxKey) ? show(deps, request.context) : refuse(deps)),
  };
}

/** Whoever reads a mail can sign with its link: the page asks for what `GET /sandbox/mails` asks for. */
function mayLook({ header }: PageRequest, sandboxKey: string): boolean {
  if (sandboxKey === '') return false;
  const [scheme = '', token = ''] = header('authorization').split(' ');
  const pair = scheme.toLowerCase() === 'basic' ? Buffer.from(token, 'base64').toString('utf8') : '';
  const presented = header('x-sandbox-key') || pair.slice(pair.indexOf(':') + 1);
  return equalsConstantTime(presented, sandboxKey);
}

function refuse({ styles }: MailDeps): PageReply {
  const body = html`<div class="sheet lone"><main class="work"><h1>Mails</h1><p class="lead">This page asks for the sandbox key: any name, and <code>sandboxKey</code> of <code>sandbox-credentials.json</code> as the password. Programs send it as <code>X-Sandbox-Key</code>.</p></main></div>`;
  return {
    status: 401,
    headers: { ...scriptlessHeaders(), 'www-authenticate': 'Basic realm="Sandbox: the password is the sandbox key"' },
    body: document({ texts: textsOf('en'), title: 'Mails', styles, isTest: true, body }),
  };
}

async function show({ execute, styles }: MailDeps, context: PageRequest['context']): Promise<PageReply> {
  const operation = 'GetSandboxMails';
  const mails = await runPageOperation<ListedMail[]>(execute, { operation, variables: { first: shownMax }, context });
  const foot = html`<p class="secure">${icons.flask}<span>Only in the sandbox: nothing is sent. The newest ${shownMax} are shown; reload for new ones.</span></p>`;
  const body = html`<div class="sheet lone"><main class="work"><h1>Mails</h1>${mails.length > 0 ? mails.map(mailView) : empty}</main></div>`;
  const title = mails.length > 0 ? `Mails (${mails.length})` : 'Mails';
  return {
    status: 200,
    headers: scriptlessHeaders(),
    body: document({ texts: textsOf('en'), title, styles, isTest: true, foot, body }),
  };
}

const empty = html`<p class="lead">Nothing was sent yet. Create an onboarding application with <code>sendActivationEmail</code>, and its mail appears here.</p>`;

function mailView({ at, to, subject, text, link }: ListedMail): Markup {
  const sentAt = textsOf('en').time(new Date(at));
  return html`<article class="mail"><h2>${icons.mail}<span>${subject}</span></h2><p class="soft">To ${to}, ${sentAt}</p><p class="mail-text">${text.trim()}</p><a class="button" href="${link}">Open the link</a></article>`;
}
