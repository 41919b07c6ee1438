// The graph's view of a call to the acquirer or to an alternative method: what we know, and each step by which we learned it (2.2-A of the decision register, No answer from the acquirer).
import { Field, ObjectType } from 'type-graphql';
import { graphEnum } from '../../shared/graph/graph-enum';
import { type CallState, type CallStepName, callStates, callSteps } from '../payment/acquirer-call';

const CallStates = graphEnum(callStates, {
  name: 'AcquirerCallState',
  description:
    'SENT: under way. OPEN: the operation is PENDING. DONE: the final result is known. ABANDONED: it never arrived.',
  values: {
    SENT: 'The call is under way, and nobody knows its outcome yet.',
    OPEN: 'The acquirer gave no final answer; the operation is PENDING and will be asked about.',
    DONE: 'The final result is known and recorded.',
    ABANDONED: 'The call never reached the acquirer, so its request may be made again.',
  },
});
const CallSteps = graphEnum(callSteps, {
  name: 'AcquirerCallStepName',
  description:
    'CALLED: the call itself. ASKED: what became of it was asked. GIVEN_UP: silent for too long, it counts as failed. RAISED: a person must look.',
  values: {
    CALLED: 'The call itself was made.',
    ASKED: 'The acquirer was asked what became of the call.',
    GIVEN_UP: 'The acquirer was silent for too long, so the call counts as failed.',
    RAISED: 'The outcome is still open and a person must look.',
  },
});

@ObjectType('AcquirerCallStep', {
  simpleResolvers: true,
  description: 'One thing that was done to learn the outcome of a call.',
})
export class AcquirerCallStepType {
  @Field(() => Date, { description: 'When it was done, UTC.' }) at!: Date;
  @Field(() => CallSteps, { description: 'What was done at that time.' }) step!: CallStepName;
  @Field(() => String, {
    nullable: true,
    description: 'The result as it was known then; NO_ANSWER, NEVER_ARRIVED; null when nothing was asked.',
  })
  outcome!: string | null;
}

@ObjectType('AcquirerCall', {
  simpleResolvers: true,
  description:
    'The call behind an operation. Kept with it; of operations of a former release for two days, and for longer when the outcome had to be asked for.',
})
export class AcquirerCallType {
  @Field(() => CallStates, { description: 'How far the call has come.' }) state!: CallState;
  @Field(() => Date, { description: 'When the call was first made, UTC.' }) startedAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When its outcome is asked for next.' }) askAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'Since when a person must look.' }) raisedAt!: Date | null;
  @Field(() => [AcquirerCallStepType], { description: 'Oldest first; the latest fifty.' })
  steps!: AcquirerCallStepType[];
}
