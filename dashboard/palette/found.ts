// What the graph finds by a text, as lines of the palette: of each kind what it is called and where it is looked at.
import {
  ArrowLeftRight,
  BookUser,
  CircleCheck,
  CreditCard,
  KeyRound,
  Landmark,
  ListChecks,
  type LucideIcon,
  ReceiptText,
  Store,
  UserRoundPlus,
  Webhook,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAsk } from '../graph/ask';
import { stateWord } from '../kit/chip';
import { shortCard } from '../kit/masked';
import { printMoney } from '../kit/money';
import { printBookDay } from '../kit/when';
import { entryGain } from '../payouts/sums';
import { proposedAct, proposedMoney } from '../proposals/proposed';
import { printSearch } from '../shell/address';
import { words } from '../strings/language';
import { FindAnything, type FindAnythingQuery } from './queries';

export interface FoundThing {
  key: string;
  to: string;
  /** What kind of thing it is, in the person's language. */
  kind: string;
  word: string;
  icon: LucideIcon;
}

const first = 10;
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

/** Of each kind its line. */
const lines: { [Kind in Thing['__typename']]: (found: Extract<Thing, { __typename: Kind }>) => FoundThing } = {
  Payment: ({ paymentId, orderId, amount, currency, state }) => ({
    key: paymentId,
    to: `/payments/${paymentId}`,
    kind: words().payments.one,
    word: joined(printMoney(amount, currency), stateWord(state), orderId),
    icon: CreditCard,
  }),
  Operation: ({ operationId, operationType, operationAmount, operationCurrency, paymentId }) => ({
    key: operationId,
    to: `/payments/${paymentId}`,
    kind: words().palette.operation,
    word: `${stateWord(operationType)} ${printMoney(operationAmount, operationCurrency)}`,
    icon: ReceiptText,
  }),
  Merchant: ({ merchantId, name }) => ({
    key: merchantId,
    to: `/merchants/${encodeURIComponent(merchantId)}`,
    kind: words().merchants.one,
    word: name,
    icon: Store,
  }),
  Terminal: ({ terminalId, label, merchant }) => ({
    key: terminalId,
    to: `/merchants/${encodeURIComponent(merchant.merchantId)}${printSearch({ of: terminalId })}`,
    kind: words().palette.terminal,
    word: joined(label, merchant.name),
    icon: Store,
  }),
  VirtualAccount: ({ virtualAccountId, accountMasked }) => ({
    key: virtualAccountId,
    to: `/tokens/${virtualAccountId}`,
    kind: words().tokens.one,
    word: shortCard(accountMasked),
    icon: KeyRound,
  }),
  OnboardingApplication: ({ id, applicationStatus, name }) => ({
    key: id,
    to: `/onboarding/${id}`,
    kind: words().onboarding.one,
    word: joined(name, stateWord(applicationStatus)),
    icon: UserRoundPlus,
  }),
  Callback: ({ callbackId, kind, status }) => ({
    key: callbackId,
    to: `/callbacks/${callbackId}`,
    kind: words().callbacks.one,
    word: joined(stateWord(kind), stateWord(status)),
    icon: Webhook,
  }),
  CallbackEndpoint: ({ endpointId, endpointKind, address, health }) => ({
    key: endpointId,
    to: `/callbacks/endpoints/${endpointId}`,
    kind: words().callbacks.endpoint,
    word: joined(stateWord(health.state), address ?? stateWord(endpointKind)),
    icon: Webhook,
  }),
  Payout: ({ payoutId, date, payoutAmount, payoutCurrency, merchant }) => ({
    key: payoutId,
    to: `/payouts/${payoutId}`,
    kind: words().payouts.one,
    word: joined(printMoney(payoutAmount, payoutCurrency), merchant.name, printBookDay(date)),
    icon: Landmark,
  }),
  LedgerEntry: ({ entryId, action, entryAmount, entryCurrency, merchant }) => ({
    key: entryId,
    to: `/payouts/entries${printSearch({ entry: entryId })}`,
    kind: words().ledger.one,
    word: joined(
      printMoney(entryGain({ action, amount: entryAmount }), entryCurrency),
      stateWord(action),
      merchant.name,
    ),
    icon: ArrowLeftRight,
  }),
  Proposal: ({ proposalId, proposalKind, proposalStatus, ...proposed }) => ({
    key: proposalId,
    to: `/proposals/${proposalId}`,
    kind: words().proposals.one,
    word: joined(
      proposedAct({ kind: proposalKind, ...proposed }),
      proposedMoney(proposed) ?? proposed.application?.name ?? null,
      stateWord(proposalStatus),
    ),
    icon: CircleCheck,
  }),
  Job: ({ jobId, act, dryRun, jobState }) => ({
    key: jobId,
    to: `/jobs/${jobId}`,
    kind: words().jobs.one,
    word: joined(dryRun ? words().jobs.dryRun : null, words().jobs.names[act], stateWord(jobState)),
    icon: ListChecks,
  }),
  Person: ({ personId, name, email }) => ({
    key: personId,
    to: `/people${printSearch({ person: personId })}`,
    kind: words().people.one,
    word: joined(name, email),
    icon: BookUser,
  }),
};

function lineOf(found: Thing): FoundThing {
  return lines[found.__typename](found as never);
}

function joined(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join(' · ');
}
