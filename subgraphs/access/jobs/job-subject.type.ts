// What a row of a job is about, as the graph shows it: the payment, callback, application or merchant itself, asked of the domain that owns it.
import { createUnionType, Directive, Field, ID, ObjectType } from 'type-graphql';
import { ApiKeyMerchant } from '../keys/api-key.type';
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
export class JobApplication {
  @Field(() => ID) id!: string;
}

export const JobSubject = createUnionType({
  name: 'JobSubject',
  description: 'Whatever can be acted on in bulk.',
  types: () => [JobPayment, JobCallback, JobApplication, ApiKeyMerchant] as const,
});

const payment = (paymentId: string) => Object.assign(new JobPayment(), { paymentId });
const application = (id: string) => Object.assign(new JobApplication(), { id });

/** Told apart by their class, as what a search finds is. */
const subjects: Record<JobAct, (key: string) => object> = {
  REDELIVER_CALLBACK: (callbackId) => Object.assign(new JobCallback(), { callbackId }),
  CAPTURE_PAYMENT: payment,
  REFUND_PAYMENT: payment,
  VOID_PAYMENT: payment,
  ABANDON_APPLICATION: application,
  RESEND_ACTIVATION: application,
  DEACTIVATE_MERCHANT: (merchantId) => Object.assign(new ApiKeyMerchant(), { merchantId }),
};

export function jobSubjectOf(act: JobAct, key: string): object {
  return subjects[act](key);
}
