// Where a list has no row: that nothing fits what it is narrowed by, and the way out of that; else what will be there.
import { Button } from '../kit/button';
import { Empty } from '../kit/states';
import { useAddress } from '../shell/address';
import { words } from '../strings/language';

/** What of an address narrows nothing: an order, and what is open. */
const beside: ReadonlySet<string> = new Set(['order', 'act', 'of', 'record', 'entry', 'person']);
/** Of reservations that are still held alone. */
const narrowingOrder = 'EXPIRING_SOONEST';

interface Props {
  /** Where nothing is narrowed. */
  title: string;
  /** What comes here then, and when. */
  yet?: string;
}

export function Nothing({ title, yet }: Props) {
  const { search } = useAddress();
  const filters = Object.keys(search).filter((name) => !beside.has(name) || search[name] === narrowingOrder);
  if (filters.length === 0) return <Empty title={title}>{yet}</Empty>;
  return (
    <Empty title={words().narrow.nothingFits}>
      <ClearFilters names={filters} />
    </Empty>
  );
}

/** Says that the list cannot be narrowed as the address asks. */
export function Unusable() {
  const { search } = useAddress();
  const text = words().narrow;
  return (
    <Empty title={text.unusable}>
      {text.unusableHint} <ClearFilters names={Object.keys(search)} />
    </Empty>
  );
}

/** Takes them out of the address. */
function ClearFilters({ names }: { names: readonly string[] }) {
  const { change } = useAddress();
  const cleared = Object.fromEntries(names.map((name) => [name, '']));
  return <Button onClick={() => change(cleared)}>{words().narrow.clear}</Button>;
}
