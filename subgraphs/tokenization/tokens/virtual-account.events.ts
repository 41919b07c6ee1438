// Events of a virtual account, ready for the log: one per state change and card update, numbered without gaps (tokenization interface, Events).
import type { RequestContext } from '../../shared/callers/context';
import { type NewEvent, newEventId } from '../../shared/store/unit-of-work';
import type { VirtualAccountEventType } from './lifecycle';
import type { VirtualAccount, VirtualAccountEventData } from './virtual-account';

/** The event that brought the account to its present sequence. */
export function virtualAccountEvent(
  context: Pick<RequestContext, 'requestId'>,
  account: VirtualAccount,
  event: { type: VirtualAccountEventType; data: VirtualAccountEventData },
): NewEvent {
  return {
    _id: newEventId(account),
    environment: account.environment,
    accountId: account.accountId,
    merchantId: account.merchantId,
    aggregateType: 'virtualAccount',
    aggregateId: account.virtualAccountId,
    sequence: account.sequence,
    type: event.type,
    version: 1,
    occurredAt: account.updatedAt,
    requestId: context.requestId,
    data: { ...event.data },
  };
}
