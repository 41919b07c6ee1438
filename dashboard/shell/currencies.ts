// Currencies that there are: those of the first merchants, and of what was paid lately.
import { useAsk } from '../graph/ask';
import { platformNow } from '../graph/platform-clock';
import { useMerchants } from './merchants';
import { CurrenciesPaid } from './queries';
import { useMay } from './viewer';

const dayMs = 86_400_000;
const daysLooked = 30;

/** Whole days, so that the same is asked for as long as the day lasts. */
function lately(): { from: string; to: string } {
  const tomorrow = (Math.floor(platformNow().getTime() / dayMs) + 1) * dayMs;
  return { from: new Date(tomorrow - daysLooked * dayMs).toISOString(), to: new Date(tomorrow).toISOString() };
}

export function useCurrencies(): readonly string[] {
  const { merchants } = useMerchants();
  const may = useMay('payments:read');
  const { data } = useAsk(CurrenciesPaid, { range: lately() }, { every: 'once', isPaused: !may });
  const paid = data?.metrics.rows.flatMap(({ group }) => group.currency ?? []) ?? [];
  return [...new Set([...merchants.map(({ currency }) => currency), ...paid])];
}
