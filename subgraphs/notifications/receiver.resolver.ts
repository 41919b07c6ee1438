// The built-in receiver in the graph: anybody may send to it, the sandbox key reads it and orders faults. Absent in production.
import { Arg, Int, Mutation, Query, Resolver } from 'type-graphql';
import { Allow } from '../shared/allow';
import type { ReceiverService } from './receiver.service';
import { ReceivedCallbackInput, ReceivedCallbackType, ReceiverAnswerType, ReceiverFaultType } from './receiver.type';

@Resolver()
export class ReceiverResolver {
  constructor(private readonly receiver: ReceiverService) {}

  @Allow('public')
  @Mutation(() => ReceiverAnswerType, { description: 'Open to callers without a credential, as a receiver is.' })
  receiveCallback(@Arg('request', () => ReceivedCallbackInput) request: ReceivedCallbackInput) {
    return this.receiver.receive(request);
  }

  @Allow('sandbox:control', 'sandbox:write')
  @Query(() => [ReceivedCallbackType], { description: 'Newest first.' })
  async receivedCallbacks(@Arg('first', () => Int, { nullable: true }) first: number | null) {
    return (await this.receiver.list(first)).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  @Allow('sandbox:control', 'sandbox:write')
  @Mutation(() => ReceiverFaultType)
  orderReceiverFault(
    @Arg('status', () => Int, { nullable: true }) status: number | null,
    @Arg('delayMs', () => Int, { nullable: true }) delayMs: number | null,
    @Arg('times', () => Int, { nullable: true }) times: number | null,
  ) {
    return this.receiver.orderFault({ status, delayMs, times });
  }
}
