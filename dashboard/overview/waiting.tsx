// What waits for a person, one card for each kind.
import { useAsk } from '../graph/ask';
import { stateWord } from '../kit/chip';
import { printMoney } from '../kit/money';
import { When } from '../kit/when';
import { proposedMoney, useProposedSubject } from '../proposals/proposed';
import { words } from '../strings/language';
import { WaitingCard } from './card';
import { useNews } from './news';
import { LostCallbacks, UnknownPayments, WaitingApplications, WaitingProposals } from './queries';

export function OpenProposals() {
  const { data, error, again } = useAsk(WaitingProposals, {});
  useNews(['audit'], again);
  const subjectOf = useProposedSubject();
  const text = words().overview;
  return (
    <WaitingCard
      title={text.proposals}
      to="/proposals?status=PENDING"
      total={data?.proposals.totalCount ?? null}
      error={error}
      retry={again}
      nothing={text.nothing}
      items={
        data?.proposals.edges.map(({ node }) => ({
          key: node.proposalId,
          to: `/proposals/${node.proposalId}`,
          title: [proposedMoney(node), subjectOf(node), stateWord(node.kind)].filter(Boolean).join(' · '),
          end: <When at={node.proposedAt} />,
        })) ?? null
      }
    />
  );
}

export function Applications() {
  const { data, error, again } = useAsk(WaitingApplications, {});
  useNews(['onboarding'], again);
  const text = words().overview;
  return (
    <WaitingCard
      title={text.applications}
      to="/onboarding"
      total={data?.onboardingApplications.totalCount ?? null}
      error={error}
      retry={again}
      nothing={text.nothing}
      items={
        data?.onboardingApplications.edges.map(({ node }) => ({
          key: node.id,
          to: `/onboarding/${node.id}`,
          title: node.name,
          end: <When at={node.updatedAt} />,
        })) ?? null
      }
    />
  );
}

export function OutcomeUnknown() {
  const { data, error, again } = useAsk(UnknownPayments, {});
  useNews(['payments'], again);
  const text = words().overview;
  return (
    <WaitingCard
      title={text.unknown}
      to="/payments?state=Unknown"
      total={data?.payments.totalCount ?? null}
      error={error}
      retry={again}
      nothing={text.nothing}
      items={
        data?.payments.edges.map(({ node }) => ({
          key: node.paymentId,
          to: `/payments/${node.paymentId}`,
          title: `${printMoney(node.amount, node.currency)} · ${node.merchant.name}`,
          end: <When at={node.createdAt} />,
        })) ?? null
      }
    />
  );
}

/** What nobody sends again by itself: given up after every attempt, or refused by the receiver for good. */
export function Callbacks() {
  const { data, error, again } = useAsk(LostCallbacks, {});
  useNews(['callbacks', 'endpoints'], again);
  const text = words().overview;
  return (
    <WaitingCard
      title={text.callbacks}
      to="/callbacks?status=EXHAUSTED,REJECTED"
      total={data?.callbacks.totalCount ?? null}
      error={error}
      retry={again}
      nothing={text.nothing}
      items={
        data?.callbacks.edges.map(({ node }) => ({
          key: node.callbackId,
          to: `/callbacks/${node.callbackId}`,
          // One order has a callback for each of its operations: without it two of them look like one told twice.
          title: [
            stateWord(node.status),
            node.operation?.orderId ?? stateWord(node.kind),
            node.operation && stateWord(node.operation.operationType),
            node.merchant?.name,
          ]
            .filter(Boolean)
            .join(' · '),
          end: <When at={node.createdAt} />,
        })) ?? null
      }
    />
  );
}
