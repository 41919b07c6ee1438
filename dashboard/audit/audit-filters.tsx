// What narrows the audit: who did it, what was done, when, and to what.
import { Filters, Pill, TextFilter } from '../lists/filters';
import type { KnownSearch } from '../lists/known';
import { SpanPill } from '../lists/pills/span-pill';
import { useActorName, useColleagues } from '../shell/actors';
import type { Search } from '../shell/address';
import { locale, words } from '../strings/language';

interface FiltersProps {
  address: KnownSearch;
  /** Who did what the list shows: programs are no colleagues. */
  actors: readonly string[];
  onChange(next: Search): void;
}

export function AuditFilters({ address: known, actors, onChange }: FiltersProps) {
  const text = words().audit;
  const { search } = known;
  const colleagues = useColleagues();
  const name = useActorName();
  const actor = search['actor'];
  const ids = [...new Set([...colleagues.keys(), ...actors, ...(actor ? [actor] : [])])];
  const { compare } = new Intl.Collator(locale());
  const byName = <Id extends string>(options: (readonly [Id, string])[]) =>
    options.sort(([, a], [, b]) => compare(a, b));
  return (
    <Filters address={known}>
      <TextFilter label={text.filter} value={search['subject']} onChange={(subject) => onChange({ subject })} />
      <Pill
        title={text.actor}
        value={actor}
        options={byName(ids.map((id) => [id, name(id) ?? id] as const))}
        onChange={(next) => onChange({ actor: next })}
      />
      <Pill
        title={text.action}
        value={search['action']}
        options={byName(Object.entries(text.actions))}
        onChange={(action) => onChange({ action })}
      />
      <SpanPill title={text.at} />
    </Filters>
  );
}
