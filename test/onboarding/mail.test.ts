// Mails: written with what they tell about, sent once through a real SMTP conversation, tried again, given up aloud; kept in the sandbox
// (onboarding interface, sendActivationEmail; docs/operations.md, Mail).
import { randomBytes } from 'node:crypto';
import { portalLanguages } from '../../subgraphs/onboarding/applications/application';
import { createApplicationRepository } from '../../subgraphs/onboarding/applications/application.repository';
import { decideMail, mailTakenMs, mailWaitsMs, type SendMail } from '../../subgraphs/onboarding/mails/mail';
import { createMailRepository } from '../../subgraphs/onboarding/mails/mail.repository';
import {
  listKeptMails,
  type MailServiceDeps,
  mailInsert,
  sendMails,
} from '../../subgraphs/onboarding/mails/mail.service';
import { activationMail } from '../../subgraphs/onboarding/mails/mail-text';
import type { MailDraft } from '../../subgraphs/onboarding/ports';
import { manualClock } from '../../subgraphs/shared/clock';
import { readConfig } from '../../subgraphs/shared/config';
import { createVault } from '../../subgraphs/shared/crypto/vault';
import { newId } from '../../subgraphs/shared/ids';
import { createCommitter } from '../../subgraphs/shared/store/committer';
import { createSmtp } from '../../workers';
import { eventually, openStores, type Stores } from '../support/stores';
import { keyringFor } from '../support/vault';
import { linked } from './fresh-application';
import { type SmtpServer, startSmtpServer } from './smtp-server';

const token = 'Zx9vQ2mR7tK4wB1nY8pL3sD6fG5hJ0cA';
const link = `https://pay.example/onboarding/${token}`;
const start = new Date('2026-11-21T12:00:00Z');

let stores: Stores;
let server: SmtpServer;
let clock: ReturnType<typeof manualClock>;
let send: SendMail;

beforeAll(async () => {
  [stores, server] = await Promise.all([openStores(), startSmtpServer()]);
  send = createSmtp({ url: server.url, from: 'Payments <payments@pay.example>' });
  const { connection } = stores;
  for (const create of [createMailRepository, createApplicationRepository]) await create(connection).ensureIndexes();
});
beforeEach(async () => {
  clock = manualClock(start);
  for (const name of ['mails', 'onboarding_applications']) await stores.connection.collection(name).deleteMany({});
  await leadTo(link);
  server.deliveries.length = 0;
});
afterAll(async () => {
  await server.close();
  await stores.close();
});

const vaultKey = randomBytes(32).toString('base64');
function deps(isSandbox = false): MailServiceDeps {
  const { connection } = stores;
  return {
    environment: 'production',
    isSandbox,
    clock,
    mails: createMailRepository(connection),
    applications: createApplicationRepository(connection),
    vault: createVault(connection, keyringFor({ current: vaultKey, previous: '' })),
  };
}
const draft = (partial: Partial<MailDraft> = {}): MailDraft => ({
  environment: 'production',
  accountId: 'alpha',
  to: 'owner@shop.example',
  language: 'EN_US',
  kind: 'activation',
  link,
  companyName: 'Ægir & Sønner',
  at: clock.now(),
  ...partial,
});
async function write(partial: Partial<MailDraft> = {}, isSandbox = false): Promise<string> {
  const mailId = newId();
  const insert = await mailInsert(deps(isSandbox), mailId, draft(partial));
  await createCommitter(stores.connection).inTransaction({ inserts: [insert] });
  return mailId;
}
/** The application's link from now on; another one opens nothing. */
async function leadTo(verificationLink: string): Promise<void> {
  const applications = createApplicationRepository(stores.connection);
  await stores.connection.collection('onboarding_applications').deleteMany({});
  await createCommitter(stores.connection).inTransaction({
    inserts: [applications.insertOf(linked(verificationLink, clock.now()))],
  });
}
const stored = async (mailId: string) =>
  (await stores.connection.collection('mails').findOne({ _id: mailId as never })) as Record<string, unknown> | null;
/** Soft line breaks and escapes of quoted-printable undone. */
const plain = (data: string) =>
  Buffer.from(
    data.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

describe('in production', () => {
  test('a mail is sent once, as text and HTML, to its one address, and its link is forgotten', async () => {
    const mailId = await write();
    expect(JSON.stringify(await stored(mailId))).not.toContain(token);
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 1, waiting: 0, givenUp: 0 });
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 0 });
    const [delivery] = server.deliveries;
    expect(server.deliveries).toHaveLength(1);
    expect(delivery).toMatchObject({ from: 'payments@pay.example', to: ['owner@shop.example'], user: 'mailer:p@ss' });
    const data = plain(delivery?.data ?? '');
    for (const part of [
      `Message-ID: <${mailId}@pay.example>`,
      'Auto-Submitted: auto-generated',
      `${link}\n`,
      `href="${link}"`,
      'Ægir & Sønner',
      'Ægir &#38; Sønner',
    ])
      expect(data).toContain(part);
    expect(await stored(mailId)).toMatchObject({ status: 'SENT', link: null, tries: 1, endedAt: start });
  });

  test.each([
    ['no greeting', { at: 'greeting', answer: '421 busy' }],
    ['a login that is refused', { at: 'AUTH', answer: '535 who are you' }],
    ['a sender that is refused', { at: 'MAIL', answer: '550 not you' }],
    ['a full mailbox', { at: 'RCPT', answer: '452 full' }],
    ['a content that cannot be taken now', { at: 'end', answer: '451 later' }],
    ['a connection that breaks', { at: 'DATA', answer: 'hangUp' }],
  ] as const)('after %s it is tried again, the same mail', async (_what, fault) => {
    const mailId = await write();
    server.fail(fault);
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 0, retried: 1, failed: 0, waiting: 1 });
    expect(await sendMails(deps(), send)).toMatchObject({ retried: 0 });
    const waiting = await stored(mailId);
    expect(waiting).toMatchObject({ status: 'WAITING', tries: 1, dueAt: new Date(start.getTime() + mailWaitsMs[0]) });
    expect(waiting?.['lastFailure']).toMatch(/\w/);
    clock.advance(mailWaitsMs[0]);
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 1, waiting: 0 });
    expect(server.deliveries.map(({ data }) => data.includes(`<${mailId}@`))).toEqual([true]);
  });

  test.each([
    ['no such mailbox', { at: 'RCPT', answer: '550 no such user' }],
    ['a content that is refused', { at: 'end', answer: '554 spam' }],
  ] as const)('%s is given up at once, visibly, and its link forgotten', async (_what, fault) => {
    const mailId = await write();
    server.fail(fault);
    expect(await sendMails(deps(), send)).toMatchObject({ failed: 1, waiting: 0, givenUp: 1 });
    expect(await stored(mailId)).toMatchObject({ status: 'FAILED', link: null, tries: 1 });
    clock.advance(30 * 86_400_000);
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 0, givenUp: 1 });
  });

  test('a mail whose sender died is sent by the next one, and what that one wrote stands', async () => {
    const mailId = await write();
    let release = () => {};
    const slow: SendMail = () =>
      new Promise((resolve) => {
        release = () => resolve({ sent: false, permanent: true, failure: 'too late' });
      });
    const first = sendMails(deps(), slow);
    const before = await untilTaken(mailId);
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 0 });
    clock.advance(mailTakenMs);
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 1 });
    release();
    await first;
    expect(before).toBe(1);
    expect(await stored(mailId)).toMatchObject({ status: 'SENT', tries: 2 });
  });

  test('a slow mail server has several at once, of two processes each its own, and none more once they stop', async () => {
    const mailIds = await Promise.all(Array.from({ length: 14 }, () => write()));
    const begun: string[] = [];
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const slow: SendMail = async ({ mailId }) => {
      begun.push(mailId);
      await answered;
      return { sent: true };
    };
    const stopping = new AbortController();
    const rounds = [sendMails(deps(), slow, stopping.signal), sendMails(deps(), slow, stopping.signal)];
    await eventually(() => begun.length === 10);
    stopping.abort();
    answer();
    const sent = (await Promise.all(rounds)).map((round) => round.sent);
    expect([sent, new Set(begun).size]).toEqual([[5, 5], 10]);
    expect(await sendMails(deps(), slow)).toMatchObject({ sent: 4, waiting: 0 });
    expect([...begun].sort()).toEqual(mailIds.sort());
  });

  test('a mail that waited longer than its link lives is not sent', async () => {
    const mailId = await write();
    clock.advance(14 * 86_400_000);
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 0, failed: 1 });
    expect(server.deliveries).toEqual([]);
    expect(await stored(mailId)).toMatchObject({ status: 'FAILED', link: null });
  });

  test('a mail whose link was replaced while it waited is not sent after the one with the new link', async () => {
    const former = await write();
    server.fail({ at: 'end', answer: '451 later' });
    expect(await sendMails(deps(), send)).toMatchObject({ retried: 1 });
    const newLink = `${link}-again`;
    await leadTo(newLink);
    await write({ link: newLink });
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 1 });
    clock.advance(mailWaitsMs[0]);
    expect(await sendMails(deps(), send)).toMatchObject({ sent: 0, replaced: 1, failed: 0, givenUp: 0 });
    expect(server.deliveries.map(({ data }) => plain(data).includes(`${newLink}\n`))).toEqual([true]);
    expect(await stored(former)).toMatchObject({ status: 'REPLACED', link: null, endedAt: clock.now() });
  });

  test('nothing is listed, whatever is stored', async () => {
    await write();
    expect(await listKeptMails(deps(), 50)).toEqual([]);
  });
});

async function untilTaken(mailId: string): Promise<unknown> {
  for (;;) {
    const tries = (await stored(mailId))?.['tries'];
    if (tries) return tries;
  }
}

test('the waits grow, the last failure ends it, and all of them fit into the life of a link', () => {
  const later = { sent: false, permanent: false, failure: 'later' } as const;
  expect([...mailWaitsMs]).toEqual([...mailWaitsMs].sort((a, b) => a - b));
  expect(mailWaitsMs.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(14 * 86_400_000);
  expect(decideMail(later, mailWaitsMs.length, start).status).toBe('WAITING');
  expect(decideMail(later, mailWaitsMs.length + 1, start)).toMatchObject({ status: 'FAILED', lastFailure: 'later' });
});

describe('in the sandbox', () => {
  test('nothing is sent; everything can be read, newest first, and the link is sealed where it is kept', async () => {
    const first = await write({}, true);
    clock.advance(1_000);
    const second = await write({ to: 'contact@shop.example', language: 'DE_DE' }, true);
    expect(await sendMails(deps(true), send)).toMatchObject({ sent: 0, waiting: 0 });
    const mails = await listKeptMails(deps(true), 50);
    expect(mails.map(({ mailId, to, link: shown }) => [mailId, to, shown])).toEqual([
      [second, 'contact@shop.example', link],
      [first, 'owner@shop.example', link],
    ]);
    expect(await listKeptMails(deps(true), 1)).toHaveLength(1);
    expect(JSON.stringify(await stored(second))).not.toContain(token);
  });
});

describe('what a mail says', () => {
  test.each(portalLanguages)('%s: link, days and company, with no place left open', (language) => {
    const { subject, text, html } = activationMail(language, { companyName: 'Nordlys', link });
    expect(subject).toContain('Nordlys');
    expect(text).toContain(`\n\n${link}\n\n`);
    for (const said of [subject, text, html]) expect(said).not.toMatch(/\{\w+\}/);
    expect(text).toContain('14');
    const without = activationMail(language, { companyName: '  ', link });
    expect(without.text).not.toContain('Nordlys');
    expect(new Set(portalLanguages.map((each) => activationMail(each, { companyName: null, link }).subject)).size).toBe(
      5,
    );
  });

  test('what a partner typed stays text: no header of its own, no markup', () => {
    const companyName = 'A\r\nBcc: all@example.com\r\n<script>{days}</script> $& "';
    const { subject, text, html } = activationMail('EN_US', { companyName, link });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toContain('<script>');
    expect(text).toContain('<script>{days}</script> $& "');
  });
});

describe('configuration', () => {
  test.each([
    ['smtps://user:pw@mail.example:465', 'a@b.example', true],
    ['smtp://127.0.0.1:2525', 'Payments <a@b.example>', true],
    ['https://mail.example', 'a@b.example', false],
    ['smtp://mail.example/path', 'a@b.example', false],
    ['smtp://', 'a@b.example', false],
    ['smtp://mail.example', '', false],
    ['smtp://mail.example', 'nobody', false],
    ['smtp://mail.example', 'a@b.example\r\nBcc: x@y.example', false],
  ])('SMTP_URL %s with MAIL_FROM %j', (SMTP_URL, MAIL_FROM, isGood) => {
    const read = () => readConfig({ SMTP_URL, MAIL_FROM });
    if (isGood) expect(read()).toMatchObject({ SMTP_URL, MAIL_FROM });
    else expect(read).toThrow(/SMTP_URL|MAIL_FROM/);
  });

  test('outside this machine no mail goes in the clear', async () => {
    const { port } = new URL(server.url);
    const elsewhere = createSmtp({ url: `smtp://[::ffff:127.0.0.1]:${port}`, from: 'a@b.example' });
    const outcome = await elsewhere({ mailId: newId(), to: 'c@d.example', subject: 's', text: 't', html: 'h' });
    expect(outcome).toMatchObject({ sent: false, permanent: false, failure: expect.stringMatching(/TLS/) });
    expect(server.deliveries).toEqual([]);
  });
});
