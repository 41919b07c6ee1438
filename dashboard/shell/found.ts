// What the graph finds by a text, as lines of the palette: of each kind what it is called and where it is looked at.
import { CreditCard, KeyRound, type LucideIcon, ReceiptText, Store, UserRoundPlus, Webhook } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAsk } from '../graph/ask';
import { stateWord } from '../kit/chip';
import { shortCard } from '../kit/masked';
import { printMoney } from '../kit/money';
import { words } from '../strings/language';
import { FindAnything, type FindAnythingQuery } from './queries';

export interface FoundThing {
  key: string;
  to: string;
  word: string;
  icon: LucideIcon;
}

const first = 8;
/** Nobody wants an answer to every letter. */
const pauseMs = 120;

/** `isLooking`: what is found for the text is not there yet. */
export function useFound(text: string): { found: readonly FoundThing[]; isLooking: boolean } {
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  const { data, isLoading } = useAsk(FindAnything, { text: asked, first }, { isPaused: asked === '' });
  if (text === '') return { found: [], isLooking: false };
  const isLooking = asked !== text || isLoading;
  return { found: isLooking ? [] : (data?.search ?? []).map(({ found }) => lineOf(found)), isLooking };
}

type Thing = FindAnythingQuery['search'][number]['found'];

function lineOf(found: Thing): FoundThing {
  switch (found.__typename) {
    case 'Payment': {
      const { paymentId, orderId, amount, currency, state } = found;
      const word = [printMoney(amount, currency), stateWord(state), orderId].filter(Boolean).join(' · ');
      return { key: paymentId, to: `/payments/${paymentId}`, word, icon: CreditCard };
    }
    case 'Operation': {
      const { operationId, operationType, operationAmount, operationCurrency, paymentId } = found;
      const word = `${stateWord(operationType)} ${printMoney(operationAmount, operationCurrency)}`;
      return { key: operationId, to: `/payments/${paymentId}`, word, icon: ReceiptText };
    }
    case 'Merchant': {
      const { merchantId, name } = found;
      const word = words().palette.byMerchant(name);
      return { key: merchantId, to: `/merchants/${encodeURIComponent(merchantId)}`, word, icon: Store };
    }
    case 'VirtualAccount': {
      const { virtualAccountId, accountMasked } = found;
      const word = `${words().tokens.one} ${shortCard(accountMasked)}`;
      return { key: virtualAccountId, to: `/tokens/${virtualAccountId}`, word, icon: KeyRound };
    }
    case 'OnboardingApplication': {
      const { id, applicationStatus, name } = found;
      const word = [name, stateWord(applicationStatus)].join(' · ');
      return { key: id, to: `/onboarding/${id}`, word, icon: UserRoundPlus };
    }
    case 'Callback': {
      const { callbackId, kind, status } = found;
      const word = `${stateWord(kind)} · ${stateWord(status)}`;
      return { key: callbackId, to: `/callbacks/${callbackId}`, word, icon: Webhook };
    }
  }
}
