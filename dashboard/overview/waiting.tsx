// What waits for a person, one card for each kind.
import { useAsk } from '../graph/ask';
import { stateWord } from '../kit/chip';
import { printMoney } from '../kit/money';
import { When } from '../kit/when';
import { words } from '../strings/language';
import { WaitingCard } from './card';
import { FailedCallbacks, UnknownPayments, WaitingApplications, WaitingProposals } from './queries';

export function OpenProposals() {
  const { data, error } = useAsk(WaitingProposals, {});
  const text = words().overview;
  return (
    <WaitingCard
      title={text.proposals}
      to="/proposals?status=PENDING"
      hasMore={data?.proposals.pageInfo.hasNextPage ?? false}
      isUrgent
      error={error}
      nothing={text.nothing}
      items={
        data?.proposals.edges.map(({ node }) => ({
          key: node.proposalId,
          to: `/proposals/${node.proposalId}`,
          title: stateWord(node.kind),
          end: <When at={node.proposedAt} />,
        })) ?? null
      }
    />
  );
}

export function Applications() {
  const { data, error } = useAsk(WaitingApplications, {});
  const text = words().overview;
  return (
    <WaitingCard
      title={text.applications}
      to="/onboarding"
      hasMore={data?.onboardingApplications.pageInfo.hasNextPage ?? false}
      isUrgent
      error={error}
      nothing={text.nothing}
      items={
        data?.onboardingApplications.edges.map(({ node }) => ({
          key: node.id,
          to: `/onboarding/${node.id}`,
          title: node.company.companyName ?? node.company.organizationNumber,
          end: <When at={node.updatedAt} />,
        })) ?? null
      }
    />
  );
}

export function OutcomeUnknown() {
  const { data, error } = useAsk(UnknownPayments, {});
  const text = words().overview;
  return (
    <WaitingCard
      title={text.unknown}
      to="/payments?state=Unknown"
      hasMore={data?.payments.pageInfo.hasNextPage ?? false}
      isUrgent
      error={error}
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

export function Callbacks() {
  const { data, error } = useAsk(FailedCallbacks, {});
  const text = words().overview;
  return (
    <WaitingCard
      title={text.callbacks}
      to="/callbacks?status=EXHAUSTED"
      hasMore={data?.callbacks.pageInfo.hasNextPage ?? false}
      isUrgent
      error={error}
      nothing={text.nothing}
      items={
        data?.callbacks.edges.map(({ node }) => ({
          key: node.callbackId,
          to: `/callbacks/${node.callbackId}`,
          title: node.merchant?.name ?? stateWord(node.kind),
          end: <When at={node.createdAt} />,
        })) ?? null
      }
    />
  );
}
