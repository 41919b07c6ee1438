// The built-in receiver in the graph: anybody may send to it, the sandbox key reads it and orders faults. Absent in production.
import { Arg, Authorized, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { isStaff } from '../shared/caller';
import type { RequestContext } from '../shared/context';
import { DomainError } from '../shared/errors';
import type { ReceiverService } from './receiver.service';
import { ReceivedCallbackInput, ReceivedCallbackType, ReceiverAnswerType, ReceiverFaultType } from './receiver.type';

@Resolver()
export class ReceiverResolver {
  constructor(private readonly receiver: ReceiverService) {}

  @Mutation(() => ReceiverAnswerType, { description: 'Open to callers without a credential, as a receiver is.' })
  receiveCallback(@Arg('request', () => ReceivedCallbackInput) request: ReceivedCallbackInput) {
    return this.receiver.receive(request);
  }

  @Authorized('sandbox:control', 'graph:admin')
  @Query(() => [ReceivedCallbackType], { description: 'Newest first.' })
  async receivedCallbacks(
    @Ctx() context: RequestContext,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
  ) {
    requireStaff(context);
    return (await this.receiver.list(first)).map(({ _id, ...rest }) => ({ id: _id, ...rest }));
  }

  @Authorized('sandbox:control', 'graph:admin')
  @Mutation(() => ReceiverFaultType)
  orderReceiverFault(
    @Ctx() context: RequestContext,
    @Arg('status', () => Int, { nullable: true }) status: number | null,
    @Arg('delayMs', () => Int, { nullable: true }) delayMs: number | null,
    @Arg('times', () => Int, { nullable: true }) times: number | null,
  ) {
    requireStaff(context);
    return this.receiver.orderFault({ status, delayMs, times });
  }
}

/** The receiver is one for all tenants: whoever belongs to one must not read it or make it fail. */
function requireStaff({ caller }: RequestContext): void {
  if (!isStaff(caller)) throw new DomainError('forbidden');
}
