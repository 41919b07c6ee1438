// The pill that narrows a list to a time: the last day, week or month, or days of one's own choice.
import { useState } from 'react';
import { ActDialog, Field } from '../kit/form';
import { useAddress } from '../shell/address';
import { locale, words } from '../strings/language';
import { Pill } from './filters';
import { chosenDaysOf, isSpan, spans } from './spans';

const own = 'own';

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
    </>
  );
}

type Days = NonNullable<ReturnType<typeof chosenDaysOf>>;

function printDays({ first, last }: Days): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' });
  const print = (day: string) => (day ? format.format(new Date(`${day}T00:00:00Z`)) : '…');
  return first === last ? print(first) : `${print(first)} – ${print(last)}`;
}

interface DaysDialogProps {
  title: string;
  days: Days;
  onChoose(days: Days): void;
  onClose(): void;
}

function DaysDialog({ title, days, onChoose, onClose }: DaysDialogProps) {
  const text = words().narrow;
  const [first, setFirst] = useState(days.first);
  const [last, setLast] = useState(days.last);
  const [fault, setFault] = useState<string | null>(null);
  return (
    <ActDialog
      title={`${title}: ${text.daysTitle}`}
      hint={text.daysHint}
      confirm={text.apply}
      isRunning={false}
      error={null}
      onSubmit={() => (first && last && first > last ? setFault(text.daysFault) : onChoose({ first, last }))}
      onClose={onClose}
    >
      <Field label={text.from} fault={fault}>
        {(field) => <input {...field} type="date" value={first} onChange={({ target }) => setFirst(target.value)} />}
      </Field>
      <Field label={text.to}>
        {(field) => <input {...field} type="date" value={last} onChange={({ target }) => setLast(target.value)} />}
      </Field>
    </ActDialog>
  );
}
