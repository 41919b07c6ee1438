// What narrows the callbacks: how far they came, their kind, merchant and time, and what they are about.
import { CallbackKind, CallbackStatus } from '../graph/contract';
import { stateWord } from '../kit/chip';
import { Filters, Pill, TextFilter } from '../lists/filters';
import type { KnownSearch } from '../lists/known';
import { ManyPill } from '../lists/many-pill';
import { MerchantPill } from '../lists/pills/pills';
import { SpanPill } from '../lists/pills/span-pill';
import { SavedViews } from '../lists/saved-views';
import type { Search } from '../shell/address';
import { words } from '../strings/language';
import { StatusChip } from './facts-of';
import type { Sought } from './sought';

interface FiltersProps {
  address: KnownSearch;
  sought: Sought;
  onChange(next: Search): void;
}

export function CallbackFilters({ address, sought, onChange }: FiltersProps) {
  const text = words().callbacks;
  const { search } = address;
  const { things } = sought;
  return (
    <Filters address={address}>
      <SavedViews screen="callbacks" />
      <TextFilter
        label={words().callbackFacts.find}
        value={search['find']}
        onChange={(find) => onChange({ find, about: '' })}
      />
      {things.length > 1 ? (
        <Pill
          title={text.about}
          value={search['about'] ?? things[0]?.key}
          options={things.map(({ key, word }) => [key, word])}
          onChange={(about) => onChange({ about })}
        />
      ) : null}
      <ManyPill
        title={text.status}
        value={search['status']}
        options={Object.values(CallbackStatus).map((status) => [status, <StatusChip key={status} status={status} />])}
        onChange={(status) => onChange({ status })}
      />
      <Pill
        title={text.kind}
        value={search['kind']}
        options={Object.values(CallbackKind).map((kind) => [kind, stateWord(kind)])}
        onChange={(kind) => onChange({ kind })}
      />
      <MerchantPill />
      <SpanPill title={text.created} />
      {search['endpointId'] ? (
        <Pill
          title={text.endpoint}
          value={search['endpointId']}
          options={[]}
          onChange={() => onChange({ endpointId: '' })}
        />
      ) : null}
    </Filters>
  );
}
