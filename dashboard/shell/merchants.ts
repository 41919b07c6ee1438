// The first merchants of the platform by name, for filters; who has more types an id.
import { useAsk } from '../graph/ask';
import { PlatformMerchants } from './queries';

const most = 100;

export function useMerchants(isPaused = false) {
  const { data } = useAsk(PlatformMerchants, { first: most, after: null }, { every: 'once', isPaused });
  const merchants = data?.merchants.edges.map(({ node }) => node) ?? [];
  return {
    merchants,
    hasMore: data?.merchants.pageInfo.hasNextPage ?? false,
    options: merchants.map(({ merchantId, name }) => [merchantId, name] as const),
  };
}
