// The built-in receiver in the graph: anybody may send to it, the sandbox key reads it and orders faults. Absent in production.
import { Arg, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Allow, Internal } from '../../shared/callers/allow';
import type { ReceiverService } from './receiver.service';
import { ReceivedCallbackInput, ReceivedCallbackType, ReceiverAnswerType, ReceiverFaultType } from './receiver.type';

@Resolver()
export class ReceiverResolver {
  constructor(private readonly receiver: ReceiverService) {}

  @Allow('public')
  @Internal()
  @Mutation(() => ReceiverAnswerType, { description: 'Open to callers without a credential, as a receiver is.' })
  receiveCallback(
    @Arg('request', () => ReceivedCallbackInput, { description: 'The callback as it came over HTTP.' })
    request: ReceivedCallbackInput,
  ) {
    return this.receiver.receive(request);
  }

  @Allow('sandbox:control')
  @Query(() => [ReceivedCallbackType], { description: 'Sandbox only: what the built-in receiver got, newest first.' })
  async receivedCallbacks(
    @Arg('first', () => Int, { nullable: true, description: 'How many at most; absent: the newest 20.' }) first:
      | number
      | null,
  ) {
    return (await this.receiver.list(first)).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  @Allow('sandbox:control')
  @Mutation(() => ReceiverFaultType, { description: 'Sandbox only: makes the built-in receiver answer badly.' })
  orderReceiverFault(
    @Arg('status', () => Int, { nullable: true, description: 'The HTTP status to answer with; absent: 200.' }) status:
      | number
      | null,
    @Arg('delayMs', () => Int, {
      nullable: true,
      description: 'How long to wait before each answer, in milliseconds; absent: not at all.',
    })
    delayMs: number | null,
    @Arg('times', () => Int, {
      nullable: true,
      description: 'How often the fault shows; absent: until another is ordered.',
    })
    times: number | null,
  ) {
    return this.receiver.orderFault({ status, delayMs, times });
  }
}
