// The part of the canary proof that onboards: webhook authorizations, link tokens in answers, mails and addresses, refusals included.
import { randomBytes } from 'node:crypto';
import { send } from '../support/client';
import { onboardingOf } from '../support/onboarding';
import { eventually } from '../support/stores';
import type { World } from '../support/world';
import type { Canaries } from './canaries';
import type { Receiver } from './receivers';

/** Created, refused, opened, completed, failed, sent again, signed and refused by staff; its statuses are told with an authorization of its own. */
export async function oneApplication(world: World, receiver: Receiver, canaries: Canaries): Promise<void> {
  const { plant, answers } = canaries;
  const partner = onboardingOf(world, 'alpha');
  const told = receiver.deliveries.filter(({ path }) => path === '/onboarding').length;
  const secret = (name: string) => plant(name, randomBytes(15).toString('hex'));
  const webhook = (authorization: string, eventName = 'onboarding.initiated') => ({
    eventName,
    authorization,
    url: `${receiver.url}/onboarding`,
  });
  const webhooks = [
    webhook(secret('webhook authorization')),
    webhook(secret('webhook authorization'), 'onboarding.processing'),
  ];
  const headers = { 'Idempotency-Key': secret('Idempotency-Key') };
  const create = () =>
    partner.create({ notifications: { webhooks } }, { adminUser: { sendActivationEmail: true }, headers });
  const created = await create();
  await create();
  const { id, verificationLink } = created.body;
  const visit = async (link: string, tail = '', body?: URLSearchParams) => {
    const token = String(link.split('/').at(-1));
    plant('link token', token.replace('sign_', ''));
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const path = `/onboarding/${token}${tail}`;
    const options = body ? { headers: type, body: body.toString() } : {};
    return send(world.urls.pay, { method: body ? 'POST' : 'GET', path, options });
  };
  /** With the version that the form on the page has; none behind a dead link. */
  const submit = async (link: string, tail: string, typed: Record<string, string>) => {
    const [, version = ''] = /name="version" value="(\d+)"/.exec((await visit(link)).text) ?? [];
    return visit(link, tail, new URLSearchParams({ ...typed, version }));
  };
  const terms = { terms: 'yes' };
  await visit(verificationLink);
  await submit(verificationLink, '/complete', terms);
  await visit(verificationLink, '/fail', new URLSearchParams());
  const { verificationLink: newLink } = (await partner.resend(id)).body;
  answers.push(await visit(verificationLink), await submit(verificationLink, '/sign', terms));
  answers.push(await visit(`/${randomBytes(32).toString('base64url')}`));
  await submit(newLink, '/complete', terms);
  await submit(newLink, '/sign', { signatory: 'Aase Lund' });
  const refused = { notifications: { webhooks: [webhook(`${secret('webhook authorization (wrong)')}-`)] } };
  answers.push(await partner.read(id), await partner.create(refused), await partner.update(id, refused));
  await partner.lever(id, 'REFUSE');
  await eventually(() => receiver.deliveries.filter(({ path }) => path === '/onboarding').length >= told + 2 || null, {
    timeoutMs: 20_000,
  });
}
