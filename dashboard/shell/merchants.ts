// The first merchants of the platform by name, for filters; who has more types an id.
import { useAsk } from '../graph/ask';
import { words } from '../strings/language';
import { MerchantNamed, PlatformMerchants } from './queries';

const most = 100;

/** Those to choose from, with the one that is chosen where it is not among the first: by its name, or as none that there is. */
export function useMerchantOptions(
  chosen: string | undefined,
): readonly (readonly [merchantId: string, name: string])[] {
  const { options, isLoading } = useMerchants();
  const isFurther = Boolean(chosen) && !isLoading && !options.some(([merchantId]) => merchantId === chosen);
  const { data } = useAsk(MerchantNamed, { merchantId: chosen ?? '' }, { every: 'once', isPaused: !isFurther });
  if (!chosen || !isFurther || !data) return options;
  return [...options, [chosen, data.merchant?.name ?? words().merchants.unknown]];
}

export function useMerchants(isPaused = false) {
  const { data, isLoading } = useAsk(PlatformMerchants, { first: most, after: null }, { every: 'once', isPaused });
  const merchants = data?.merchants.edges.map(({ node }) => node) ?? [];
  return {
    merchants,
    isLoading,
    hasMore: data?.merchants.pageInfo.hasNextPage ?? false,
    options: merchants.map(({ merchantId, name }) => [merchantId, name] as const),
  };
}
