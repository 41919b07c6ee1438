// The graph's view of acts in bulk: the job, its rows, and what a person may do with it.
import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { DomainErrorCode } from '../../shared/errors';
import { ActionReasonType, actDescriptions } from '../../shared/graph/action.type';
import { graphEnum } from '../../shared/graph/graph-enum';
import { MoneyType } from '../../shared/graph/money.type';
import { NodeType } from '../../shared/graph/node.type';
import { ConnectionFields } from '../../shared/graph/page.type';
import { RefusalCodes } from '../../shared/graph/refusal-code.type';
import { type JobAct, type JobMove, type JobState, jobActNames, jobMoves, jobStates } from './job';
import { type RowOutcome, rowOutcomes } from './job-row';
import { JobSubject } from './job-subject.type';

export const JobActs = graphEnum(jobActNames, {
  name: 'JobAct',
  description: 'What can be done in bulk.',
  values: {
    REDELIVER_CALLBACK: 'Callbacks are sent again, each as by `redeliverCallback`.',
    CAPTURE_PAYMENT: 'Of payments what is authorized is taken, or less of it.',
    REFUND_PAYMENT: 'Of payments what was captured is given back, or less of it.',
    VOID_PAYMENT: 'Authorizations are released whole.',
    ABANDON_APPLICATION: 'Applications that are not signed are given up.',
    RESEND_ACTIVATION: 'Merchants of applications get a new link.',
    DEACTIVATE_MERCHANT: 'Merchants take no new payments.',
  },
});

export const JobStates = graphEnum(jobStates, {
  name: 'JobState',
  description: 'How far a job has come.',
  values: {
    RUNNING: 'Rows are being done.',
    PAUSED: 'Somebody holds it: `resumeJob` lets it go on.',
    DONE: 'Every row has ended.',
    CANCELLED: 'Somebody ended it; rows that waited stay undone.',
  },
});

export const JobRowOutcomes = graphEnum(rowOutcomes, {
  name: 'JobRowOutcome',
  description: 'What came of a row.',
  values: {
    WAITING: 'It was not done yet; of a cancelled job it never is.',
    SUCCEEDED: 'It was done; in a dry run: it would be.',
    FAILED: 'It was refused, or would be.',
    UNKNOWN: 'It may have been done: the operation tells it later, or a person must look.',
  },
});

export const JobActionKinds = graphEnum(jobMoves, {
  name: 'JobActionKind',
  description: 'What is done with a job.',
  nameOf: (move) => move.toUpperCase(),
  values: {
    pause: 'It is held: `pauseJob`.',
    resume: 'It goes on: `resumeJob`.',
    cancel: 'It ends as it is: `cancelJob`.',
  },
});

@ObjectType('JobAction', { simpleResolvers: true, description: 'One act, and whether this caller may do it now.' })
export class JobActionType {
  @Field(() => JobActionKinds, { description: actDescriptions.action }) action!: JobMove;
  @Field(() => Boolean, { description: actDescriptions.allowed }) allowed!: boolean;
  @Field(() => ActionReasonType, { nullable: true, description: actDescriptions.reason })
  reason!: ActionReasonType | null;
}

@ObjectType('JobSum', { simpleResolvers: true, description: 'What a job moved in one currency, or would move.' })
export class JobSumType {
  @Field(() => String, { description: 'ISO 4217, alphabetic.' }) currency!: string;
  @Field(() => String, { description: 'The sum in this currency, in minor units.' }) amount!: string;
  @Field(() => MoneyType, { description: 'The same with its currency, and as people read it.' }) money!: MoneyType;
}

@ObjectType('JobRefusal', { simpleResolvers: true, description: 'Why rows were refused, and how many.' })
export class JobRefusalType {
  @Field(() => RefusalCodes, { description: 'As `extensions.code` of the act itself has it.' }) code!: DomainErrorCode;
  @Field(() => String, { description: 'The words that the first of them was refused with, in English.' })
  message!: string;
  @Field(() => Int, { description: 'How many rows.' }) count!: number;
}

@ObjectType('JobRow', { simpleResolvers: true, description: 'One thing that a job acts on, and what came of it.' })
export class JobRowType {
  @Field(() => Int, { description: 'Its place in the job, from 1.' }) number!: number;
  @Field(() => ID, { description: 'Id of the payment, callback, application or merchant.' }) key!: string;
  @Field(() => JobSubject, {
    nullable: true,
    description:
      'The payment, callback, application or merchant itself; null when the caller may not see it or there is none.',
  })
  subject!: object | null;
  @Field(() => JobRowOutcomes, { description: 'What came of it.' }) outcome!: RowOutcome;
  @Field(() => RefusalCodes, { nullable: true, description: 'Why not, as `extensions.code` of the act itself has it.' })
  code!: DomainErrorCode | null;
  @Field(() => String, { nullable: true, description: 'The same in words, in English.' }) message!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What it moved, in minor units; in a dry run: what it would move.',
  })
  amount!: string | null;
  @Field(() => String, { nullable: true, description: 'ISO 4217, alphabetic; null where no money moves.' })
  currency!: string | null;
  @Field(() => MoneyType, {
    nullable: true,
    description: 'The amount with its currency, and as people read it; null where no money moves.',
  })
  money!: MoneyType | null;
  @Field(() => ID, { nullable: true, description: 'The operation that it made; null when it made none.' })
  operationId!: string | null;
  @Field(() => Date, { nullable: true, description: 'When it ended, UTC.' }) endedAt!: Date | null;
}

@ObjectType('Job', {
  implements: NodeType,
  simpleResolvers: true,
  description: 'One act on many things, row by row, with a report; kept for 90 days.',
})
@Directive('@key(fields: "jobId")')
export class JobType {
  @Field(() => ID, {
    description: 'Names the job wherever it is asked for; it is the request id of everything that the job does.',
  })
  jobId!: string;
  @Field(() => JobActs, { description: 'What is done to each.' }) act!: JobAct;
  @Field(() => JobStates, { description: 'How far it has come.' }) state!: JobState;
  @Field(() => String, { description: 'Why it was begun, in words.' }) reason!: string;
  @Field(() => String, { description: 'The credential of whoever began it; each row is done in its name.' })
  startedBy!: string;
  @Field(() => String, { description: 'What people call whoever began it.' }) startedByName!: string;
  @Field(() => Date, { description: 'When it was begun, UTC.' }) createdAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it ended, UTC.' }) finishedAt!: Date | null;
  @Field(() => Int, { description: 'How many rows it has; it grows while a selection is gathered.' }) total!: number;
  @Field(() => Int, { description: 'How many were done.' }) succeeded!: number;
  @Field(() => Int, { description: 'How many were refused, or have an unknown outcome.' }) failed!: number;
  @Field(() => Boolean, { description: 'The selection had more than a job takes (10,000): begin another one.' })
  hasMore!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'What keeps it from going on at the moment, in English; null while it goes on.',
  })
  hindrance!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Why its selection was refused, which cancelled the job before anything was done, in English.',
  })
  refusal?: string;
}

@ObjectType('JobRowEdge', { simpleResolvers: true, description: 'One row in the report of a job, with its cursor.' })
export class JobRowEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => JobRowType, { description: 'The item itself, at this place of the list.' }) node!: JobRowType;
}

@ObjectType('JobRowConnection', { simpleResolvers: true, description: 'One page of the report of a job.' })
export class JobRowConnectionType extends ConnectionFields {
  @Field(() => [JobRowEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: JobRowEdgeType[];
}

@ObjectType('JobEdge', { simpleResolvers: true, description: 'One job in a list, with its cursor.' })
export class JobEdgeType {
  @Field(() => String, {
    description: 'The place of this item in its list: give it as `after` to get what follows it.',
  })
  cursor!: string;
  @Field(() => JobType, { description: 'The item itself, at this place of the list.' }) node!: JobType;
}

@ObjectType('JobConnection', { simpleResolvers: true, description: 'One page of jobs.' })
export class JobConnectionType extends ConnectionFields {
  @Field(() => [JobEdgeType], { description: 'The items of this page, each with its cursor.' })
  edges!: JobEdgeType[];
}

@InputType('JobFilter', { description: 'Which jobs are wanted.' })
export class JobFilterInput {
  @Field(() => JobStates, { nullable: true, description: 'Jobs in this state only; absent: all.' })
  state?: JobState | null;
  @Field(() => [JobStates], { nullable: true, description: 'Jobs in any of these states; 20 at most.' })
  states?: JobState[] | null;
}

@InputType('JobAmount', { description: 'How much of one thing, where it shall not be all that is left.' })
export class JobAmountInput {
  @Field(() => ID, { description: 'One of the ids.' }) id!: string;
  @Field(() => String, { description: 'How much of it is taken or given back, in minor units.' }) amount!: string;
}

@InputType('JobCallbackSelection', {
  description: 'Callbacks that were given up, refused or ended; everything given must hold.',
})
export class JobCallbackSelectionInput {
  @Field(() => Date, { description: 'Made then or later, UTC.' }) since!: Date;
  @Field(() => Date, { nullable: true, description: 'Made before then, UTC; absent: until now.' }) until?: Date | null;
  @Field(() => ID, { nullable: true, description: 'To this endpoint only.' }) endpointId?: string | null;
  @Field(() => ID, { nullable: true, description: 'About this merchant only.' }) merchantId?: string | null;
  @Field(() => Boolean, { defaultValue: false, description: 'Whether delivered ones are sent again, too.' })
  includeDelivered!: boolean;
}

@InputType('StartJobInput', { description: 'What is to be done, to what, and why: ids, or a selection.' })
export class StartJobInput {
  @Field(() => JobActs, { description: 'What is done to each.' }) act!: JobAct;
  @Field(() => [ID], {
    nullable: true,
    description: 'Of payments, callbacks, applications or merchants, as the act goes: 4,000 at most, each once.',
  })
  ids?: string[] | null;
  @Field(() => [JobAmountInput], {
    defaultValue: [],
    description: 'Of captures and refunds: what shall be less than all that is left.',
  })
  amounts!: JobAmountInput[];
  @Field(() => JobCallbackSelectionInput, {
    nullable: true,
    description: 'Instead of ids, of REDELIVER_CALLBACK: 10,000 at most.',
  })
  callbacks?: JobCallbackSelectionInput | null;
  @Field(() => String, { description: 'Why, in words, 500 characters at most; kept in the audit.' }) reason!: string;
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Tells of each what would happen, and changes nothing.',
  })
  dryRun!: boolean;
}
