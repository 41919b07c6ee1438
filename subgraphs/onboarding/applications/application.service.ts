// What a partner does with an application: create, update, send the link again (onboarding interface, Endpoints; 2.3-B of the decision register).
import { isStaff } from '../../shared/callers/caller';
import type { RequestContext } from '../../shared/callers/context';
import { reasonChange } from '../../shared/callers/reason';
import { DomainError, type DomainErrorCode } from '../../shared/errors';
import { newId, newSecret, sha256 } from '../../shared/ids';
import { withoutUndefined } from '../../shared/present-members';
import { decideAgain } from '../../shared/store/decide-again';
import { slotOf } from '../../shared/store/slot';
import type { InsertWrite } from '../../shared/store/unit-of-work';
import {
  type AdminUser,
  isMasked,
  maskAuthorization,
  type OnboardingCase,
  type SentApplication,
  type StoredWebhook,
  storedFor,
  type VerificationLink,
} from './application';
import { decideResending, statusRefusal } from './application-action';
import { readAdminUser } from './application-reader';
import { decideMove, linkExpiry } from './moves';
import { merchantTaken, type OnboardingServiceDeps, requireApplication, saveApplication } from './saving.service';

export interface LinkedApplication {
  onboarding: OnboardingCase;
  /** For the merchant alone; only a hash of it is kept. */
  verificationLink: string;
}

/** Refuses with `fieldMissing`, `invalidInput`, the code of a broken rule, or `merchantExists`. */
export function createApplication(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  { application, adminUser }: { application: unknown; adminUser: unknown },
): Promise<LinkedApplication> {
  const sent = deps.readApplication(application);
  const admin = readAdminUser(adminUser);
  return deps.idempotent<LinkedApplication>(context, 'createOnboarding', async (complete) => {
    const { accountId } = context.caller;
    if (accountId === null) throw new DomainError('forbidden', 'A partner creates applications, not staff.');
    const merchantId = sent.merchantId ?? newId().replaceAll('-', '');
    if (sent.merchantId) await refuseTaken(deps, merchantId);
    const { link, verificationLink } = newLink(deps);
    const onboarding = await newOnboarding(deps, { accountId, merchantId, sent, admin, link });
    const mails = admin.sendActivationEmail ? await mailsOf(deps, onboarding, admin.email, verificationLink) : [];
    const result = { onboarding, verificationLink };
    const { requestId } = context;
    await saveApplication(deps, { requestId, read: null, next: onboarding, inserts: mails, updates: complete(result) });
    return result;
  });
}

/**
 * Replaces the whole application and voids a pending signature. Refuses as creation does, and with `notFound` or `applicationStatusInvalid`.
 * A merchantId that is not sent stays; a masked authorization keeps the secret that it stands for.
 */
export async function updateApplication(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  applicationId: string,
  application: unknown,
): Promise<OnboardingCase> {
  const sent = await readUpdate(deps, context, applicationId, application);
  return deps.idempotent<OnboardingCase>(context, 'updateOnboarding', (complete) =>
    decideAgain(async () => {
      const read = await requireApplication(deps, context, applicationId);
      const merchantId = sent.merchantId ?? read.merchantId;
      const moved = decideMove(read, { action: 'UPDATE', change: { facts: sent.facts, merchantId } }, deps.clock.now());
      if (moved === null) throw statusRefusal(read);
      if (merchantId !== read.merchantId) await refuseTaken(deps, merchantId);
      const webhooks = await sealWebhooks(deps, read.accountId, sent, read.webhooks ?? []);
      const logSlot = logSlotAfter(read, merchantId);
      const next = { ...moved, ...withoutUndefined({ logSlot }), webhooks, signature: null };
      return saveApplication(deps, { requestId: context.requestId, read, next, updates: complete(next) });
    }),
  );
}

/** Of a broken rule only the holder of the application hears; a wrong shape comes before that, and before any look into the database. */
async function readUpdate(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  applicationId: string,
  application: unknown,
): Promise<SentApplication> {
  try {
    return deps.readApplication(application);
  } catch (error) {
    const isOfShape = error instanceof DomainError && shapeCodes.has(error.code);
    if (!isOfShape) await requireApplication(deps, context, applicationId);
    throw error;
  }
}

const shapeCodes: ReadonlySet<DomainErrorCode> = new Set(['fieldMissing', 'invalidInput']);

/**
 * A new link; the one before opens nothing from now on. In the audit when staff do it, or when it is said why.
 * Refuses with `notFound`, `applicationStatusInvalid` or `resendLimit`.
 */
export function resendActivation(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  applicationId: string,
  reason: string | null,
): Promise<LinkedApplication> {
  return deps.idempotent<LinkedApplication>(context, 'resendOnboardingActivation', (complete) =>
    decideAgain(async () => {
      const read = await requireApplication(deps, context, applicationId);
      const now = deps.clock.now();
      const resentAt = decideResending(read, now);
      const { link, verificationLink } = newLink(deps);
      const next = { ...read, link, resentAt, updatedAt: now, touchedAt: now, version: read.version + 1 };
      const to = await recipientOf(deps, read);
      const mails = to === null ? [] : await mailsOf(deps, next, to, verificationLink);
      const result = { onboarding: next, verificationLink };
      await saveApplication(deps, {
        requestId: context.requestId,
        read,
        next,
        inserts: [...mails, ...resendingRecord(deps, context, read, reason)],
        updates: complete(result),
      });
      return result;
    }),
  );
}

function resendingRecord(
  { audit }: OnboardingServiceDeps,
  context: RequestContext,
  { applicationId, accountId }: OnboardingCase,
  reason: string | null,
): InsertWrite[] {
  if (!isStaff(context.caller) && reason === null) return [];
  const action = 'onboarding.activationResent';
  const subject = { subjectType: 'application', subjectId: applicationId, accountId };
  return [audit(context, { action, ...subject, changes: reasonChange(reason) })];
}

/** All events of an application lie in the slot of its first merchantId; undefined while it has that. */
function logSlotAfter(read: OnboardingCase, merchantId: string): number | undefined {
  return merchantId === read.merchantId ? read.logSlot : (read.logSlot ?? slotOf(read));
}

async function refuseTaken(deps: OnboardingServiceDeps, merchantId: string): Promise<void> {
  const { environment, applications } = deps;
  const [isMerchant, isHeld] = await Promise.all([
    deps.isMerchantIdTaken(environment, merchantId),
    applications.isHeld(environment, merchantId),
  ]);
  if (isMerchant || isHeld) throw merchantTaken();
}

interface NewOnboarding {
  accountId: string;
  merchantId: string;
  sent: SentApplication;
  admin: AdminUser;
  link: VerificationLink;
}

async function newOnboarding(
  deps: OnboardingServiceDeps,
  { accountId, merchantId, sent, admin, link }: NewOnboarding,
): Promise<OnboardingCase> {
  const webhooks = await sealWebhooks(deps, accountId, sent, []);
  const now = deps.clock.now();
  return {
    applicationId: await deps.applications.nextId(),
    environment: deps.environment,
    accountId,
    merchantId,
    isLive: true,
    status: 'INITIATED',
    reason: null,
    facts: sent.facts,
    webhooks,
    language: admin.language,
    link,
    resentAt: [],
    adminUserSealed: await deps.vault.seal({ owner: accountId, field: 'application.adminUser' }, JSON.stringify(admin)),
    signatureFailures: 0,
    signature: null,
    approval: null,
    merchantNumber: null,
    createdAt: now,
    updatedAt: now,
    touchedAt: now,
    version: 1,
    sequence: 1,
  };
}

/** Refuses with `webhookInvalid` a mask that stands for nothing we keep. */
function sealWebhooks(
  { vault }: OnboardingServiceDeps,
  accountId: string,
  { webhooks }: SentApplication,
  stored: readonly StoredWebhook[],
): Promise<StoredWebhook[]> | null {
  if (webhooks === null) return null;
  const seal = async (sent: (typeof webhooks)[number], index: number): Promise<StoredWebhook> => {
    const { eventName, url, authorization } = sent;
    if (!isMasked(authorization)) {
      const authorizationSealed = await vault.seal(
        { owner: accountId, field: 'callback.authorization' },
        authorization,
      );
      return { eventName, url, authorizationSealed, authorizationMasked: maskAuthorization(authorization) };
    }
    const kept = storedFor(sent, stored);
    if (kept) return { ...kept, eventName, url };
    const field = `application.notifications.webhooks.${index}.authorization`;
    throw new DomainError('webhookInvalid', `${field} is the mask of none that we keep.`, { field });
  };
  return Promise.all(webhooks.map(seal));
}

/** 256 random bits; the link lives for two weeks. */
function newLink({ payUrl, clock }: OnboardingServiceDeps): { link: VerificationLink; verificationLink: string } {
  const token = newSecret('sign');
  return {
    link: { hash: sha256(token), expiresAt: linkExpiry(clock.now()) },
    verificationLink: `${payUrl}/onboarding/${token}`,
  };
}

async function mailsOf(
  { mailInsert, clock }: OnboardingServiceDeps,
  { environment, accountId, language, facts }: OnboardingCase,
  to: string,
  link: string,
): Promise<InsertWrite[]> {
  const companyName = facts.company.companyName ?? null;
  const draft = { environment, accountId, to, language, companyName, at: clock.now() };
  return [await mailInsert({ ...draft, kind: 'activation', link })];
}

/** The contact person, else the admin user who asked for mail; null: the partner delivers the link. */
async function recipientOf(
  { vault }: OnboardingServiceDeps,
  { accountId, facts, adminUserSealed }: OnboardingCase,
): Promise<string | null> {
  const contact = facts.company.contactPerson?.email;
  if (contact) return contact;
  if (!adminUserSealed) return null;
  const admin = JSON.parse(
    await vault.open({ owner: accountId, field: 'application.adminUser' }, adminUserSealed),
  ) as AdminUser;
  return admin.sendActivationEmail ? admin.email : null;
}
