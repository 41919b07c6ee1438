// The graph's view of the events that have no list of their own: payouts, bookings of staff, callback endpoints; and what `events` may be narrowed to.
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { Allow } from '../../shared/callers/allow';
import type { OperationResult } from '../../shared/vocabulary/operation';
import { OperationResults } from '../../shared/vocabulary/operation.type';
import type { AttemptState } from '../callbacks/callback';
import { CallbackAttemptResults } from '../callbacks/callback.type';
import { EventFields } from './event-fields.type';

@ObjectType('Payout', { simpleResolvers: true })
@Directive('@key(fields: "payoutId")')
export class EventPayout {
  @Field(() => ID) payoutId!: string;
}

@ObjectType('PayoutEvent', { implements: EventFields, description: 'Money of a merchant was paid out.' })
export class PayoutEventType extends EventFields {
  @Allow('ledger:read')
  @Field(() => EventPayout, { nullable: true, description: 'The payout that it is about.' })
  payout!: EventPayout | null;
}

@ObjectType('LedgerEvent', {
  implements: EventFields,
  description: 'Staff booked money of a merchant, or said where its payouts go.',
})
export class LedgerEventType extends EventFields {
  @Allow('ledger:read')
  @Field(() => ID, { nullable: true, description: 'Id of the booking; null when the account of payouts was set.' })
  ledgerEntryId!: string | null;
}

@ObjectType('CallbackEndpointEvent', {
  implements: EventFields,
  description: 'An address of callbacks was made or changed, or its health did.',
})
export class CallbackEndpointEventType extends EventFields {}

@ObjectType('CallbackAttemptEvent', {
  implements: EventFields,
  description:
    'An attempt to deliver a callback was made: one that failed, came after a failure, or was asked for by a person; with CALLBACK_EVENTS=all every one.',
})
export class CallbackAttemptEventType extends EventFields {
  @Field(() => Int, { nullable: true, description: '1 for the first attempt, then 2, 3 and so on.' })
  number!: number | null;
  @Field(() => CallbackAttemptResults, {
    nullable: true,
    description: 'How it came out; null for a word that only another release knows.',
  })
  result!: AttemptState | null;
  @Field(() => Int, { nullable: true, description: 'HTTP status, when one came.' }) httpStatus!: number | null;
  @Field(() => Int, {
    nullable: true,
    description: 'How long the receiver took, in milliseconds; null where nobody knows.',
  })
  durationMs!: number | null;
  @Field(() => Date, { nullable: true, description: 'When the next attempt was planned for, UTC; null when none was.' })
  nextAt!: Date | null;
}

@ObjectType('Job', { simpleResolvers: true })
@Directive('@key(fields: "jobId")')
export class EventJob {
  @Field(() => ID) jobId!: string;
}

@ObjectType('JobEvent', { implements: EventFields, description: 'A job began, went on, or ended.' })
export class JobEventType extends EventFields {
  @Allow('jobs:read')
  @Field(() => EventJob, { nullable: true, description: 'The job that it is about, as it is now.' })
  job!: EventJob | null;
}

@ObjectType('AuditRecord', { simpleResolvers: true })
@Directive('@key(fields: "auditId", resolvable: false)')
export class EventAuditRecord {
  @Field(() => ID) auditId!: string;
}

@ObjectType('AuditEvent', {
  implements: EventFields,
  description: 'Something came into the audit. Only whoever may read the audit is told.',
})
export class AuditEventType extends EventFields {
  @Allow('audit:read')
  @Field(() => String, { nullable: true, description: 'What was done, for example merchant.changed.' })
  action!: string | null;
  @Allow('audit:read')
  @Field(() => String, { nullable: true, description: 'What kind of thing it was done to, for example merchant.' })
  subjectType!: string | null;
  @Allow('audit:read')
  @Field(() => ID, { nullable: true, description: 'Id of the thing it was done to.' })
  subjectId!: string | null;
  @Allow('audit:read')
  @Field(() => EventAuditRecord, { nullable: true, description: 'The record itself: who, and what changed.' })
  record!: EventAuditRecord | null;
}

@ObjectType('PlainEvent', {
  implements: EventFields,
  description: 'An event about nothing that can be shown: a gap item, of type GAP, where events are no longer kept.',
})
export class PlainEventType extends EventFields {}

@InputType('EventFilter', { description: 'Which events are wanted; everything given must hold.' })
export class EventFilterInput {
  @Field(() => [String], {
    nullable: true,
    description: 'Of these types only, for example operation.recorded and payout.closed; absent: of all.',
  })
  types?: string[];
  @Field(() => [ID], {
    nullable: true,
    description: 'Of these merchants only; absent: of all that the caller may see.',
  })
  merchantIds?: string[];
  @Field(() => [OperationResults], {
    nullable: true,
    description: 'Of operations with one of these results only; absent: whatever came of it.',
  })
  results?: OperationResult[];
  @Field(() => [String], {
    nullable: true,
    description: 'Of the audit, and of these acts only, for example merchant.created; absent: whatever was done.',
  })
  actions?: string[];
}
