// What a text that was typed above the callbacks names: one of them, or the operation, card or application that they are about.
import { useAsk } from '../graph/ask';
import type { CallbackFilter } from '../graph/contract';
import { stateWord } from '../kit/chip';
import { shortCard } from '../kit/masked';
import { CallbackSubjects, type CallbackSubjectsQuery } from './queries';

export interface SoughtThing {
  /** As it stands in the address. */
  key: string;
  word: string;
  filter: CallbackFilter;
}

export interface Sought {
  /** Where it is a callback itself. */
  callbackId: string | null;
  things: readonly SoughtThing[];
  isLooking: boolean;
}

type Found = CallbackSubjectsQuery['search'][number]['found'];

export function useSought(text: string | undefined): Sought {
  const { data, isLoading } = useAsk(CallbackSubjects, { text: text ?? '' }, { isPaused: !text });
  // What only begins so is not named by it.
  const named = data?.search.filter(({ matchedBy }) => matchedBy !== 'ORDER_BEGINNING') ?? [];
  const found = text ? named.map((each) => each.found) : [];
  const callback = found.find((each) => each.__typename === 'Callback');
  return {
    callbackId: callback?.__typename === 'Callback' ? callback.callbackId : null,
    things: found.flatMap(thingsOf),
    isLooking: Boolean(text) && isLoading,
  };
}

function thingsOf(found: Found): SoughtThing[] {
  switch (found.__typename) {
    case 'Operation':
      return [operationThing(found)];
    case 'Payment':
      return found.operations.edges.map(({ node }) => operationThing(node));
    case 'VirtualAccount': {
      const { virtualAccountId, accountMasked } = found;
      return [{ key: virtualAccountId, word: shortCard(accountMasked), filter: { virtualAccountId } }];
    }
    case 'OnboardingApplication':
      return [{ key: found.id, word: found.id, filter: { applicationId: found.id } }];
    default:
      return [];
  }
}

function operationThing({ operationId, operationType }: { operationId: string; operationType: string }): SoughtThing {
  return {
    key: operationId,
    word: `${stateWord(operationType)} · ${operationId.slice(0, 8)}`,
    filter: { operationId },
  };
}
