// The approval of an application: a saga of steps that are each harmless to repeat, written down before they are taken and resumed after any death (onboarding interface; 2.3-B of the decision register).
import { systemCaller } from '../../shared/callers/caller';
import { type RequestContext, requestContext } from '../../shared/callers/context';
import { DomainError } from '../../shared/errors';
import { decideAgain } from '../../shared/store/decide-again';
import { inParallel } from '../../shared/store/in-parallel';
import { alpha2 } from '../organization-number';
import { merchantName, type OnboardingCase, terminalOrigins } from './application';
import { assertApprovable, statusRefusal } from './application-action';
import { decideMove } from './moves';
import {
  moveOnce,
  type OnboardingServiceDeps,
  requireApplication,
  type Saving,
  saveApplication,
} from './saving.service';
import { staffRecord } from './staff-record';

const approvalsAtOnce = 50;
/** Written down, merchant made, told: with one to spare for a neighbour who was faster. */
const stepsMax = 8;

export interface ApprovalInput {
  applicationId: string;
  /** Why staff approve it; null: not told. */
  reason: string | null;
}

/** Proposes the approval of what is PROCESSING, once per idempotency key. Refuses with `notFound`, and as `assertApprovable` does. */
export function proposeApproval(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  input: ApprovalInput,
): Promise<{ proposalId: string }> {
  return deps.idempotent(context, 'approveOnboarding', async (complete) => {
    const { accountId, merchantId, status } = await requireApprovable(deps, context, input.applicationId);
    const changes = [
      { field: 'status', from: status, to: 'APPROVED' },
      { field: 'merchant', from: null, to: merchantId },
    ];
    const subject = { subjectType: 'application', subjectId: input.applicationId, accountId };
    const { reason } = input;
    return deps.propose(
      context,
      { kind: 'ONBOARDING_APPROVAL', ...subject, reason, changes, input: { ...input } },
      complete,
    );
  });
}

/** Approves what a second person confirmed, and makes its merchant, number and terminal. Refuses as the proposal does. */
export async function approveOnboarding(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  { applicationId, reason }: ApprovalInput,
  beside: Pick<Saving, 'inserts' | 'updates'>,
): Promise<OnboardingCase> {
  const read = await requireApprovable(deps, context, applicationId);
  return finishApproval(deps, context, await writeApproval(deps, context, { read, reason, beside }));
}

async function requireApprovable(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  applicationId: string,
): Promise<OnboardingCase> {
  const read = await requireApplication(deps, context, applicationId);
  assertApprovable(read);
  return read;
}

/** Writes the approval down, once; an application of another status comes back as it is. */
export function requestApproval(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  applicationId: string,
): Promise<OnboardingCase> {
  return decideAgain(async () => {
    const read = await requireApplication(deps, context, applicationId);
    if (read.status !== 'PROCESSING' || read.approval !== null) return read;
    assertApprovable(read);
    return writeApproval(deps, context, { read, reason: null, beside: {} });
  });
}

function writeApproval(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  {
    read,
    reason,
    beside,
  }: { read: OnboardingCase; reason: string | null; beside: Pick<Saving, 'inserts' | 'updates'> },
): Promise<OnboardingCase> {
  const now = deps.clock.now();
  const { requestId, caller } = context;
  const next: OnboardingCase = {
    ...read,
    approval: { by: caller.credentialId, at: now, requestId, reason, step: 'REQUESTED', terminalId: null },
    updatedAt: now,
    touchedAt: now,
    version: read.version + 1,
  };
  const record = staffRecord(deps.audit, context, { action: 'onboarding.approvalRequested', read, next, reason });
  const { inserts = [], updates = [] } = beside;
  return saveApplication(deps, { requestId, read, next, inserts: [record, ...inserts], updates });
}

/** Takes what steps are left; safe to run again, and at the same time as somebody else. */
export async function finishApproval(
  deps: OnboardingServiceDeps,
  context: Pick<RequestContext, 'caller' | 'requestId'>,
  onboarding: OnboardingCase,
): Promise<OnboardingCase> {
  let present = onboarding;
  for (let step = 0; step < stepsMax; step += 1) {
    if (present.status !== 'PROCESSING' || present.approval === null) return present;
    present = await decideAgain(async () =>
      takeStep(deps, await requireApplication(deps, context, present.applicationId)),
    );
  }
  throw new DomainError('conflict', undefined, { retryAfterSeconds: 1 });
}

/** The janitor's part: approvals whose process died or could not go on. Returns how many it finished. */
export async function resumeApprovals(deps: OnboardingServiceDeps): Promise<number> {
  const context = requestContext(systemCaller(deps.environment, 'approvals'), 'janitor');
  const waiting = await deps.applications.listApprovals(deps.environment, approvalsAtOnce);
  await inParallel(waiting, approvalsAtOnce, async (each) => void (await finishApproval(deps, context, each)));
  return waiting.length;
}

/** One step, or none when the application is no longer on its way. */
async function takeStep(deps: OnboardingServiceDeps, read: OnboardingCase): Promise<OnboardingCase> {
  const { approval } = read;
  if (read.status !== 'PROCESSING' || approval === null) return read;
  if (approval.step === 'REQUESTED') return provision(deps, read, approval);
  const next = decideMove(read, { action: 'APPROVE' }, deps.clock.now());
  if (next === null) throw new Error('there is no arrow to APPROVED');
  return saveApplication(deps, { requestId: approval.requestId, read, next });
}

/** Merchant, number and terminal; when the merchantId is somebody else's by now, the application ends. */
async function provision(
  deps: OnboardingServiceDeps,
  read: OnboardingCase,
  approval: NonNullable<OnboardingCase['approval']>,
): Promise<OnboardingCase> {
  const { requestId } = approval;
  const { environment, accountId, applicationId, merchantId, facts } = read;
  try {
    const { merchantNumber, terminalId } = await deps.provisionMerchant(
      {
        environment,
        accountId,
        applicationId,
        merchantId,
        name: merchantName(facts),
        orgNumber: facts.company.organizationNumber,
        vatNumber: facts.company.vatNumber ?? null,
        country: alpha2[facts.country],
        currency: facts.currency,
        origins: terminalOrigins(facts, deps.isSandbox),
      },
      requestId,
    );
    const made: OnboardingCase = {
      ...read,
      merchantNumber,
      approval: { ...approval, step: 'PROVISIONED', terminalId },
      updatedAt: deps.clock.now(),
      version: read.version + 1,
    };
    return await saveApplication(deps, { requestId, read, next: made });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'merchantExists') throw error;
    return endTaken(deps, read, requestId);
  }
}

async function endTaken(deps: OnboardingServiceDeps, read: OnboardingCase, requestId: string): Promise<OnboardingCase> {
  const move = { action: 'REFUSE', ending: 'MERCHANT_ID_TAKEN', change: { approval: read.approval } } as const;
  const next = decideMove({ ...read, approval: null }, move, deps.clock.now());
  if (next === null) throw new Error('there is no arrow to ABANDONED');
  return saveApplication(deps, { requestId, read, next });
}

/** Refuses what is PROCESSING and not being approved. Refuses with `notFound` or `applicationStatusInvalid`. */
export async function refuseOnboarding(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  applicationId: string,
  reason: string,
): Promise<OnboardingCase> {
  return endByStaff(deps, context, { applicationId, action: 'REFUSE', reason });
}

/** Gives up what is not signed yet. Refuses with `notFound` or `applicationStatusInvalid`. */
export async function abandonOnboarding(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  applicationId: string,
  reason: string,
): Promise<OnboardingCase> {
  return endByStaff(deps, context, { applicationId, action: 'ABANDON', reason });
}

function endByStaff(
  deps: OnboardingServiceDeps,
  context: RequestContext,
  { applicationId, action, reason }: { applicationId: string; action: 'REFUSE' | 'ABANDON'; reason: string },
): Promise<OnboardingCase> {
  const field = action === 'REFUSE' ? 'refuseOnboarding' : 'abandonOnboarding';
  return deps.idempotent(context, field, async (complete) => {
    const { onboarding, isMoved } = await moveOnce(deps, context, {
      load: () => requireApplication(deps, context, applicationId),
      move: () => ({ action, reason }),
      inserts: (read, next) => [
        staffRecord(deps.audit, context, { action: 'onboarding.abandoned', read, next, reason }),
      ],
      updates: complete,
    });
    if (!isMoved) throw statusRefusal(onboarding);
    return onboarding;
  });
}
