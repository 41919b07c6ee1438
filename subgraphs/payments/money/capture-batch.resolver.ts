// The capture batch: what terminals with captureType FILE wait for, run by staff, and by its control call in the sandbox.
import { Ctx, Int, Mutation, Resolver } from 'type-graphql';
import { AllowFresh } from '../../shared/callers/allow';
import type { RequestContext } from '../../shared/callers/context';
import type { Money } from './money';

@Resolver()
export class CaptureBatchResolver {
  constructor(private readonly money: Pick<Money, 'captureBatch'>) {}

  @AllowFresh('ledger:settle', 'sandbox:control')
  @Mutation(() => Int, { description: 'Captures every authorization that waits for the batch; tells how many.' })
  captureBatch(@Ctx() context: RequestContext): Promise<number> {
    return this.money.captureBatch(context);
  }
}
