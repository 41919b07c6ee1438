// Currencies that there are: those of the first merchants, and of what was paid lately.
import { useAsk } from '../graph/ask';
import { lastDays } from '../graph/platform-clock';
import { useMerchants } from './merchants';
import { CurrenciesPaid } from './queries';
import { useMay } from './viewer';

const daysLooked = 30;

export function useCurrencies(): readonly string[] {
  const { merchants } = useMerchants();
  const may = useMay('payments:read');
  const { data } = useAsk(CurrenciesPaid, { range: lastDays(daysLooked) }, { every: 'once', isPaused: !may });
  const paid = data?.metrics.rows.flatMap(({ group }) => group.currency ?? []) ?? [];
  return [...new Set([...merchants.map(({ currency }) => currency), ...paid])];
}
