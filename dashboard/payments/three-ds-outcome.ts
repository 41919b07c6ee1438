// What became of 3-D Secure: how the payer's own operation was to be authenticated, and by its result whether that was passed.
import type { Words } from '../strings/en';
import type { PaymentOperationFragment } from './queries';

type Known = keyof Words['payments']['threeDsOutcomes'];
type Asked = Pick<PaymentOperationFragment, 'operationType' | 'operationResult' | 'additionalData'>;

/** Those that a payer makes: what follows them repeats what they say of the card. */
const ofPayers: ReadonlySet<string> = new Set(['AUTHORIZATION', 'CARD_VERIFICATION', 'CARD_CHECK']);

/** A word of `threeDsOutcomes`, or what the acquirer calls it; null where nothing is said of it. */
export function threeDsOutcomeOf(operations: readonly Asked[]): Known | string | null {
  const own = operations.filter((each) => ofPayers.has(each.operationType) || isGivenUp(each)).at(-1);
  return own ? outcomeOf(own) : null;
}

function outcomeOf(operation: Asked): Known | string | null {
  const { threeDS } = operation.additionalData as { threeDS?: unknown };
  const isChallenged = threeDS === 'challenge';
  // The acquirer is not asked before a challenge is passed: these two never were.
  if (operation.operationResult === 'THREEDS_FAILED') return isChallenged ? 'challengeFailed' : 'failed';
  if (isGivenUp(operation) && isChallenged) return 'cancelled';
  return typeof threeDS === 'string' ? threeDS : null;
}

function isGivenUp({ operationType, operationResult }: Asked): boolean {
  return operationType === 'CANCEL' && operationResult === 'CANCELED';
}
