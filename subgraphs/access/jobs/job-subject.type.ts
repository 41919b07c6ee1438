// What a row of a job is about, as the graph shows it: the payment, callback, application or merchant itself, asked of the domain that owns it.
import { createUnionType, Directive, Field, ID, ObjectType } from 'type-graphql';
import type { Caller } from '../../shared/callers/caller';
import { may, type Right } from '../../shared/callers/rights';
import { AccessMerchant } from '../keys/api-key.type';
import type { JobAct } from './job';

@ObjectType('Payment', { simpleResolvers: true })
@Directive('@key(fields: "paymentId", resolvable: false)')
export class JobPayment {
  @Field(() => ID) paymentId!: string;
}

@ObjectType('Callback', { simpleResolvers: true })
@Directive('@key(fields: "callbackId", resolvable: false)')
export class JobCallback {
  @Field(() => ID) callbackId!: string;
}

@ObjectType('OnboardingApplication', { simpleResolvers: true })
@Directive('@key(fields: "id", resolvable: false)')
export class AccessApplication {
  @Field(() => ID) id!: string;
}

export const JobSubject = createUnionType({
  name: 'JobSubject',
  description: 'Whatever can be acted on in bulk.',
  types: () => [JobPayment, JobCallback, AccessApplication, AccessMerchant] as const,
});

/** Told apart by their class, as what a search finds is. */
interface Subject {
  /** What opens it: whoever reads jobs alone has its key. */
  right: Right;
  of(key: string): object;
}

const payment: Subject = {
  right: 'payments:read',
  of: (paymentId) => Object.assign(new JobPayment(), { paymentId }),
};
const application: Subject = {
  right: 'onboarding:read',
  of: (id) => Object.assign(new AccessApplication(), { id }),
};

const subjects: Record<JobAct, Subject> = {
  REDELIVER_CALLBACK: {
    right: 'callbacks:read',
    of: (callbackId) => Object.assign(new JobCallback(), { callbackId }),
  },
  CAPTURE_PAYMENT: payment,
  REFUND_PAYMENT: payment,
  VOID_PAYMENT: payment,
  ABANDON_APPLICATION: application,
  RESEND_ACTIVATION: application,
  DEACTIVATE_MERCHANT: {
    right: 'merchants:read',
    of: (merchantId) => Object.assign(new AccessMerchant(), { merchantId }),
  },
};

/** Null when the caller may not see it. */
export function jobSubjectOf(caller: Caller, act: JobAct, key: string): object | null {
  const { right, of } = subjects[act];
  return may(caller, right) ? of(key) : null;
}
