// What may be done with a callback now, and why not.
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { RequestContext } from '../../shared/callers/context';
import { type JudgedAction, judgeActions } from '../../shared/callers/judged-action';
import type { Callback } from './callback';
import { CallbackType } from './callback.type';
import { CallbackActionType } from './callback-action.type';
import { decideRedelivery, redeliveryRights } from './redelivery';

@Resolver(() => CallbackType)
export class CallbackActionsResolver {
  @FieldResolver(() => [CallbackActionType], {
    description: 'What can be done with it, and whether this caller may do it now.',
  })
  actions(@Ctx() { caller }: RequestContext, @Root() callback: Callback): JudgedAction<'REDELIVER'>[] {
    const decide = () => decideRedelivery(callback);
    return judgeActions(caller, [{ action: 'REDELIVER', rights: redeliveryRights, decide }]);
  }
}
