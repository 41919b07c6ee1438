// The pill that narrows a list to a time: the last day, week or month, or days of one's own choice.
import { Suspense, useState } from 'react';
import { useAddress } from '../../shell/address';
import { lazyDialog } from '../../shell/lazy-part';
import { locale, words } from '../../strings/language';
import { Pill } from '../filters';
import { type ChosenDays, chosenDaysOf, isSpan, spans } from '../spans';

const own = 'own';

const DaysDialog = lazyDialog(() => import('./days-dialog').then((module) => module.DaysDialog));

export function SpanPill({ title, hasSpans = true }: { title: string; hasSpans?: boolean }) {
  const { search, change } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const { spans: names } = words().payments;
  const text = words().narrow;
  const given = search['since'];
  const since = given && isSpan(given) ? given : undefined;
  const days = chosenDaysOf(since);
  const short = hasSpans ? Object.keys(spans).map((span) => [span, names[span as keyof typeof spans]] as const) : [];
  return (
    <>
      <Pill
        title={title}
        value={since}
        options={[...short, ...(days && since ? [[since, printDays(days)] as const] : []), [own, text.days]]}
        onChange={(next) => (next === own ? setOpen(true) : change({ since: next }))}
      />
      <Suspense>
        {isOpen ? (
          <DaysDialog
            title={title}
            days={days ?? { first: '', last: '' }}
            onClose={() => setOpen(false)}
            onChoose={({ first, last }) => {
              setOpen(false);
              change({ since: first || last ? `${first}..${last}` : '' });
            }}
          />
        ) : null}
      </Suspense>
    </>
  );
}

function printDays({ first, last }: ChosenDays): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' });
  const print = (day: string) => (day ? format.format(new Date(`${day}T00:00:00Z`)) : '…');
  return first === last ? print(first) : `${print(first)} – ${print(last)}`;
}
